package io.manafold.ethernet.internal.function;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;

/** Steady traffic from a device to another: numbered frames, checked on arrival at the other's pulse. */
final class Pulse implements PacketUser, AutoCloseable {
    private static final int BURST = 8;
    private static final int LENGTH = 60;

    /** The device's thread may come before it is known. */
    private volatile PacketPort port;
    private final long to;
    private final long from;
    private final PacketBuffer[] burst = new PacketBuffer[BURST];
    private volatile int number;
    private volatile int expected = -1;
    volatile long sent;
    volatile long received;
    /** Frames that are not what was sent, or came again or late. */
    volatile long wrong;

    Pulse(NetDevice device, NetDevice peer) {
        this(device, peer, 0);
    }

    /** One that takes over from another: what that one sent last may still be on its way, so the numbers go on. */
    Pulse(NetDevice device, NetDevice peer, int number) {
        this.number = number;
        to = peer.mac().value();
        from = device.mac().value();
        port = device.attach(this);
    }

    @Override
    public String name() {
        return "pulse";
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        for (int i = 0; i < count; i++) {
            PacketBuffer packet = packets[i];
            int got = packet.get32(14);
            if (packet.length() != LENGTH || packet.get32(18) != ~got || got <= expected) {
                wrong++;
            }
            expected = Math.max(expected, got);
            packet.release();
        }
        received += count;
    }

    @Override
    public int doWork() {
        PacketPort out = port;
        if (out == null) {
            return 0;
        }
        int taken = out.take(burst, 0, BURST);
        for (int i = 0; i < taken; i++) {
            PacketBuffer packet = burst[i];
            packet.place(packet.headroom(), LENGTH);
            packet.put16(0, (int) (to >>> 32));
            packet.put32(2, (int) to);
            packet.put16(6, (int) (from >>> 32));
            packet.put32(8, (int) from);
            packet.put16(12, 0x88b5);
            packet.put32(14, number + i);
            packet.put32(18, ~(number + i));
            packet.queue(0);
        }
        int accepted = taken == 0 ? 0 : out.send(burst, 0, taken);
        for (int i = accepted; i < taken; i++) {
            burst[i].release();
        }
        number += accepted;
        sent += accepted;
        return 0;
    }

    @Override
    public long restNanos() {
        return 200_000;
    }

    /** Waits until more has arrived. */
    void flows(String after) {
        long before = received;
        Bench.await("frames arrive " + after, () -> received >= before + 20);
    }

    /** The number that the next frame would have. */
    int next() {
        return number;
    }

    @Override
    public void close() {
        port.close();
    }
}
