package io.manafold.uring;

/**
 * How a ring is made.
 *
 * @param requests how many requests it holds until they are begun; the kernel rounds up to a power of two
 * @param completions how many completions it holds until they are read; the kernel keeps what does not fit
 * @param pollingMillis how long a thread of the kernel goes on looking for requests before it sleeps, 0 for no such
 *     thread
 * @param wide whether completions have 32 bytes, as some operations ask
 */
public record RingSetup(int requests, int completions, int pollingMillis, boolean wide) {
    /** The most requests that a ring holds. */
    public static final int MOST_REQUESTS = 32768;

    public RingSetup {
        if (requests < 1 || requests > MOST_REQUESTS || completions < requests || completions > 2 * MOST_REQUESTS) {
            throw new IllegalArgumentException("A ring holds 1 to " + MOST_REQUESTS + " requests and at least as many"
                    + " completions, not " + requests + " and " + completions + ".");
        }
    }

    /** A ring without a thread of the kernel's. */
    public static RingSetup of(int requests, int completions) {
        return new RingSetup(requests, completions, 0, false);
    }

    /** The same with a thread of the kernel that looks for requests by itself. */
    public RingSetup polling(int millis) {
        return new RingSetup(requests, completions, millis, wide);
    }

    /** The same with completions of 32 bytes. */
    public RingSetup wider() {
        return new RingSetup(requests, completions, pollingMillis, true);
    }
}
