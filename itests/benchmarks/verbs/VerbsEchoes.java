package io.manafold.benchmark;

import io.manafold.api.rdma.SendList;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * A message goes to the other end by verbs and comes back before the next one is sent. Spinning, both ends are on one
 * thread; parked, each has its own and waits for the event of its completion queue. The adapters are on the link's.
 * Quoted is the half of the median.
 */
final class VerbsEchoes extends MessageEchoes implements AutoCloseable {
    private static final int RECEIVES = 64;
    private static final int SEND = 1;
    private static final int RECEIVE = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final int bytes;
    private final boolean parked;
    private final boolean lent;
    private final VerbsEndpoint near;
    private final VerbsEndpoint far;
    private final VerbsLab lab;
    /** Receives of each end that are posted and have no message yet. */
    private final int[] waiting = new int[2];
    private final Thread other;
    private volatile boolean over;
    private volatile Exception failure;
    /** Posted by either end. */
    private final LongAdder lists = new LongAdder();

    VerbsEchoes(RdmaCase what, VerbsEndpoint near, VerbsEndpoint far, VerbsLab lab) {
        bytes = what.bytes();
        parked = what.kind() == RdmaCase.Kind.PARKED;
        lent = what.lent();
        this.near = near;
        this.far = far;
        this.lab = lab;
        expect(near);
        expect(far);
        other = parked ? Thread.ofPlatform().daemon().name("echo").start(this::answer) : null;
    }

    private void expect(VerbsEndpoint end) {
        int index = end == near ? 0 : 1;
        if (waiting[index] >= RECEIVES / 2) {
            return;
        }
        end.receives.clear();
        for (int i = waiting[index]; i < RECEIVES; i++) {
            end.receives.receive(RECEIVE).piece(end.region.address(), end.region.localKey(), bytes);
        }
        waiting[index] += end.pair.post(end.receives);
        lists.increment();
    }

    /** The other end's thread. */
    private void answer() {
        try {
            while (!over) {
                if (arrives(far)) {
                    send(far);
                }
            }
        } catch (InterruptedException | RuntimeException failed) {
            failure = failed;
        }
    }

    @Override
    public void run(long nanos, boolean oneThread) throws InterruptedException {
        long begin = trips.begin();
        while (trips.now() - begin < nanos && !trips.isFull()) {
            send(near);
            if (!parked) {
                await(far);
                send(far);
            }
            await(near);
            trips.end();
        }
        trips.close();
        messages += packets();
    }

    private void send(VerbsEndpoint end) {
        end.sends.clear().send(SEND, SendList.SIGNALED).piece(end.region.address(), end.region.localKey(), bytes);
        if (end.pair.post(end.sends) != 1) {
            throw new IllegalStateException("there is no room for a message");
        }
        lists.increment();
    }

    private void await(VerbsEndpoint end) throws InterruptedException {
        long begin = trips.now();
        for (int turns = 0; !arrives(end); turns++) {
            if (failure != null) {
                throw new IllegalStateException("the other end has failed", failure);
            }
            if ((turns & 0xfff) == 0xfff && System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new IllegalStateException("a message does not arrive");
            }
        }
    }

    /** Takes completions once; whether a message has arrived. */
    private boolean arrives(VerbsEndpoint end) throws InterruptedException {
        int count = end.poll();
        if (count == 0 && parked) {
            end.completions.arm();
            end.completions.await(PATIENCE);
            count = end.poll();
        } else if (count == 0) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < count; i++) {
            if (end.polled.id(i) == RECEIVE) {
                waiting[end == near ? 0 : 1]--;
                expect(end);
                return true;
            }
        }
        return false;
    }

    @Override
    public long[] threads(boolean oneThread) {
        long own = Thread.currentThread().threadId();
        if (lent) {
            return parked ? new long[] {own, other.threadId()} : new long[] {own};
        }
        long agent = Clock.thread(VerbsLab.AGENT);
        return parked ? new long[] {agent, own, other.threadId()} : new long[] {agent, own};
    }

    @Override
    public long allocated(boolean oneThread) {
        return lab.allocated() + (parked ? Clock.allocated(new long[] {other.threadId()}) : 0);
    }

    double doorbells() {
        return lists.sum() / (double) messages;
    }

    /** Ends the other end's thread, which the last message wakes. */
    @Override
    public void close() throws InterruptedException {
        over = true;
        if (parked && failure == null) {
            send(near);
            other.join(PATIENCE);
        }
    }
}
