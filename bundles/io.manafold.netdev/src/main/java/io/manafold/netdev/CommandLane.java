package io.manafold.netdev;

import org.osgi.annotation.versioning.ConsumerType;

/** A way to hand commands to a device's thread. Any thread. */
@ConsumerType
public interface CommandLane {
    /** Has a command run before the next cycle; false if it will not run. */
    boolean execute(Runnable command);

    /** As {@link #execute}, and this command is the last. */
    boolean shut(Runnable last);
}
