package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** How exactly waits of the calling thread end. Not for virtual threads. */
public final class Timers {
    private static final int SET_SLACK = 29;
    private static final int GET_SLACK = 30;

    private static final MethodHandle CONTROL =
            Libc.returningInt("prctl", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private Timers() {
    }

    /**
     * The kernel may end waits of the calling thread so much late, to wake up once for several; usually 50 microseconds.
     *
     * @param nanos at least 1; 0 stands for what is usual
     */
    public static void slack(long nanos) throws SystemCallException {
        Libc.checked("prctl(PR_SET_TIMERSLACK)", control(SET_SLACK, nanos));
    }

    /** How late waits of the calling thread may end. */
    public static long slack() throws SystemCallException {
        return Libc.checked("prctl(PR_GET_TIMERSLACK)", control(GET_SLACK, 0));
    }

    private static long control(int option, long value) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((int) CONTROL.invokeExact(state, option, value, 0L, 0L, 0L), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }
}
