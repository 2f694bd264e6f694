package io.manafold.inet.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import java.util.concurrent.atomic.AtomicReference;

/** A host above one device, for as long as that is there. */
final class Station implements PacketUser {
    private final String name;
    private final NetDevice device;
    private final PacketHandler behind;
    private volatile PacketPort port;
    private volatile Thread thread;
    /** A call of the device's thread is under way. */
    private volatile boolean inside;
    /** The device was let go. */
    private volatile boolean over;
    /** Done at the end of a call that outlasts the port. */
    private final AtomicReference<Runnable> afterwards = new AtomicReference<>();

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

    /** Lets the device go. Where a user holds its thread for long a call may still be under way when this returns. */
    void close() {
        PacketPort mine = port;
        if (mine != null) {
            mine.close();
        }
        over = true;
    }

    /** Whether a call of the device's thread is under way, and uses what is behind the device. */
    boolean isInside() {
        return inside;
    }

    /** After {@link #close}: has something done once no call is under way, here or by the thread that ends it. */
    void whenOut(Runnable then) {
        Runnable earlier = afterwards.getAndSet(null);
        afterwards.set(earlier == null ? then : () -> {
            earlier.run();
            then.run();
        });
        if (!inside) {
            finish();
        }
    }

    private void finish() {
        Runnable then = afterwards.getAndSet(null);
        if (then != null) {
            then.run();
        }
    }

    /** A call begins, unless the device was let go. */
    private boolean enter() {
        thread = Thread.currentThread();
        inside = true;
        if (over) {
            leave();
        }
        return inside;
    }

    private void leave() {
        inside = false;
        if (over) {
            finish();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        PacketPort mine = port;
        if (mine == null || !enter()) {
            PacketBuffer.release(packets, 0, count);
            return;
        }
        try {
            behind.receive(mine, packets, count);
        } finally {
            leave();
        }
    }

    @Override
    public int doWork() {
        PacketPort mine = port;
        if (mine == null || !enter()) {
            return 0;
        }
        try {
            return behind.doWork(mine);
        } finally {
            leave();
        }
    }

    @Override
    public long restNanos() {
        return port == null ? UNTIL_WOKEN : behind.restNanos();
    }
}
