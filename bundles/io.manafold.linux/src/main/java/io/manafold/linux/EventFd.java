package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A counter of the kernel's through which one side wakes another. Any thread may signal, also while another closes it;
 * neither a signal nor taking the count allocates, except the first count that a thread takes. Of one that was made
 * here and given to no other process neither waits. Whether calls of a shared one wait is up to all who have it: each
 * may make it block at any time, and then a signal waits while it is full, and {@link #take} while it is not signalled.
 */
public final class EventFd implements AutoCloseable {
    private static final MemorySegment ONE = Arena.global().allocateFrom(JAVA_LONG, 1);
    private static final long ONE_ADDRESS = ONE.address();
    /**
     * Where the calling thread reads counts to, and behind that its address and its length, for calls that take more
     * than one such place. Nothing of a class of ours, which would live as long as the thread.
     */
    private static final ThreadLocal<MemorySegment> COUNT = ThreadLocal.withInitial(EventFd::roomForCount);

    private final Descriptor descriptor;

    private EventFd(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    private static MemorySegment roomForCount() {
        MemorySegment count = Arena.ofAuto().allocate(JAVA_LONG, 3);
        count.setAtIndex(JAVA_LONG, 1, count.address());
        count.setAtIndex(JAVA_LONG, 2, JAVA_LONG.byteSize());
        return count;
    }

    /** A new one with the count 0. */
    public static EventFd create() throws SystemCallException {
        return new EventFd(new Descriptor(Linux.eventfd()));
    }

    /**
     * Takes over a descriptor that came from elsewhere. What is not an eventfd is closed and refused with
     * {@code EINVAL}, for a write into anything else might do harm; and it is made not to block, so that a counter
     * which its other owner has filled up holds no caller, unless that owner makes it block again.
     */
    public static EventFd adopt(Descriptor descriptor) throws SystemCallException {
        try {
            String target;
            try {
                target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor.number())).toString();
            } catch (IOException gone) {
                target = "";
            }
            if (!target.equals("anon_inode:[eventfd]")) {
                throw new SystemCallException("eventfd expected, but the descriptor is \"" + target + "\"", 22);
            }
            Linux.blocking(descriptor.number(), false);
            return new EventFd(descriptor);
        } catch (SystemCallException failed) {
            descriptor.close();
            throw failed;
        }
    }

    /** The descriptor, still owned by this. */
    public Descriptor descriptor() {
        return descriptor;
    }

    /**
     * Adds one. Answers false if this is closed; a full counter needs no further signal, and one that blocks is waited
     * for.
     */
    public boolean signal() {
        if (!descriptor.enter()) {
            return false;
        }
        try {
            long answer = Linux.write(descriptor.number(), ONE_ADDRESS, 8);
            return answer == 8 || answer == -Linux.WOULD_BLOCK;
        } finally {
            descriptor.leave();
        }
    }

    /** Takes the count and sets it to 0. Answers 0 if it was not signalled, or if this is closed. */
    public long take() {
        if (!descriptor.enter()) {
            return 0;
        }
        try {
            MemorySegment count = COUNT.get();
            return Linux.read(descriptor.number(), count.address(), 8) == 8 ? count.get(JAVA_LONG, 0) : 0;
        } finally {
            descriptor.leave();
        }
    }

    /** As {@link #take}, but never waits, whatever those who share the descriptor have made of it meanwhile. */
    public long takeAtOnce() {
        if (!descriptor.enter()) {
            return 0;
        }
        try {
            MemorySegment count = COUNT.get();
            return Linux.readAtOnce(descriptor.number(), count.address() + 8) == 8 ? count.get(JAVA_LONG, 0) : 0;
        } finally {
            descriptor.leave();
        }
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
