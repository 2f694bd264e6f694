package io.manafold.benchmark;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PacketHandler;
import io.manafold.testkit.ReceiveQueue;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The driver's side: its send queues have something to send all the time, it takes what has arrived, and lets the
 * thread rest when there is nothing.
 */
final class ShapedTraffic implements Plug, PacketHandler {
    static final String PORT = "driver/1";
    private static final int BURST = 16;
    private static final int QUEUE_AT = 14;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final LoopSender[] senders;
    private final ReceiveQueue receiver;
    /** Frames that wait in each ring at most: no more in all than there are buffers to receive them. */
    private final int most;
    final Windows windows = new Windows();
    final long[] queueBytes;
    private final int[] waiting;
    private Wire wire;
    private volatile int flooding;
    private volatile boolean counting;
    private long now;
    private long sent;
    private volatile long done;

    ShapedTraffic(LoopSender[] senders, ReceiveQueue receiver, int most) {
        this.senders = senders;
        this.receiver = receiver;
        this.most = most;
        waiting = new int[senders.length];
        queueBytes = new long[senders.length];
    }

    void plugged(Wire into) {
        wire = into;
    }

    /** On return nothing is touched any more. */
    void unplug() {
        wire.close();
    }

    /** So many queues always have something to send; with none, waits until all has arrived. */
    void flood(int queues) throws InterruptedException {
        long before = System.nanoTime();
        wire.execute(() -> flooding = queues);
        wire.wake();
        while (queues == 0 && !isOver()) {
            if (System.nanoTime() - before > PATIENCE) {
                throw new IllegalStateException("frames are missing: " + sent + " sent, " + done + " done");
            }
            Thread.sleep(1);
            wire.wake();
        }
    }

    private boolean isOver() {
        return flooding == 0 && sent == done;
    }

    /** Counts for a while. */
    void count(long nanos) throws InterruptedException {
        wire.execute(() -> {
            Arrays.fill(queueBytes, 0);
            windows.begin(System.nanoTime(), nanos);
            counting = true;
        });
        TimeUnit.NANOSECONDS.sleep(nanos + TimeUnit.MILLISECONDS.toNanos(20));
        CountDownLatch over = new CountDownLatch(1);
        wire.execute(() -> {
            counting = false;
            over.countDown();
        });
        over.await();
    }

    /** Frames that have left. */
    long done() {
        return done;
    }

    @Override
    public String name() {
        return PORT;
    }

    @Override
    public int doWork() {
        now = System.nanoTime();
        int work = receiver.poll(this);
        for (int i = 0; i < senders.length; i++) {
            LoopSender sender = senders[i];
            int complete = sender.reap();
            work += complete;
            done += complete;
            waiting[i] -= complete;
            while (i < flooding && waiting[i] + BURST <= most) {
                sender.post(BURST, 0);
                waiting[i] += BURST;
                sent += BURST;
                work += BURST;
            }
        }
        return work;
    }

    @Override
    public void packet(long pointer, int length, int flags, int hash) {
        if (counting && windows.add(now, length)) {
            queueBytes[RawMemory.get8(pointer + QUEUE_AT)] += length;
        }
    }

    @Override
    public void receive(Frames frames, int from, int to) {
        // flooded frames are not for it
    }
}
