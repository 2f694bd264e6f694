package io.manafold.uring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Takes from the calling thread what a service or a container takes from its processes. */
public final class Restricted {
    private static final int NO_NEW_PRIVILEGES = 38;
    private static final int SECCOMP = 22;
    private static final int FILTER = 2;
    private static final int ALLOW = 0x7fff_0000;
    private static final int ERRNO_EPERM = 0x0005_0001;
    private static final int SET_UP = 425;
    private static final int REGISTER = 427;
    private static final int REGISTER_NAPI = 27;
    private static final int SECOND_ARGUMENT = 24;
    private static final int DESCRIPTORS = 7;
    private static final int LOCKED = 8;

    private static final MethodHandle PRCTL = bind("prctl");
    private static final MethodHandle CAPSET = bind("capset");
    private static final MethodHandle PRLIMIT = bind("prlimit");

    private Restricted() {
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bind(String function) {
        return Linker.nativeLinker().downcallHandle(Linker.nativeLinker().defaultLookup().findOrThrow(function),
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    /** Runs on a thread that ends afterwards: what was taken from a thread stays taken from it. */
    public static void onAThreadOfItsOwn(Callable<Void> test) throws Exception {
        FutureTask<Void> task = new FutureTask<>(test);
        Thread thread = new Thread(task, "restricted");
        thread.start();
        try {
            task.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw (Exception) failed.getCause();
        }
    }

    private static void call(MethodHandle handle, long... arguments) {
        try {
            int answer = (int) handle.invokeExact(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]);
            if (answer != 0) {
                throw new AssertionError("the kernel answers " + answer);
            }
        } catch (Throwable failed) {
            throw new AssertionError(failed);
        }
    }

    /** io_uring_setup answers EPERM from now on. */
    public static void forbidRings() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = arena.allocate(32, 8);
            instruction(program, 0, 0x20, 0, 0, 0);
            instruction(program, 1, 0x15, 0, 1, SET_UP);
            instruction(program, 2, 0x06, 0, 0, ERRNO_EPERM);
            instruction(program, 3, 0x06, 0, 0, ALLOW);
            filter(arena, program);
        }
    }

    /** io_uring_register answers EPERM from now on where a ring is to poll cards. */
    public static void forbidBusyPolling() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = arena.allocate(48, 8);
            instruction(program, 0, 0x20, 0, 0, 0);
            instruction(program, 1, 0x15, 0, 3, REGISTER);
            instruction(program, 2, 0x20, 0, 0, SECOND_ARGUMENT);
            instruction(program, 3, 0x15, 0, 1, REGISTER_NAPI);
            instruction(program, 4, 0x06, 0, 0, ERRNO_EPERM);
            instruction(program, 5, 0x06, 0, 0, ALLOW);
            filter(arena, program);
        }
    }

    private static void filter(Arena arena, MemorySegment program) {
        MemorySegment filter = arena.allocate(16, 8);
        filter.set(JAVA_SHORT, 0, (short) (program.byteSize() / 8));
        filter.set(JAVA_LONG, 8, program.address());
        call(PRCTL, NO_NEW_PRIVILEGES, 1, 0, 0, 0);
        call(PRCTL, SECCOMP, FILTER, filter.address(), 0, 0);
    }

    private static void instruction(MemorySegment program, int index, int code, int yes, int no, int value) {
        long at = 8L * index;
        program.set(JAVA_SHORT, at, (short) code);
        program.set(JAVA_BYTE, at + 2, (byte) yes);
        program.set(JAVA_BYTE, at + 3, (byte) no);
        program.set(JAVA_INT, at + 4, value);
    }

    /** The thread is a plain user's, also where root runs it: limits count. */
    public static void dropCapabilities() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment head = arena.allocate(8, 4);
            head.set(JAVA_INT, 0, 0x2008_0522);
            call(CAPSET, head.address(), arena.allocate(24, 4).address(), 0, 0, 0);
        }
    }

    /** How many bytes may be locked. */
    public static long lockedMemory() {
        return limit(LOCKED);
    }

    /** Sets that for the process, up to the hard limit. */
    public static void lockedMemory(long bytes) {
        limit(LOCKED, bytes);
    }

    /** How many descriptors there may be. */
    public static long descriptors() {
        return limit(DESCRIPTORS);
    }

    /** Sets that for the process, up to the hard limit. */
    public static void descriptors(long count) {
        limit(DESCRIPTORS, count);
    }

    private static long limit(int which) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limit = arena.allocate(16, 8);
            call(PRLIMIT, 0, which, 0, limit.address(), 0);
            return limit.get(JAVA_LONG, 0) < 0 ? Long.MAX_VALUE : limit.get(JAVA_LONG, 0);
        }
    }

    private static void limit(int which, long value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limit = arena.allocate(16, 8);
            call(PRLIMIT, 0, which, 0, limit.address(), 0);
            limit.set(JAVA_LONG, 0, value == Long.MAX_VALUE ? -1 : value);
            call(PRLIMIT, 0, which, limit.address(), 0, 0);
        }
    }
}
