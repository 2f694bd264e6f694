package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * System calls on descriptors and memory, one method each. Descriptors are plain numbers here; {@link Descriptor} gives
 * one an owner. Calls that a data path makes answer a negative error number in place of throwing; nothing here
 * allocates on success. An interrupted call is repeated.
 */
public final class Linux {
    /** What a call would have had to wait for: {@code EAGAIN}, as the number that answers are negated from. */
    public static final int WOULD_BLOCK = Libc.EAGAIN;

    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int MAP_SHARED = 0x01;
    private static final int MAP_PRIVATE = 0x02;
    private static final int MAP_FIXED = 0x10;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int CLOEXEC = 0x80000;
    private static final int NONBLOCK = 0x800;
    private static final int MFD_CLOEXEC = 1;
    private static final int MFD_ALLOW_SEALING = 2;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int F_ADD_SEALS = 1033;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_TYPE_AND_SIZE = 0x201;
    private static final int REGULAR = 0x8000;

    private static final MethodHandle MMAP =
            Libc.returningLong("mmap", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MUNMAP = Libc.returningInt("munmap", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle MADVISE = Libc.returningInt("madvise", JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle MEMFD_CREATE = Libc.returningInt("memfd_create", JAVA_LONG, JAVA_INT);
    private static final MethodHandle FTRUNCATE = Libc.returningInt("ftruncate", JAVA_INT, JAVA_LONG);
    private static final MethodHandle STATX =
            Libc.returningInt("statx", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle CLOSE = Libc.returningInt("close", JAVA_INT);
    private static final MethodHandle EVENTFD = Libc.returningInt("eventfd", JAVA_INT, JAVA_INT);
    private static final MethodHandle PIPE = Libc.returningInt("pipe2", JAVA_LONG, JAVA_INT);
    private static final MethodHandle FCNTL = Libc.variadicAfterTwo("fcntl", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle READ = Libc.returningLong("read", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle WRITE = Libc.returningLong("write", JAVA_INT, JAVA_LONG, JAVA_LONG);

    private static final MethodHandle ABS = Libc.faultless("abs", JAVA_INT);

    private Linux() {
    }

    /** A file in memory, of length 0, closed on exec. */
    public static int memfdCreate(String name) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = Libc.state();
            int result = (int) MEMFD_CREATE.invokeExact(state, arena.allocateFrom(name).address(),
                    MFD_CLOEXEC | MFD_ALLOW_SEALING);
            return (int) Libc.checked("memfd_create", Libc.answer(result, state));
        } catch (SystemCallException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Sets a file's length. */
    public static void truncate(int descriptor, long length) throws SystemCallException {
        long answer;
        do {
            try {
                MemorySegment state = Libc.state();
                answer = Libc.answer((int) FTRUNCATE.invokeExact(state, descriptor, length), state);
            } catch (Throwable thrown) {
                throw Libc.unexpected(thrown);
            }
        } while (answer == -Libc.EINTR);
        Libc.checked("ftruncate", answer);
    }

    /** Forbids changes to a file in memory: 1 further seals, 2 shrinking, 4 growing, 8 writing. */
    public static void seal(int descriptor, int seals) throws SystemCallException {
        Libc.checked("fcntl(F_ADD_SEALS)", control(descriptor, F_ADD_SEALS, seals));
    }

    /** A file's length, or −1 when it is not a regular file and has none. */
    public static long length(int descriptor) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(256, 8);
            MemorySegment nowhere = arena.allocate(1);
            MemorySegment state = Libc.state();
            int result = (int) STATX.invokeExact(state, descriptor, nowhere.address(), AT_EMPTY_PATH,
                    STATX_TYPE_AND_SIZE, answer.address());
            Libc.checked("statx", Libc.answer(result, state));
            boolean regular = (answer.get(JAVA_SHORT_UNALIGNED, 28) & 0xf000) == REGULAR;
            return regular ? answer.get(JAVA_LONG_UNALIGNED, 40) : -1;
        } catch (SystemCallException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Maps a part of a file, shared with all who map it. The descriptor may be closed afterwards. */
    public static long map(int descriptor, long offset, long length, boolean writable) throws SystemCallException {
        return map(0, length, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED | MAP_NORESERVE, descriptor,
                offset);
    }

    /**
     * Puts fresh zeroes of our own in the place of what is mapped there. The change is atomic for other threads: a
     * touch finds either the old memory or the new.
     */
    public static void overlay(long address, long length) throws SystemCallException {
        map(address, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    }

    private static long map(long address, long length, int protection, int flags, int descriptor, long offset)
            throws SystemCallException {
        try {
            MemorySegment state = Libc.state();
            long result = (long) MMAP.invokeExact(state, address, length, protection, flags, descriptor, offset);
            return Libc.checked("mmap", Libc.answer(result, state));
        } catch (SystemCallException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Gives a range of addresses back. A touch from now on kills the process. */
    public static void unmap(long address, long length) throws SystemCallException {
        try {
            MemorySegment state = Libc.state();
            Libc.checked("munmap", Libc.answer((int) MUNMAP.invokeExact(state, address, length), state));
        } catch (SystemCallException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Advice about whole pages; the answer is 0 or a negative error number. */
    public static int advise(long address, long length, int advice) {
        try {
            MemorySegment state = Libc.state();
            return (int) Libc.answer((int) MADVISE.invokeExact(state, address, length, advice), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** A counter to wait for; never blocks, closed on exec. */
    public static int eventfd() throws SystemCallException {
        try {
            MemorySegment state = Libc.state();
            int result = (int) EVENTFD.invokeExact(state, 0, CLOEXEC | NONBLOCK);
            return (int) Libc.checked("eventfd", Libc.answer(result, state));
        } catch (SystemCallException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** A pipe that never blocks: the end to read first, then the end to write. */
    public static int[] pipe() throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(8, 4);
            MemorySegment state = Libc.state();
            int result = (int) PIPE.invokeExact(state, ends.address(), CLOEXEC | NONBLOCK);
            Libc.checked("pipe2", Libc.answer(result, state));
            return new int[] {ends.get(JAVA_INT, 0), ends.get(JAVA_INT, 4)};
        } catch (SystemCallException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Another number for the same open file, closed on exec. */
    public static int duplicate(int descriptor) throws SystemCallException {
        return (int) Libc.checked("dup", control(descriptor, F_DUPFD_CLOEXEC, 0));
    }

    /** Whether calls on this open file wait; a property of the file, seen by all who share it. */
    public static void blocking(int descriptor, boolean blocking) throws SystemCallException {
        int flags = (int) Libc.checked("fcntl(F_GETFL)", control(descriptor, F_GETFL, 0));
        int wanted = blocking ? flags & ~NONBLOCK : flags | NONBLOCK;
        if (wanted != flags) {
            Libc.checked("fcntl(F_SETFL)", control(descriptor, F_SETFL, wanted));
        }
    }

    private static long control(int descriptor, int command, int argument) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((int) FCNTL.invokeExact(state, descriptor, command, argument), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Frees a descriptor. Never repeated: the number is free whatever the answer. */
    public static void close(int descriptor) throws SystemCallException {
        Libc.checked("close", closeQuietly(descriptor));
    }

    static long closeQuietly(int descriptor) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((int) CLOSE.invokeExact(state, descriptor), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Reads into raw memory of ours; the answer is a count, 0 at the end, or a negative error number. */
    public static long read(int descriptor, long address, long length) {
        long answer;
        do {
            try {
                MemorySegment state = Libc.state();
                answer = Libc.answer((long) READ.invokeExact(state, descriptor, address, length), state);
            } catch (Throwable thrown) {
                throw Libc.unexpected(thrown);
            }
        } while (answer == -Libc.EINTR);
        return answer;
    }

    /** Writes from raw memory of ours; the answer is a count or a negative error number. */
    public static long write(int descriptor, long address, long length) {
        long answer;
        do {
            try {
                MemorySegment state = Libc.state();
                answer = Libc.answer((long) WRITE.invokeExact(state, descriptor, address, length), state);
            } catch (Throwable thrown) {
                throw Libc.unexpected(thrown);
            }
        } while (answer == -Libc.EINTR);
        return answer;
    }

    /**
     * Leaves Java and comes back, without asking the kernel for anything. On the way back the virtual machine raises
     * what it has to tell this thread, such as an error for a fault in mapped memory.
     */
    public static void callNothing() {
        try {
            int result = (int) ABS.invokeExact(0);
            assert result == 0;
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }
}
