package io.manafold.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that is locked for as long as this is open. The lock belongs to the open file and not to the process, unlike
 * those of {@link java.nio.channels.FileChannel}: those end as soon as any part of the process closes the same file,
 * which reading it once is enough for.
 */
public final class LockedFile implements AutoCloseable {
    private static final int READ_WRITE = 2;
    private static final int CLOEXEC = 0x80000;
    private static final int F_OFD_SETLK = 37;
    private static final short F_WRLCK = 1;
    /** {@code struct flock} with 64-bit offsets: kind, origin, start, length (0 for all of the file), process. */
    private static final int STRUCT_FLOCK = 32;
    private static final int EAGAIN = 11;
    private static final int EACCES = 13;

    private static final LibraryCall OPEN = LibraryCall.returningInt("open");

    private final Descriptor descriptor;

    private LockedFile(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Locks a file that is there; empty if it is locked by another process, or elsewhere in this one.
     *
     * @throws IOException if it cannot be opened for writing, or its file system has no locks
     */
    public static Optional<LockedFile> tryLock(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            Descriptor descriptor = new Descriptor((int) Libc.checked("open " + file,
                    OPEN.call(arena.allocateFrom(file.toString()).address(), READ_WRITE | CLOEXEC)));
            MemorySegment request = arena.allocate(STRUCT_FLOCK, Long.BYTES);
            request.set(ValueLayout.JAVA_SHORT, 0, F_WRLCK);
            long answer = Linux.control(descriptor.number(), F_OFD_SETLK, request.address());
            if (answer >= 0) {
                return Optional.of(new LockedFile(descriptor));
            }
            descriptor.close();
            if (answer == -EAGAIN || answer == -EACCES) {
                return Optional.empty();
            }
            throw new SystemCallException("lock " + file, (int) -answer);
        }
    }

    /** Lets others have the file. */
    @Override
    public void close() {
        descriptor.close();
    }
}
