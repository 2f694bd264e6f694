package io.manafold.adapter.internal.queue;

/** Completions that are to be written together: of each the words that are not always zero. For one thread. */
public final class PendingCompletions {
    private static final int WORDS = 4;

    private final long[] words;
    private int count;

    /** @param most how many it can hold */
    public PendingCompletions(int most) {
        words = new long[most * WORDS];
    }

    public int count() {
        return count;
    }

    public void clear() {
        count = 0;
    }

    /**
     * Adds one.
     *
     * @param first the first eight bytes, {@code second} and {@code third} those behind
     * @param word the four bytes before the last word
     */
    public void add(long first, long second, long third, int word) {
        int at = count * WORDS;
        words[at + 3] = word;
        words[at] = first;
        words[at + 1] = second;
        words[at + 2] = third;
        count++;
    }

    /** Keeps so many of the first and forgets those behind. */
    public void truncate(int kept) {
        count = Math.min(count, kept);
    }

    public long first(int index) {
        return words[index * WORDS];
    }

    public long second(int index) {
        return words[index * WORDS + 1];
    }

    public long third(int index) {
        return words[index * WORDS + 2];
    }

    public int word(int index) {
        return (int) words[index * WORDS + 3];
    }
}
