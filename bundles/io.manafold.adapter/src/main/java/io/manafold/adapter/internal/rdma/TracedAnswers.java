package io.manafold.adapter.internal.rdma;

/** The last acknowledgements that have completed requests of a queue pair, each of them one request or several. */
final class TracedAnswers {
    /** No fewer than there are requests: then those have theirs. */
    static final int MOST = TracedRequests.MOST;

    /** The first request that it has completed. */
    static final int FROM = 1;
    /** The last one. */
    static final int TO = 2;
    static final int TIME = 3;
    /** Its packet number (32), the messages that the peer had completed (32). */
    static final int ANSWER = 4;
    /** When the driver was told, 0 if it was not. */
    static final int TOLD = 5;
    static final int WORDS = 6;

    private final TracedWords words = new TracedWords(MOST, WORDS);
    private long last;
    private long told;

    TracedWords words() {
        return words;
    }

    /** All that was not told never will be. */
    void reset() {
        told = last;
    }

    void add(long from, long to, long now, int psn, int msn) {
        long number = ++last;
        int at = words.begin(number);
        words.put(at + FROM, from);
        words.put(at + TO, to);
        words.put(at + TIME, now);
        words.put(at + ANSWER, (long) psn << 32 | msn);
        words.put(at + TOLD, 0);
        words.end(at, number);
    }

    void told(long now) {
        while (told < last) {
            int at = words.at(++told);
            if (words.has(at, told)) {
                words.put(at + TOLD, now);
            }
        }
    }
}
