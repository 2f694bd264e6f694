package io.manafold.linux;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open file descriptor with one owner. It is closed exactly once, and never under the hands of a thread that is in
 * the middle of a call with it: the number of a closed descriptor is soon that of another file.
 */
public final class Descriptor implements AutoCloseable {
    private static final int CLOSED = Integer.MIN_VALUE;

    private final int number;
    /** How many threads use it, and the sign bit once it is to be closed. */
    private final AtomicInteger users = new AtomicInteger();

    /** Takes a number that no other code will close. */
    public Descriptor(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("A file descriptor is never negative.");
        }
        this.number = number;
    }

    /** The number, for as long as the owner keeps this open. */
    public int number() {
        return number;
    }

    /** Whether {@link #close} has not been called. */
    public boolean isOpen() {
        return users.get() >= 0;
    }

    /** Keeps the number valid until {@link #leave}. Allocates nothing. Answers false when it is closed. */
    public boolean enter() {
        int seen = users.get();
        while (seen >= 0) {
            if (users.compareAndSet(seen, seen + 1)) {
                return true;
            }
            seen = users.get();
        }
        return false;
    }

    /** To be called once for each {@link #enter} that answered true. */
    public void leave() {
        if (users.decrementAndGet() == CLOSED) {
            closeNumber();
        }
    }

    /** Whether some thread is in the middle of a call with it. */
    public boolean inUse() {
        return (users.get() & Integer.MAX_VALUE) != 0;
    }

    /** Another descriptor for the same file. */
    public Descriptor duplicate() throws SystemCallException {
        if (!enter()) {
            throw new SystemCallException("dup", 9);
        }
        try {
            return new Descriptor(Linux.duplicate(number));
        } finally {
            leave();
        }
    }

    /** Closes it now, or when the last thread in the middle of a call has left. Further calls do nothing. */
    @Override
    public void close() {
        int seen = users.get();
        while (seen >= 0) {
            if (users.compareAndSet(seen, seen | CLOSED)) {
                if (seen == 0) {
                    closeNumber();
                }
                return;
            }
            seen = users.get();
        }
    }

    private void closeNumber() {
        // whatever close answers, the number is free again: there is nothing to do about it and nothing to repeat
        Linux.closeQuietly(number);
    }

    @Override
    public String toString() {
        return "descriptor " + number + (isOpen() ? "" : " (closed)");
    }
}
