package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;

/** Which processors the calling thread may run on. Not for virtual threads. */
public final class Processors {
    private static final int SET = 128;
    private static final int EINVAL = 22;

    private static final MethodHandle SET_AFFINITY =
            Libc.returningInt("sched_setaffinity", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle GET_AFFINITY =
            Libc.returningInt("sched_getaffinity", JAVA_INT, JAVA_LONG, JAVA_LONG);

    private Processors() {
    }

    /** The processors that the calling thread may run on, counted from 0. */
    public static BitSet allowed() throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(SET, 8);
            MemorySegment state = Libc.state();
            int result = (int) GET_AFFINITY.invokeExact(state, 0, (long) SET, set.address());
            Libc.checked("sched_getaffinity", Libc.answer(result, state));
            return BitSet.valueOf(set.toArray(JAVA_BYTE));
        } catch (SystemCallException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Binds the calling thread to processors. */
    public static void allow(BitSet processors) throws SystemCallException {
        byte[] bits = processors.toByteArray();
        if (bits.length > SET) {
            throw new SystemCallException("sched_setaffinity: processors are counted up to " + (SET * 8 - 1), EINVAL);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(SET, 8);
            MemorySegment.copy(bits, 0, set, JAVA_BYTE, 0, bits.length);
            MemorySegment state = Libc.state();
            int result = (int) SET_AFFINITY.invokeExact(state, 0, (long) SET, set.address());
            Libc.checked("sched_setaffinity", Libc.answer(result, state));
        } catch (SystemCallException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }
}
