package io.manafold.failover.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import io.manafold.api.refusal.NotKept;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** A virtual function's network device, whose thread is the test's. */
final class FakeFunction implements PacketPort {
    final AtomicInteger sent = new AtomicInteger();
    volatile boolean carrier = true;
    /** How many packets it takes from now on. */
    volatile int room = Integer.MAX_VALUE;
    volatile boolean closed;
    volatile int mtu = 1500;
    volatile boolean up = true;
    /** Whether what is set on it cannot be kept. */
    volatile boolean full;
    volatile PacketUser user;
    /** What happens while it takes packets. */
    volatile Runnable sending = () -> { };
    private final NetDevice device = (NetDevice) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {NetDevice.class}, (proxy, method, arguments) -> switch (method.getName()) {
                case "name", "toString" -> "enP30832p0s0";
                case "hasCarrier" -> carrier;
                case "mtu" -> mtu;
                case "isUp" -> up;
                case "setUp" -> {
                    up = (boolean) arguments[0];
                    yield kept();
                }
                case "maxMtu" -> 9000;
                case "setMtu" -> {
                    mtu = (int) arguments[0];
                    yield kept();
                }
                case "attach" -> {
                    user = (PacketUser) arguments[0];
                    yield this;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> throw new UnsupportedOperationException(method.getName());
            });

    private Object kept() {
        if (full) {
            throw new NotKept("the file cannot be written", new IOException("no space"));
        }
        return null;
    }

    NetDevice device() {
        return device;
    }

    /** A cycle of its thread. */
    void work() {
        user.doWork();
    }

    @Override
    public int take(PacketBuffer[] into, int from, int count) {
        return 0;
    }

    @Override
    public int send(PacketBuffer[] packets, int from, int count) {
        sending.run();
        int accepted = Math.min(count, room);
        room -= accepted;
        sent.addAndGet(accepted);
        PacketBuffer.release(packets, from, accepted);
        return accepted;
    }

    @Override
    public boolean execute(Runnable command) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void wake() {
        // the test works when it wants to
    }

    @Override
    public void close() {
        closed = true;
    }
}
