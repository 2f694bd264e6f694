package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.Rejections;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What happens to a queue pair whose failure no completion can tell: it ends, and the driver is told by an event. */
final class PairFailures {
    private static final Logger LOG = LoggerFactory.getLogger(PairFailures.class);

    private final Rejections rejections;
    private final RdmaCounters counters;
    private volatile IntConsumer fatal;

    PairFailures(Rejections rejections, RdmaCounters counters) {
        this.rejections = rejections;
        this.counters = counters;
    }

    /** @param told the numbers of queue pairs that have failed without a completion */
    void tell(IntConsumer told) {
        fatal = told;
    }

    /** No input leads here; if one does, it costs its own queue pair and no other. */
    void mistake(QueuePair pair, RuntimeException mistake) {
        rejections.note(pair.where, new byte[0], "an internal error: " + mistake,
                "this is a mistake of the adapter; please report it", "the queue pair takes no more requests");
        LOG.error("{} has failed by a mistake of the adapter", pair.where, mistake);
        end(pair);
    }

    /** Memory of a queue pair has vanished, where its completions might have been. Any thread. */
    void vanished(QueuePair pair) {
        rejections.note(pair.where, new byte[0], "the file behind memory that a queue pair uses keeps its length",
                "destroy the queue pair, then shorten the file", "the queue pair takes no more requests");
        end(pair);
    }

    /**
     * There is no place for its completions until another port's agent has written those before them. They may be what
     * tells of its error, so it may be in its error state already.
     */
    void overrun(QueuePair pair) {
        if (!pair.isFatal()) {
            rejections.note(pair.where, new byte[0], "at most " + HandoffQueue.MOST + " completions of a port wait for "
                    + "the port that writes their queue", "have queue pairs that share a completion queue use one port",
                    "the queue pair takes no more requests");
        }
        end(pair);
    }

    /** It is in its error state, and has no work that a completion could have told of. */
    void untold(QueuePair pair) {
        if (pair.becomesFatal()) {
            counters.fatal();
            IntConsumer told = fatal;
            if (told != null) {
                told.accept(pair.number());
            }
        }
    }

    private void end(QueuePair pair) {
        // a driver that is told asks for the state at once
        pair.stop();
        untold(pair);
    }
}
