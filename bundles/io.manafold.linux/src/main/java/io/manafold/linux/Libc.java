package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * How functions of the C library are bound and what they answer. Numbers and pointers travel as plain longs, which the
 * calling conventions of 64-bit Linux do not tell from each other, so that a call neither allocates nor holds a scope.
 * All have one shape: a function does not look at registers beyond its arguments. To make the code of a shape takes
 * milliseconds, and a start needs a score of functions; binding is cheap after the first.
 */
@SuppressWarnings("restricted")
final class Libc {
    static final int EINTR = 4;
    static final int EAGAIN = 11;

    /** All memory of this process: the one segment through which this package reads what the kernel wrote. */
    static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final Linker LINKER = Linker.nativeLinker();
    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
            JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> CAPTURED =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

    private Libc() {
    }

    /** A function of at most six arguments. */
    static MethodHandle bind(String function) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(function), SHAPE,
                Linker.Option.captureCallState("errno"));
    }

    /** A function whose arguments from the third on are variadic. */
    static MethodHandle bindVariadic(String function) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(function), SHAPE,
                Linker.Option.captureCallState("errno"), Linker.Option.firstVariadicArg(2));
    }

    /** A function that sets no error number. */
    static MethodHandle faultless(String function, MemoryLayout... arguments) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(function),
                FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /** Where the calling thread's error number is put. */
    static MemorySegment state() {
        return CAPTURED.get();
    }

    /** A result as it came, or the negative error number in place of −1. */
    static long answer(long result, MemorySegment state) {
        return result == -1 ? -state.get(JAVA_INT, ERRNO) : result;
    }

    /** What a handle throws is never the function's doing. */
    static AssertionError unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return new AssertionError("a foreign function cannot be called", thrown);
    }

    /** Throws for a negative error number. */
    static long checked(String call, long answer) throws SystemCallException {
        if (answer < 0) {
            throw new SystemCallException(call, (int) -answer);
        }
        return answer;
    }
}
