package io.manafold.commands.rdma.internal;

/**
 * How something is measured.
 *
 * @param latency whether it is how long a message takes, and not how much goes through
 * @param size bytes of a message, the largest if all are measured
 * @param all whether sizes are 2, 4 and so on up to {@code size}
 * @param iterations messages of each queue pair; 0 if the time decides
 * @param seconds for how long, 0 if the number of messages decides
 * @param sends that a queue pair has under way at most
 * @param receives that it has posted
 * @param pairs how many queue pairs
 * @param both whether both ends send
 * @param mtu of the path, 0 for that of the port
 * @param gid index of the own address, −1 for one that fits
 * @param managed whether a connection manager connects
 * @param moderation one of so many sends has a completion
 * @param list how many sends one call posts
 * @param gigabits whether it is reported in these
 */
record MeasurePlan(Operation operation, boolean latency, int size, boolean all, int iterations, int seconds, int sends,
        int receives, int pairs, boolean both, int mtu, int gid, boolean managed, int moderation, int list,
        boolean gigabits) {
    static final int LARGEST = 8 << 20;
    /** With more messages than these nothing is said about the fastest of them. */
    static final int MOST_FOR_PEAK = 20_000;

    /** The same with another size. */
    MeasurePlan ofSize(int newSize) {
        return new MeasurePlan(operation, latency, newSize, false, iterations, seconds, sends, receives, pairs, both,
                mtu, gid, managed, moderation, list, gigabits);
    }

    /** One message of the same size and kind. */
    MeasurePlan once() {
        return new MeasurePlan(operation, false, size, false, 1, 0, 1, 1, 1, false, mtu, gid, false, 1, 1, gigabits);
    }

    /** The same on a path of this kind. */
    MeasurePlan onPath(int newMtu, int newGid) {
        return new MeasurePlan(operation, latency, size, all, iterations, seconds, sends, receives, pairs, both, newMtu,
                newGid, managed, moderation, list, gigabits);
    }

    /** The same, reported in gigabits or not. */
    MeasurePlan in(boolean newGigabits) {
        return new MeasurePlan(operation, latency, size, all, iterations, seconds, sends, receives, pairs, both, mtu,
                gid, managed, moderation, list, newGigabits);
    }

    /** Sizes from the smallest. */
    int[] sizes() {
        if (!all) {
            return new int[] {size};
        }
        int[] sizes = new int[Integer.numberOfTrailingZeros(size)];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = 2 << i;
        }
        return sizes;
    }

    boolean isTimed() {
        return seconds > 0;
    }

    /** Whether it can be said how fast the fastest messages were. */
    boolean hasPeak() {
        return !isTimed() && (long) iterations * pairs <= MOST_FOR_PEAK;
    }

    /** Whether the other end has to receive what is sent. */
    boolean takesReceives() {
        return operation == Operation.SEND;
    }
}
