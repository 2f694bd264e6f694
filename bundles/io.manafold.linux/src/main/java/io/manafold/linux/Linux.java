package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
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
    private static final int F_GET_SEALS = 1034;
    private static final int SEAL_SHRINK = 2;
    private static final int RWF_NOWAIT = 8;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_TYPE_AND_SIZE = 0x201;
    private static final int REGULAR = 0x8000;
    private static final long TMPFS = 0x0102_1994;
    private static final long HUGETLBFS = 0x9584_58f6L;
    private static final long PAGE = 4096;
    /** Of what fstatfs answers: where the kind is, and where the size of blocks. */
    private static final int KIND = 0;
    private static final int BLOCK_SIZE = 8;

    private static final LibraryCall MMAP = LibraryCall.returningLong("mmap");
    private static final LibraryCall MUNMAP = LibraryCall.returningInt("munmap");
    private static final LibraryCall MADVISE = LibraryCall.returningInt("madvise");
    private static final LibraryCall MEMFD_CREATE = LibraryCall.returningInt("memfd_create");
    private static final LibraryCall FTRUNCATE = LibraryCall.returningInt("ftruncate");
    private static final LibraryCall FSTATFS = LibraryCall.returningInt("fstatfs");
    private static final LibraryCall STATX = LibraryCall.returningInt("statx");
    private static final LibraryCall CLOSE = LibraryCall.returningInt("close");
    private static final LibraryCall EVENTFD = LibraryCall.returningInt("eventfd");
    private static final LibraryCall PIPE = LibraryCall.returningInt("pipe2");
    private static final LibraryCall FCNTL = LibraryCall.variadicAfterTwo("fcntl");
    private static final LibraryCall PREADV2 = LibraryCall.returningLong("preadv2");
    private static final LibraryCall READ = LibraryCall.returningLong("read");
    private static final LibraryCall WRITE = LibraryCall.returningLong("write");

    private static final MethodHandle ABS = Libc.faultless("abs", JAVA_INT);

    private Linux() {
    }

    /** A file in memory, of length 0, closed on exec. */
    public static int memfdCreate(String name) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            return (int) Libc.checked("memfd_create",
                    MEMFD_CREATE.call(arena.allocateFrom(name).address(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
        }
    }

    /** Sets a file's length. */
    public static void truncate(int descriptor, long length) throws SystemCallException {
        Libc.checked("ftruncate", FTRUNCATE.repeated(descriptor, length, 0));
    }

    /**
     * Whether no touch of a mapping of a file can fail: it lies in memory, and shrinking is forbidden for ever. Of a
     * file of huge pages there may be none when it is touched, whatever its length.
     */
    public static boolean isSealedAgainstShrinking(int descriptor) {
        long seals = control(descriptor, F_GET_SEALS, 0);
        try {
            return seals >= 0 && (seals & SEAL_SHRINK) != 0 && fileSystem(descriptor, KIND) == TMPFS;
        } catch (SystemCallException unknown) {
            return false;
        }
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
            Libc.checked("statx", STATX.call(descriptor, nowhere.address(), AT_EMPTY_PATH, STATX_TYPE_AND_SIZE,
                    answer.address()));
            boolean regular = (answer.get(JAVA_SHORT_UNALIGNED, 28) & 0xf000) == REGULAR;
            return regular ? answer.get(JAVA_LONG_UNALIGNED, 40) : -1;
        }
    }

    /**
     * Whether a file lies in memory, so that no touch of a mapping of it waits for more than a page: files of memfd,
     * shared memory and huge pages do. It is seen by that they know seals, which no device has, though the nodes of
     * devices lie in a file system of the same kind; and no other file system is asked, which may be another process.
     */
    public static boolean isMemory(int descriptor) {
        return control(descriptor, F_GET_SEALS, 0) >= 0;
    }

    /** The size of the pages that a file is mapped in: a mapping begins and ends with one. */
    public static long pageSize(int descriptor) throws SystemCallException {
        return fileSystem(descriptor, KIND) == HUGETLBFS ? fileSystem(descriptor, BLOCK_SIZE) : PAGE;
    }

    private static long fileSystem(int descriptor, int field) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(256, 8);
            Libc.checked("fstatfs", FSTATFS.call(descriptor, answer.address()));
            return answer.get(JAVA_LONG_UNALIGNED, field);
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
        return Libc.checked("mmap", MMAP.call(address, length, protection, flags, descriptor, offset));
    }

    /** Gives a range of addresses back. A touch from now on kills the process. */
    public static void unmap(long address, long length) throws SystemCallException {
        Libc.checked("munmap", MUNMAP.call(address, length));
    }

    /** Advice about whole pages; the answer is 0 or a negative error number. */
    public static int advise(long address, long length, int advice) {
        return (int) MADVISE.call(address, length, advice);
    }

    /** A counter to wait for; never blocks, closed on exec. */
    public static int eventfd() throws SystemCallException {
        return (int) Libc.checked("eventfd", EVENTFD.call(0, CLOEXEC | NONBLOCK));
    }

    /** A pipe that never blocks: the end to read first, then the end to write. */
    public static int[] pipe() throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(8, 4);
            Libc.checked("pipe2", PIPE.call(ends.address(), CLOEXEC | NONBLOCK));
            return new int[] {ends.get(JAVA_INT, 0), ends.get(JAVA_INT, 4)};
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

    static long control(int descriptor, int command, long argument) {
        return FCNTL.call(descriptor, command, argument);
    }

    /** Frees a descriptor. Never repeated: the number is free whatever the answer. */
    public static void close(int descriptor) throws SystemCallException {
        Libc.checked("close", closeQuietly(descriptor));
    }

    static long closeQuietly(int descriptor) {
        return CLOSE.call(descriptor);
    }

    /** Reads into raw memory of ours; the answer is a count, 0 at the end, or a negative error number. */
    public static long read(int descriptor, long address, long length) {
        return READ.repeated(descriptor, address, length);
    }

    /**
     * As {@link #read}, but what would wait answers {@code EAGAIN} instead, also where the open file says otherwise.
     *
     * @param vector where the address and the length of the memory stand
     */
    static long readAtOnce(int descriptor, long vector) {
        return PREADV2.call(descriptor, vector, 1, -1, RWF_NOWAIT);
    }

    /** Writes from raw memory of ours; the answer is a count or a negative error number. */
    public static long write(int descriptor, long address, long length) {
        return WRITE.repeated(descriptor, address, length);
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
