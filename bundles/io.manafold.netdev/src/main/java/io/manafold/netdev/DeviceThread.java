package io.manafold.netdev;

import org.osgi.annotation.versioning.ConsumerType;

/** The one thread that does all of a network device's work, as others see it. */
@ConsumerType
public interface DeviceThread {
    /** Whether the caller is on it. */
    boolean isCurrent();

    /** Whether it has begun and not come to its end. */
    boolean isAlive();

    /** There is something to do; any thread. */
    void wake();

    /** A way of its own to hand commands over, which can be shut by itself. */
    CommandLane lane();
}
