package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;

/**
 * Waits for any of a few descriptors. Belongs to one thread; waiting allocates nothing. A descriptor that is closed
 * meanwhile stays open until the wait is over, so let an {@link EventFd} be among them to end it.
 */
public final class Poll {
    /** There is something to read, or the other end has closed. */
    public static final int READABLE = 1;
    /** There is room to write. */
    public static final int WRITABLE = 4;
    /** An error waits to be fetched; reported unasked. */
    public static final int ERROR = 8;
    /** The other end is gone; reported unasked. */
    public static final int HANGUP = 16;
    /** The descriptor is closed; reported unasked. */
    public static final int CLOSED = 32;

    private static final int SIZE = 8;

    private static final LibraryCall POLL = LibraryCall.returningInt("poll");

    private final Descriptor[] descriptors;
    private final MemorySegment entries;
    private int count;

    /** @param most how many descriptors it has room for */
    public Poll(int most) {
        descriptors = new Descriptor[most];
        entries = Arena.ofAuto().allocate((long) SIZE * most, SIZE);
    }

    /** Adds one, and answers the index to ask by. */
    public int add(Descriptor descriptor, int events) {
        descriptors[count] = descriptor;
        events(count, events);
        return count++;
    }

    /** Changes what is waited for; 0 for errors only. */
    public void events(int index, int events) {
        entries.set(JAVA_SHORT, (long) SIZE * index + 4, (short) events);
    }

    /** Forgets all descriptors. */
    public void clear() {
        Arrays.fill(descriptors, 0, count, null);
        count = 0;
    }

    /**
     * Waits until one of them is ready, or a time in milliseconds has passed; 0 does not wait, −1 waits without end.
     *
     * @return how many are ready; an interruption by a signal counts as none
     */
    public int await(int millis) throws SystemCallException {
        int entered = 0;
        int closed = 0;
        try {
            while (entered < count) {
                boolean open = descriptors[entered].enter();
                closed += open ? 0 : 1;
                entries.set(JAVA_INT, (long) SIZE * entered, open ? descriptors[entered].number() : -1);
                entered++;
            }
            long answer = POLL.call(entries.address(), count, closed > 0 ? 0 : millis);
            return closed + (answer == -Libc.EINTR ? none() : (int) Libc.checked("poll", answer));
        } finally {
            for (int i = 0; i < entered; i++) {
                if (entries.get(JAVA_INT, (long) SIZE * i) >= 0) {
                    descriptors[i].leave();
                }
            }
            Reference.reachabilityFence(entries);
        }
    }

    private int none() {
        for (int i = 0; i < count; i++) {
            entries.set(JAVA_SHORT, (long) SIZE * i + 6, (short) 0);
        }
        return 0;
    }

    /** What the last wait found for one of them, of the bits above. */
    public int ready(int index) {
        return entries.get(JAVA_INT, (long) SIZE * index) < 0
                ? CLOSED
                : entries.get(JAVA_SHORT, (long) SIZE * index + 6);
    }
}
