package io.manafold.sockets.internal.uring;

import io.manafold.api.refusal.Errno;
import io.manafold.streams.Paths;
import io.manafold.streams.SendSide;
import io.manafold.uring.Request;
import java.util.function.Supplier;

/**
 * Sends of an endpoint that the kernel takes from where they lie: which it may still read, and whether it copied after
 * all. Memory is free in the order of sending, whatever the order of the kernel's words.
 */
final class ZeroCopySends {
    private static final int FIRST = 8;
    /** As many as tags have numbers. */
    private static final int MOST = 1 << 16;
    /** From where on it may be cheaper to leave bytes where they lie. */
    private static final int THRESHOLD = 16 << 10;
    /** So many times in a row the kernel copied, and it is not asked any more. */
    private static final int LESSONS = 3;
    private static final String MIXED = "its first part was to be left where it lies, and the kernel copied the rest";

    final Request plain;
    final Request registered;
    final Request gathered;
    final Request gatheredRegistered;
    private final boolean learns;
    private final SendSide sends;
    private final Supplier<String> reasons;
    /** Looked for when the kernel has copied first. */
    private String reason;
    private long[] firsts = new long[FIRST];
    private long[] ends = new long[FIRST];
    private boolean[] done = new boolean[FIRST];
    private boolean[] copied = new boolean[FIRST];
    private String[] notes = new String[FIRST];
    /** Whether the kernel copied the rest of its last send, after this operation had ended short. */
    private boolean[] mixed = new boolean[FIRST];
    /** The place of the send that the last operation has begun and not finished, −1 for none. */
    private long begunPlace = -1;
    private int head;
    private int tail;
    private int copies;
    private String givenUp;

    /**
     * @param learns whether it stops where the kernel copies anyway
     * @param reasons why the kernel copies here, as far as can be concluded; asked once, if it does
     */
    ZeroCopySends(SendSide sends, int descriptor, int flags, boolean learns, Supplier<String> reasons) {
        this.sends = sends;
        this.learns = learns;
        this.reasons = reasons;
        plain = Request.sendZeroCopy(descriptor, flags);
        registered = Request.sendZeroCopyRegistered(descriptor, flags, 0);
        gathered = Request.sendGatheredZeroCopy(descriptor, flags);
        gatheredRegistered = Request.sendGatheredZeroCopyRegistered(descriptor, flags, 0);
    }

    /** Whether so many bytes are to be left where they lie. */
    boolean wants(long bytes) {
        return givenUp == null && tail - head < MOST && (!learns || bytes >= THRESHOLD);
    }

    /** Why it is not done any more or was not for so many bytes; a clause. */
    String why(long bytes) {
        return givenUp != null ? givenUp : learns && bytes < THRESHOLD ? "below " + THRESHOLD
                + " bytes copying is cheaper" : null;
    }

    void giveUp(String why) {
        givenUp = why;
    }

    /** The number of the next operation. */
    int next() {
        return tail & MOST - 1;
    }

    /**
     * It is on its way.
     *
     * @param note what is to be said of it, {@code null} for nothing
     */
    void begun(String note) {
        if (tail - head == firsts.length) {
            grow();
        }
        int at = tail++ & firsts.length - 1;
        firsts[at] = 0;
        ends[at] = 0;
        done[at] = false;
        copied[at] = false;
        notes[at] = note;
        mixed[at] = false;
    }

    private void grow() {
        int length = firsts.length;
        long[] longerFirsts = new long[length * 2];
        long[] longerEnds = new long[length * 2];
        boolean[] longerDone = new boolean[length * 2];
        boolean[] longerCopied = new boolean[length * 2];
        String[] longerNotes = new String[length * 2];
        boolean[] longerMixed = new boolean[length * 2];
        for (int i = head; i != tail; i++) {
            longerFirsts[i & length * 2 - 1] = firsts[i & length - 1];
            longerEnds[i & length * 2 - 1] = ends[i & length - 1];
            longerDone[i & length * 2 - 1] = done[i & length - 1];
            longerCopied[i & length * 2 - 1] = copied[i & length - 1];
            longerNotes[i & length * 2 - 1] = notes[i & length - 1];
            longerMixed[i & length * 2 - 1] = mixed[i & length - 1];
        }
        firsts = longerFirsts;
        ends = longerEnds;
        done = longerDone;
        copied = longerCopied;
        notes = longerNotes;
        mixed = longerMixed;
    }

    /**
     * The last one has taken the ends of these sends, and its memory is free when the kernel says so.
     *
     * @param begun whether it has also taken a part of the next send
     */
    void taken(long first, long end, boolean begun) {
        int at = tail - 1 & firsts.length - 1;
        firsts[at] = first;
        ends[at] = end;
        begunPlace = begun ? end : -1;
    }

    /** Whether the kernel may still read a part of the send at a place, which has not been taken to its end. */
    boolean reads(long place) {
        return place == begunPlace && isPending();
    }

    /** The kernel has copied the rest of a send that it still {@link #reads}: it is free with that first part. */
    void finished(long place) {
        int at = tail - 1 & firsts.length - 1;
        if (firsts[at] == ends[at]) {
            firsts[at] = place;
        }
        ends[at] = place + 1;
        mixed[at] = true;
    }

    /** The last one has no word to come. */
    void over() {
        tail--;
    }

    /** The kernel does not read the memory of an operation any more. */
    void notified(int number, boolean kernelCopied) {
        int index = head + (number - head & MOST - 1);
        if (index - tail >= 0) {
            return;
        }
        done[index & firsts.length - 1] = true;
        copied[index & firsts.length - 1] = kernelCopied;
        copies = kernelCopied ? copies + 1 : 0;
        if (kernelCopied && reason == null) {
            reason = reasons.get();
        }
        if (learns && copies >= LESSONS && givenUp == null) {
            givenUp = "the kernel copied the last " + LESSONS + " that were to be left where they lie";
        }
        while (head != tail && done[head & firsts.length - 1]) {
            free(head++ & firsts.length - 1);
        }
    }

    private void free(int at) {
        for (long place = firsts[at]; place < ends[at]; place++) {
            if (mixed[at] && place == ends[at] - 1) {
                sends.freed(place, Paths.COPIED, copied[at] ? "copied" : "zero-copy", MIXED, false);
            } else if (copied[at]) {
                sends.freed(place, Paths.COPIED, "copied", notes[at] == null ? reason : notes[at], notes[at] == null);
            } else {
                sends.freed(place, Paths.ZERO_COPY, "zero-copy", notes[at], false);
            }
        }
    }

    /** Whether the kernel may still read memory. */
    boolean isPending() {
        return head != tail;
    }

    /** The kernel has let go of all of them without a word: whether they have arrived is not known. */
    void forget() {
        while (head != tail) {
            int at = head++ & firsts.length - 1;
            for (long place = firsts[at]; place < ends[at]; place++) {
                sends.freed(place, Paths.COPIED, null, "the ring was closed before the kernel said what it did", false,
                        Errno.ECANCELED.number());
            }
        }
    }
}
