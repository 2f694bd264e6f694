package io.manafold.adapter.internal.ethernet;

/**
 * How often a receiving port found that the sender's memory had vanished. The sender looks at it after a burst, on the
 * same thread; counts of others that get lost or come in between only make their readers look once more.
 */
final class VanishedMemoryCounter {
    private static volatile int count;

    private VanishedMemoryCounter() {
    }

    static int count() {
        return count;
    }

    static void note() {
        count = count + 1;
    }
}
