package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.CompletionOpcode;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.gdma.VendorError;

/** One direction of a queue pair as its completion queue sees it. For the thread that polls. */
abstract sealed class Side permits SendSide, ReceiveSide {
    /** What the driver itself calls work that comes back because of an error before it. */
    private static final int FLUSHED = VendorError.FLUSHED_BY_DRIVER.code();

    private final RcQueuePair pair;
    /** Work that came back with an error, or flushed. */
    private long failures;
    /** The device has told the error of this direction: all that is left comes back. */
    private boolean failed;

    Side(RcQueuePair pair) {
        this.pair = pair;
    }

    final RcQueuePair pair() {
        return pair;
    }

    final boolean hasFailed() {
        return failed;
    }

    final void fail() {
        failed = true;
    }

    final long failures() {
        return failures;
    }

    /** As after a reset. */
    void begin() {
        failed = false;
    }

    /**
     * Takes a completion.
     *
     * @return false if there was no room for all that has ended by it: it is to be shown again
     */
    abstract boolean take(long entry, int first, Completions into);

    abstract boolean hasOldest();

    abstract long oldestId();

    /** The oldest work has ended without the device. */
    abstract void dropOldest();

    abstract CompletionOpcode opcode();

    /** All that is left comes back. Returns false if there was no room for all. */
    final boolean flush(Completions into) {
        while (hasOldest()) {
            if (into.isFull()) {
                return false;
            }
            into.add(oldestId(), pair.number(), CompletionStatus.FLUSHED, opcode(), 0, FLUSHED);
            failures++;
            dropOldest();
        }
        return true;
    }

    /** The oldest work ends with an error, for which there is room. */
    final void oldestFails(int error, Completions into) {
        if (hasOldest()) {
            into.add(oldestId(), pair.number(), CompletionStatus.of(VendorError.status(error).number()), opcode(),
                    0, error);
            failures++;
            dropOldest();
        }
        failed = true;
        pair.failed(error);
    }
}
