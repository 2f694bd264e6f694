package io.manafold.itests.verbs;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Numbered traffic from one device to another until one of the two has gone. For one thread. */
abstract class Talk implements AutoCloseable {
    /** How much is on the way at most. */
    static final int WINDOW = 32;

    /** Begins. */
    @FunctionalInterface
    interface Beginning {
        Talk begin(RdmaDevice from, RdmaDevice to, MemorySource memory, Score score);
    }

    final Score score;
    final Completions completions = new Completions(WINDOW);
    /** What is received again. */
    final ReceiveList again = new ReceiveList(WINDOW);
    /** What has arrived, whole or not. */
    long arrived;
    /** The number of what is sent next. */
    long next;
    private final Kept kept = new Kept();
    private final SendList sends = new SendList(WINDOW);
    /** Sends that have been posted and have not come back. */
    private int outstanding;
    /** The number of the send that comes back next. */
    private long back;
    private final Set<Errno> going;

    /** @param going what posting may be refused with while a device goes */
    Talk(Score score, Set<Errno> going) {
        this.score = score;
        this.going = going;
    }

    /** What is closed at the end, the last first. */
    final <T extends AutoCloseable> T keep(T thing) {
        return kept.keep(thing);
    }

    /** The pair that sends. */
    abstract QueuePair sender();

    /** Where what it sent is completed. */
    abstract CompletionQueue sent();

    /** Writes what has a number, and adds it to the list. */
    abstract void write(long number, SendList into);

    /** Takes what has come. */
    abstract void pollReceives();

    /**
     * Sends and receives. Ends when asked to; a device that goes ends it by {@code ENODEV}, all work having come back.
     */
    final void run(BooleanSupplier ending) {
        Refusal gone = null;
        while (!ending.getAsBoolean()) {
            try {
                send();
            } catch (Refusal refused) {
                // it may be in the middle of going: then polling tells
                gone = refused;
            }
            pollSends();
            pollReceives();
            if (gone != null && !going.contains(gone.errno())) {
                throw gone;
            }
        }
    }

    private void send() {
        sends.clear();
        for (int i = outstanding; i < WINDOW && next - arrived < WINDOW; i++) {
            write(next, sends);
            next++;
        }
        if (sends.count() > 0) {
            try {
                sender().post(sends);
            } finally {
                outstanding += sends.posted();
            }
        }
    }

    private void pollSends() {
        int count = poll(sent(), outstanding);
        outstanding -= count;
        for (int i = 0; i < count; i++) {
            judge(completions.status(i));
            if (completions.id(i) != back++) {
                score.wrong.incrementAndGet();
            }
        }
    }

    /**
     * Polls a queue; when its device has gone, all that was posted must have come back.
     *
     * @param posted how much has not come back
     */
    final int poll(CompletionQueue queue, int posted) {
        try {
            return queue.poll(completions);
        } catch (Refusal refused) {
            if (refused.errno() == Errno.ENODEV) {
                score.lost.addAndGet(posted);
            }
            throw refused;
        }
    }

    /** Counts what has not succeeded; the peer's device may have gone first. */
    final void judge(CompletionStatus status) {
        if (status == CompletionStatus.FLUSHED) {
            score.flushed.incrementAndGet();
        } else if (status != CompletionStatus.SUCCESS && status != CompletionStatus.RETRIES_EXCEEDED) {
            score.wrong.incrementAndGet();
        }
    }

    @Override
    public final void close() {
        kept.close();
    }
}
