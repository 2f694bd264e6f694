package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The three calls of {@code io_uring}. The C library has no functions for them, so they go by number, which is the same
 * on all 64-bit processors. Entering a ring takes seven arguments and so a call shape of its own, made when this class
 * is first used: with the first ring, and never by a start. Each answers a result or a negative error number.
 */
public final class RingCalls {
    private static final long SETUP = 425;
    private static final long ENTER = 426;
    private static final long REGISTER = 427;

    private static final LibraryCall SYSCALL = LibraryCall.returningLong("syscall");

    private RingCalls() {
    }

    /**
     * Makes a ring.
     *
     * @param parameters address of {@code io_uring_params}, 120 bytes, which the kernel fills in
     * @return its descriptor, closed on exec
     */
    public static long setup(int entries, long parameters) {
        return SYSCALL.call(SETUP, entries, parameters);
    }

    /** Tells a ring of memory, files and settings. */
    public static long register(int ring, int operation, long argument, int count) {
        return SYSCALL.call(REGISTER, ring, operation, argument, count);
    }

    /**
     * Has requests begun and waits for completions, as the flags say. An interrupted call is not repeated.
     *
     * @param argument address of {@code io_uring_getevents_arg} and its size, or 0 and 0
     * @return how many requests were taken
     */
    public static long enter(int ring, int submit, int complete, int flags, long argument, long bytes) {
        try {
            return (long) Enter.apart.invokeExact(ring, submit, complete, flags, argument, bytes);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * Made when a ring is first entered. The call is compiled apart from its callers: what a caller does around it may
     * be more than compilers look through, and where they give up in the middle of a foreign call, each call allocates.
     */
    @SuppressWarnings("restricted")
    private static final class Enter {
        private static final MethodHandle CALL = Linker.nativeLinker().downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                        JAVA_LONG),
                Linker.Option.captureCallState("errno"));
        /** Not final, so that compilers do not look through it. */
        private static MethodHandle apart;

        static {
            try {
                apart = MethodHandles.lookup()
                        .findStatic(Enter.class, "call", MethodType.methodType(long.class, int.class, int.class,
                                int.class, int.class, long.class, long.class));
            } catch (ReflectiveOperationException impossible) {
                throw new ExceptionInInitializerError(impossible);
            }
        }

        static long call(int ring, int submit, int complete, int flags, long argument, long bytes) throws Throwable {
            MemorySegment state = Libc.state();
            long result = (long) CALL.invokeExact(state, ENTER, (long) ring, (long) submit, (long) complete,
                    (long) flags, argument, bytes);
            return Libc.answer(result, state);
        }
    }
}
