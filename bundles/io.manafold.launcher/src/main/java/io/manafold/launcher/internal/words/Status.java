package io.manafold.launcher.internal.words;

/** Exit statuses of the process. */
public final class Status {
    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;
    /** What a process that a signal ended is said to exit with: this and the signal's number. */
    public static final int SIGNAL = 128;

    private Status() {
    }
}
