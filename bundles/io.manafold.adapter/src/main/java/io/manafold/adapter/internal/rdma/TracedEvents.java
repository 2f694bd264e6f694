package io.manafold.adapter.internal.rdma;

import io.manafold.api.adapter.RdmaTrace.Kind;

/**
 * What went otherwise than it should: the last events of a queue pair. Packets that follow each other make one event.
 */
final class TracedEvents {
    static final int MOST = 64;

    static final int TIME = 1;
    /** Kind (8 bits), packet number (24), detail (32). */
    static final int WHAT = 2;
    /** How many packets (24), and for how long (40). */
    static final int PACKETS = 3;
    /** The request that it is about, 0 for none. */
    static final int REQUEST = 4;
    static final int WORDS = 5;

    private static final long ONE_PACKET = 1L << TracedRequests.SPAN_BITS;
    private static final int MOST_PACKETS = 0xff_ffff;

    private final TracedWords words = new TracedWords(MOST, WORDS);
    private final String[] notes = new String[MOST];
    private long last;
    /** Of the last event: its kind, request, and the packet that would go on with it; −1 if none does. */
    private Kind running;
    private long runningRequest;
    private int runsOnAt = -1;

    TracedWords words() {
        return words;
    }

    boolean isEmpty() {
        return last == 0;
    }

    /** What was noted of an event that was copied out; any thread. */
    String note(int place, long[] copied) {
        String note = notes[place];
        return words.isStill(place, copied) ? note : null;
    }

    /** @param note of an error, {@code null} for none */
    void add(Kind kind, long now, long request, int psn, int detail, String note) {
        long number = ++last;
        int at = words.begin(number);
        notes[(int) number & MOST - 1] = note;
        words.put(at + TIME, now);
        words.put(at + WHAT, (long) (kind.ordinal() << 24 | psn) << 32 | detail & 0xffff_ffffL);
        words.put(at + PACKETS, ONE_PACKET);
        words.put(at + REQUEST, request);
        words.end(at, number);
        runsOnAt = -1;
    }

    /** A packet that may go on with what the one before it began. */
    void run(Kind kind, long now, long request, int psn, int detail) {
        if (psn == runsOnAt && kind == running && request == runningRequest) {
            int at = words.at(last);
            long before = words.get(at + PACKETS);
            if (before >>> TracedRequests.SPAN_BITS < MOST_PACKETS) {
                long span = Math.min(now - words.get(at + TIME), TracedRequests.SPAN_MASK);
                words.put(at + PACKETS, (before & ~TracedRequests.SPAN_MASK) + ONE_PACKET | span);
                runsOnAt = psn + 1 & 0xff_ffff;
                return;
            }
        }
        add(kind, now, request, psn, detail, null);
        running = kind;
        runningRequest = request;
        runsOnAt = psn + 1 & 0xff_ffff;
    }
}
