package io.manafold.linux;

/** How exactly waits of the calling thread end. Not for virtual threads. */
public final class Timers {
    private static final int SET_SLACK = 29;
    private static final int GET_SLACK = 30;

    private static final LibraryCall CONTROL = LibraryCall.returningInt("prctl");

    private Timers() {
    }

    /**
     * The kernel may end waits of the calling thread so much late, to wake up once for several; usually 50
     * microseconds.
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
        return CONTROL.call(option, value);
    }
}
