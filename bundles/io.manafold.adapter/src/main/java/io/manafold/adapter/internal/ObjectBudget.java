package io.manafold.adapter.internal;

/**
 * How much of the heap may go into what drivers have their adapters make: regions, keys, queues, shapers. One budget
 * for all adapters, asked before memory is taken. Each adapter has a part that no other can take, enough for an
 * ordinary driver; what is left is for the adapter that asks first. Any thread.
 */
final class ObjectBudget {
    /** Half of the heap: the other half is the platform's own. */
    static final ObjectBudget OF_PLATFORM = new ObjectBudget(Runtime.getRuntime().maxMemory() / 2);

    /** For how many adapters a part is set aside, and how much at most. */
    private static final int PARTS = 64;
    private static final long LARGEST_PART = 1L << 20;

    private final long part;
    private final long mostCommon;
    private long common;

    /** @param bytes for all adapters */
    ObjectBudget(long bytes) {
        part = Math.min(LARGEST_PART, bytes / 2 / PARTS);
        mostCommon = bytes - PARTS * part;
    }

    /** For one adapter. */
    Share share() {
        return new Share(this);
    }

    private synchronized boolean take(Share share, long bytes) {
        long more = beyond(share.bytes + bytes) - beyond(share.bytes);
        if (more > mostCommon - common) {
            return false;
        }
        common += more;
        share.bytes += bytes;
        return true;
    }

    private synchronized void give(Share share, long bytes) {
        common -= beyond(share.bytes) - beyond(share.bytes - bytes);
        share.bytes -= bytes;
    }

    private synchronized long bytes(Share share) {
        return share.bytes;
    }

    private synchronized long most(Share share) {
        return Math.max(share.bytes, part) + mostCommon - common;
    }

    /** What of so much is not of an adapter's own part. */
    private long beyond(long bytes) {
        return Math.max(0, bytes - part);
    }

    /** What one adapter has taken. */
    static final class Share {
        private final ObjectBudget budget;
        private long bytes;

        private Share(ObjectBudget budget) {
            this.budget = budget;
        }

        /** Takes room for something that is about to be made; refused if there is none. */
        void take(String what, long more) {
            if (!budget.take(this, more)) {
                throw CommandException.beyondBudget(what, more, bytes(), most());
            }
        }

        /** Something is gone. */
        void give(long less) {
            budget.give(this, less);
        }

        /** All is gone. */
        void clear() {
            give(bytes());
        }

        long bytes() {
            return budget.bytes(this);
        }

        /** How much it could have at this moment. */
        long most() {
            return budget.most(this);
        }
    }
}
