package io.manafold.itests.net;

import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One end of steady traffic in both directions, which outlives the devices below it: numbered frames whose bytes follow
 * from the number go out, those of the other end are looked at and some of them kept.
 */
public final class Flow implements PacketUser {
    private static final int BURST = 16;
    /** Far less than a device has receives for. */
    private static final int WINDOW = 64;
    /** Headers, a number, and words that follow from it. */
    private static final int LENGTH = 98;
    private static final int HEADER = 14;
    private static final int WORD = Integer.BYTES;
    private static final int ETHER_TYPE = 0x88b5;

    private final String name;
    private final MacAddress peer;
    private volatile int keep;
    private final PacketBuffer[] burst = new PacketBuffer[BURST];
    private final Deque<PacketBuffer> kept = new ArrayDeque<>();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong damaged = new AtomicLong();
    private volatile PacketPort port;
    /** For the device's thread. */
    private boolean quiet;
    /** Who takes what is sent, if no more is to be on the way than that end has room for; for the device's thread. */
    private Flow taker;
    private long credit;
    private volatile long lastReceived;
    private volatile long longestPause;
    private MacAddress own;

    /** @param keep how many received frames are held back at most */
    public Flow(String name, MacAddress peer, int keep) {
        this.name = name;
        this.peer = peer;
        this.keep = keep;
    }

    /** Goes on above a device, the former one's successor. */
    public void attach(NetDevice device) {
        own = device.mac();
        PacketPort now = device.attach(this);
        now.execute(() -> port = now);
    }

    /** Sends nothing from now on, though it receives. */
    public void hush() throws InterruptedException {
        set(true, null);
    }

    /** Sends again. */
    public void goOn() throws InterruptedException {
        set(false, null);
    }

    /** Sends again, as long as the other end has taken all but a few frames; nothing is on the way now. */
    public void goOn(Flow other) throws InterruptedException {
        set(false, other);
    }

    private void set(boolean now, Flow other) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Wire.await(name + " is above a device", () -> port != null);
        port.execute(() -> {
            quiet = now;
            taker = other;
            credit = other == null ? 0 : accepted.get() - other.received.get() + WINDOW;
            done.countDown();
        });
        if (!done.await(1, TimeUnit.MINUTES)) {
            throw new AssertionError("the thread of the device below " + name + " does not come around");
        }
    }

    /** Lets go of the device. */
    public void detach() {
        PacketPort now = port;
        port = null;
        if (now != null) {
            now.close();
        }
    }

    public long accepted() {
        return accepted.get();
    }

    public long received() {
        return received.get();
    }

    /** Frames that were not as they were sent. */
    public long damaged() {
        return damaged.get();
    }

    /** The longest time between two bursts since {@link #forgetPause}, that which lasts included, in nanoseconds. */
    public long longestPause() {
        return Math.max(longestPause, System.nanoTime() - lastReceived);
    }

    public void forgetPause() {
        longestPause = 0;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        long now = System.nanoTime();
        if (lastReceived != 0) {
            longestPause = Math.max(longestPause, now - lastReceived);
        }
        lastReceived = now;
        for (int i = 0; i < count; i++) {
            check(packets[i]);
            synchronized (kept) {
                if (kept.size() < keep) {
                    kept.add(packets[i]);
                    continue;
                }
            }
            packets[i].release();
        }
        received.addAndGet(count);
    }

    private void check(PacketBuffer packet) {
        if (packet.length() != LENGTH) {
            damaged.incrementAndGet();
            return;
        }
        int number = packet.get32(HEADER);
        for (int at = HEADER + WORD; at < LENGTH; at += WORD) {
            if (packet.get32(at) != number + at) {
                damaged.incrementAndGet();
                return;
            }
        }
    }

    /** Looks at the frames held back once more and lets them go; how many there were. */
    public int releaseKept() {
        synchronized (kept) {
            int count = kept.size();
            while (!kept.isEmpty()) {
                PacketBuffer packet = kept.poll();
                check(packet);
                packet.release();
            }
            return count;
        }
    }

    /** Lets go of the frames held back, and holds back no more of them. */
    public void keepNone() {
        keep = 0;
        releaseKept();
    }

    @Override
    public int doWork() {
        PacketPort now = port;
        if (now == null || quiet || taker != null && accepted.get() + BURST - taker.received.get() > credit) {
            return 0;
        }
        int taken = now.take(burst, 0, BURST);
        for (int i = 0; i < taken; i++) {
            fill(burst[i], (int) accepted.get() + i);
        }
        int sent = taken == 0 ? 0 : now.send(burst, 0, taken);
        for (int i = sent; i < taken; i++) {
            burst[i].release();
        }
        accepted.addAndGet(sent);
        return 0;
    }

    private void fill(PacketBuffer packet, int number) {
        packet.place(packet.headroom(), LENGTH);
        packet.put16(0, (int) (peer.value() >>> 32));
        packet.put32(2, (int) peer.value());
        packet.put16(6, (int) (own.value() >>> 32));
        packet.put32(8, (int) own.value());
        packet.put16(12, ETHER_TYPE);
        packet.put32(HEADER, number);
        for (int at = HEADER + WORD; at < LENGTH; at += WORD) {
            packet.put32(at, number + at);
        }
    }

    @Override
    public long restNanos() {
        return 200_000;
    }
}
