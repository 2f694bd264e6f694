package io.manafold.streams;

import io.manafold.api.refusal.Errno;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Transfer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The last transfers of an endpoint. Written by the thread that serves it, without a lock; who reads may miss those
 * that are overwritten meanwhile, and never sees half of one.
 */
public final class History {
    public static final int KEPT = 256;
    private static final int FIRST = 16;
    /** One more than is shown, which is being written. */
    private static final int MOST = KEPT + 1;
    private static final VarHandle WRITTEN;

    static {
        try {
            WRITTEN = MethodHandles.lookup().findVarHandle(History.class, "written", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private volatile Slots slots = new Slots(FIRST);
    private long written;

    /** Arrays of one length. */
    private static final class Slots {
        final Operation[] operations;
        final long[] bytes;
        final int[] paths;
        final String[] kernel;
        final String[] because;
        final boolean[] inferred;
        final int[] gathered;
        final int[] calls;
        final long[] pinned;
        final long[] posted;
        final long[] accepted;
        final long[] free;
        final int[] errnos;

        Slots(int length) {
            operations = new Operation[length];
            bytes = new long[length];
            paths = new int[length];
            kernel = new String[length];
            because = new String[length];
            inferred = new boolean[length];
            gathered = new int[length];
            calls = new int[length];
            pinned = new long[length];
            posted = new long[length];
            accepted = new long[length];
            free = new long[length];
            errnos = new int[length];
        }

        void copy(Slots from, int length) {
            System.arraycopy(from.operations, 0, operations, 0, length);
            System.arraycopy(from.bytes, 0, bytes, 0, length);
            System.arraycopy(from.paths, 0, paths, 0, length);
            System.arraycopy(from.kernel, 0, kernel, 0, length);
            System.arraycopy(from.because, 0, because, 0, length);
            System.arraycopy(from.inferred, 0, inferred, 0, length);
            System.arraycopy(from.gathered, 0, gathered, 0, length);
            System.arraycopy(from.calls, 0, calls, 0, length);
            System.arraycopy(from.pinned, 0, pinned, 0, length);
            System.arraycopy(from.posted, 0, posted, 0, length);
            System.arraycopy(from.accepted, 0, accepted, 0, length);
            System.arraycopy(from.free, 0, free, 0, length);
            System.arraycopy(from.errnos, 0, errnos, 0, length);
        }
    }

    /**
     * One more.
     *
     * @param path of {@link Paths}
     * @param kernel its own word, {@code null} if it said nothing
     * @param because a clause, {@code null} if there is nothing to say
     * @param pinned bytes that were not to change meanwhile
     */
    void add(Operation operation, long bytes, int path, String kernel, String because, boolean inferred, int gathered,
            int calls, long pinned, long posted, long accepted, long free, int errno) {
        Slots now = slots;
        int length = now.bytes.length;
        if (written == length && length < MOST) {
            Slots longer = new Slots(Math.min(MOST, length * 4));
            longer.copy(now, length);
            slots = longer;
            now = longer;
        }
        int at = (int) (written % now.bytes.length);
        now.operations[at] = operation;
        now.bytes[at] = bytes;
        now.paths[at] = path;
        now.kernel[at] = kernel;
        now.because[at] = because;
        now.inferred[at] = inferred;
        now.gathered[at] = gathered;
        now.calls[at] = calls;
        now.pinned[at] = pinned;
        now.posted[at] = posted;
        now.accepted[at] = accepted;
        now.free[at] = free;
        now.errnos[at] = errno;
        WRITTEN.setRelease(this, written + 1);
    }

    List<Transfer> list() {
        // the count first: what it counts is in the arrays that are read then
        long end = (long) WRITTEN.getAcquire(this);
        Slots now = slots;
        int length = now.bytes.length;
        long first = Math.max(0, end - Math.min(length, KEPT));
        List<Transfer> found = new ArrayList<>();
        for (long i = first; i < end; i++) {
            found.add(transfer(now, (int) (i % length), i + 1));
        }
        VarHandle.acquireFence();
        long overwritten = length < MOST ? 0 : (long) WRITTEN.getAcquire(this) + 1 - MOST;
        return List.copyOf(found.subList(Math.clamp(overwritten - first, 0, found.size()), found.size()));
    }

    private static Transfer transfer(Slots from, int at, long number) {
        return new Transfer(number, from.operations[at], from.bytes[at], Paths.word(from.paths[at]), from.kernel[at],
                from.because[at], from.inferred[at], from.gathered[at], from.calls[at], from.pinned[at],
                from.posted[at], from.accepted[at], from.free[at], status(from.errnos[at]));
    }

    private static String status(int errno) {
        if (errno == 0) {
            return "OK";
        }
        Errno known = Errno.of(errno);
        return known == null ? "error " + errno : known.name();
    }
}
