package io.manafold.linux;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A function of the C library, called with at most six whole numbers or addresses. Each call answers what the function
 * returns, or the negative error number in place of −1. A record, because compilers take what a constant record holds
 * for constant too.
 *
 * @param handle of the one shape of {@link Libc}
 * @param wide whether all 64 bits of what it returns are meant, and not just the lower half
 */
record LibraryCall(MethodHandle handle, boolean wide) {
    /** A function that returns an {@code int}. */
    static LibraryCall returningInt(String function) {
        return new LibraryCall(Libc.bind(function), false);
    }

    /** A function that returns 64 bits. */
    static LibraryCall returningLong(String function) {
        return new LibraryCall(Libc.bind(function), true);
    }

    /**
     * A function that returns an {@code int} and whose arguments from the third on are variadic, such as {@code fcntl}.
     */
    static LibraryCall variadicAfterTwo(String function) {
        return new LibraryCall(Libc.bindVariadic(function), false);
    }

    long call(long first) {
        return call(first, 0, 0, 0, 0, 0);
    }

    long call(long first, long second) {
        return call(first, second, 0, 0, 0, 0);
    }

    long call(long first, long second, long third) {
        return call(first, second, third, 0, 0, 0);
    }

    long call(long first, long second, long third, long fourth) {
        return call(first, second, third, fourth, 0, 0);
    }

    long call(long first, long second, long third, long fourth, long fifth) {
        return call(first, second, third, fourth, fifth, 0);
    }

    long call(long first, long second, long third, long fourth, long fifth, long sixth) {
        long result;
        MemorySegment state = Libc.state();
        try {
            result = (long) handle.invokeExact(state, first, second, third, fourth, fifth, sixth);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
        return Libc.answer(wide ? result : (int) result, state);
    }

    /** As the others, but for calls that a signal has interrupted: those are repeated. */
    long repeated(long first, long second, long third) {
        long answer;
        do {
            answer = call(first, second, third);
        } while (answer == -Libc.EINTR);
        return answer;
    }
}
