package io.manafold.netdev;

/** A way to hand commands to a device's thread. Any thread. */
public interface CommandLane {
    /** Has a command run before the next cycle; false if it will not run. */
    boolean execute(Runnable command);

    /** As {@link #execute}, and this command is the last. */
    boolean shut(Runnable last);
}
