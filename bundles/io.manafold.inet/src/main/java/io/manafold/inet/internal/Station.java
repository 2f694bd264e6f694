package io.manafold.inet.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;

/** A host above one device, for as long as that is there. */
final class Station implements PacketUser {
    private final String name;
    private final NetDevice device;
    private final PacketHandler behind;
    private volatile PacketPort port;
    private volatile Thread thread;

    Station(String name, NetDevice device, PacketHandler behind) {
        this.name = name;
        this.device = device;
        this.behind = behind;
    }

    /** Goes above the device. */
    void attach() {
        PacketPort mine = device.attach(this);
        port = mine;
        mine.wake();
    }

    NetDevice device() {
        return device;
    }

    void wake() {
        PacketPort mine = port;
        if (mine != null) {
            mine.wake();
        }
    }

    /** Whether this is the device's thread. */
    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    void close() {
        PacketPort mine = port;
        if (mine != null) {
            mine.close();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        PacketPort mine = port;
        if (mine == null) {
            PacketBuffer.release(packets, 0, count);
            return;
        }
        thread = Thread.currentThread();
        behind.receive(mine, packets, count);
    }

    @Override
    public int doWork() {
        PacketPort mine = port;
        if (mine == null) {
            return 0;
        }
        thread = Thread.currentThread();
        return behind.doWork(mine);
    }

    @Override
    public long restNanos() {
        return port == null ? UNTIL_WOKEN : behind.restNanos();
    }
}
