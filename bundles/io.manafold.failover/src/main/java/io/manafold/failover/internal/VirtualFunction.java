package io.manafold.failover.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import java.util.concurrent.atomic.AtomicBoolean;

/** The pair above its virtual function's network device, for as long as that is there. */
final class VirtualFunction implements PacketUser {
    private static final int BURST = 64;

    private final String pair;
    private final NetDevice device;
    private final PairCounters counters;
    private final Runnable wakePair;
    private final PacketRing incoming = new PacketRing();
    private final PacketRing outgoing = new PacketRing();
    private final PacketBuffer[] burst = new PacketBuffer[BURST];
    /** Whether a thread has what is to be sent, {@link #burst} and {@link #outgoing}. */
    private final AtomicBoolean inUse = new AtomicBoolean();
    /** Nothing takes over what is still to be sent: the device's thread, which is held, gives it back. */
    private volatile boolean abandoned;
    /** How many of the burst are still to be sent. */
    private int waiting;
    private volatile PacketPort port;

    VirtualFunction(String pair, NetDevice device, PairCounters counters, Runnable wakePair) {
        this.pair = pair;
        this.device = device;
        this.counters = counters;
        this.wakePair = wakePair;
    }

    /** Goes above the device. */
    void attach() {
        port = device.attach(this);
    }

    NetDevice device() {
        return device;
    }

    /** Lets the device go: its thread calls nothing of this any more, but may be held in a call for longer. */
    void close() {
        PacketPort mine = port;
        if (mine != null) {
            mine.close();
        }
    }

    // ---- on the pair's thread

    /** Packets that have arrived. */
    int take(PacketBuffer[] into, int most) {
        return incoming.take(into, 0, most);
    }

    boolean hasArrivals() {
        return !incoming.isEmpty();
    }

    /** Hands packets over to be sent; how many were taken. */
    int send(PacketBuffer[] packets, int from, int count) {
        int taken = outgoing.put(packets, from, count);
        PacketPort to = port;
        if (taken > 0 && to != null) {
            to.wake();
        }
        return taken;
    }

    /** Packets that it has not sent, once the device is let go: another way may take them. */
    int takeUnsent(PacketBuffer[] into, int most) {
        if (!inUse.compareAndSet(false, true)) {
            abandoned = true;
            releaseAbandoned();
            return 0;
        }
        try {
            return unsent(into, most);
        } finally {
            inUse.set(false);
        }
    }

    private int unsent(PacketBuffer[] into, int most) {
        int count = Math.min(waiting, most);
        System.arraycopy(burst, 0, into, 0, count);
        System.arraycopy(burst, count, burst, 0, waiting - count);
        waiting -= count;
        return count > 0 ? count : outgoing.take(into, 0, most);
    }

    private void releaseAbandoned() {
        if (abandoned && inUse.compareAndSet(false, true)) {
            drop();
            inUse.set(false);
        }
    }

    // ---- on the device's thread

    private void drop() {
        do {
            counters.vfDropped.add(waiting);
            PairSender.release(burst, 0, waiting);
            waiting = outgoing.take(burst, 0, BURST);
        } while (waiting > 0);
    }

    @Override
    public String name() {
        return pair;
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += packets[i].length();
        }
        int taken = incoming.put(packets, 0, count);
        counters.vfReceived.add(taken);
        if (taken < count) {
            for (int i = taken; i < count; i++) {
                bytes -= packets[i].length();
            }
            counters.missed.add(count - taken);
            PacketBuffer.release(packets, taken, count - taken);
        }
        counters.vfReceivedBytes.add(bytes);
        wakePair.run();
    }

    @Override
    public int doWork() {
        PacketPort to = port;
        if (to == null || !inUse.compareAndSet(false, true)) {
            return 0;
        }
        try {
            return work(to);
        } finally {
            inUse.set(false);
            releaseAbandoned();
        }
    }

    private int work(PacketPort to) {
        if (waiting == 0) {
            waiting = outgoing.take(burst, 0, BURST);
        }
        if (waiting == 0) {
            return 0;
        }
        if (!device.hasCarrier()) {
            drop();
            return 1;
        }
        long bytes = 0;
        for (int i = 0; i < waiting; i++) {
            bytes += burst[i].length();
        }
        int accepted = to.send(burst, 0, waiting);
        waiting -= accepted;
        for (int i = 0; i < waiting; i++) {
            bytes -= burst[accepted + i].length();
            burst[i] = burst[accepted + i];
        }
        counters.vfSent.add(accepted);
        counters.vfSentBytes.add(bytes);
        return accepted;
    }

    @Override
    public long restNanos() {
        // a full queue of the device says when there is room again
        return waiting > 0 || outgoing.isEmpty() ? UNTIL_WOKEN : 0;
    }
}
