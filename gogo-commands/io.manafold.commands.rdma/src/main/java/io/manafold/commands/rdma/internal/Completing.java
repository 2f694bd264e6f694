package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** Takes the completions of an end and gives each to the thread that has posted it. */
final class Completing {
    /** In what requests are called: it is a receive. The rest is the place of its queue pair. */
    static final long RECEIVE = 1L << 32;
    /** The same: it is of a {@link Barrier} and counts nowhere. */
    static final long MEETING = 1L << 33;
    /** The same: it tells {@link Credits} and counts nowhere. */
    static final long CREDITS = 1L << 34;
    /** The same: it is of {@link Liveness} and counts nowhere. */
    static final long LIVENESS = 1L << 35;
    private static final int AT_ONCE = 16;

    private final End end;
    private final Completions completions = new Completions(AT_ONCE);

    /** Told of each completion by the place of its queue pair. */
    interface Taker {
        void sent(int pair);

        void received(int pair);
    }

    Completing(End end) {
        this.end = end;
    }

    /** False if there were none. */
    boolean poll(Taker taker) {
        boolean any = false;
        for (int q = 0; q < end.queues().size(); q++) {
            CompletionQueue queue = end.queues().get(q);
            int count = queue.poll(completions);
            for (int i = 0; i < count; i++) {
                if (completions.status(i) != CompletionStatus.SUCCESS) {
                    throw failed(i);
                }
                long id = completions.id(i);
                if ((id & LIVENESS) != 0) {
                    end.asks(false);
                } else if ((id & MEETING) != 0) {
                    end.met();
                } else if ((id & CREDITS) != 0) {
                    end.credits().arrived((int) id);
                } else if ((id & RECEIVE) != 0) {
                    taker.received((int) id);
                } else {
                    taker.sent((int) id);
                }
            }
            any |= count > 0;
        }
        return any;
    }

    private Refusal failed(int index) {
        CompletionStatus status = completions.status(index);
        return new Refusal(Errno.EIO, "A message of queue pair " + completions.queuePair(index) + " of "
                + end.device().name() + " has failed: " + status.label() + " (" + status.number() + ")"
                + switch (status) {
                    case RETRIES_EXCEEDED -> "; the other end does not answer. 'link show' says what the way to it "
                            + "does, 'rdma link show' whether both ports are active.";
                    case FLUSHED -> "; the other end has closed the connection, or the device is going.";
                    default -> "; 'explain qp " + end.device().name() + "/" + completions.queuePair(index)
                            + "' says more.";
                });
    }
}
