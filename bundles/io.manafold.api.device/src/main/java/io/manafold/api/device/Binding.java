package io.manafold.api.device;

import java.util.OptionalLong;
import org.osgi.annotation.versioning.ConsumerType;

/** A driver at work on one device. */
@ConsumerType
@FunctionalInterface
public interface Binding {
    /**
     * Ends the drive: queues drained, services withdrawn, children unregistered, nothing held. Called once, after all
     * children have been unbound, on a thread of the core, under a time limit past which the function is reset.
     */
    void remove(Removal why) throws Exception;

    /**
     * How many buffers that the driver has handed out were not home when {@link #remove} was done with them. Asked
     * once, after that, on the same thread; empty if the driver hands none out, or does not count them.
     */
    default OptionalLong buffersOut() {
        return OptionalLong.empty();
    }
}
