package io.manafold.api.device;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.OptionalLong;
import org.osgi.annotation.versioning.ConsumerType;

/** A driver at work on one device. */
@ConsumerType
@FunctionalInterface
public interface Binding {
    /**
     * Ends the drive: queues drained, services withdrawn, children unregistered, nothing held. Called once, after all
     * children have been unbound, on a thread of the core. That is interrupted when the time limit is over: half a
     * second later the function is reset and is the next driver's, and whatever this one still does must not touch it.
     */
    void remove(Removal why) throws Exception;

    /**
     * Stops the device for now: it is made to forget all, the drivers of its parts are gone, and its network devices
     * stay with what was set and counted. On a thread of the core, under the time limit of a removal; the drive may be
     * ended afterwards without having been resumed.
     *
     * @throws Refusal {@code EOPNOTSUPP} from a driver that cannot, {@code EBUSY} if the device is being reset
     */
    default void suspend() throws Exception {
        throw new Refusal(Errno.EOPNOTSUPP, "its driver cannot suspend it; 'unbind' takes the driver away instead");
    }

    /**
     * Has a suspended device go on as it was; under the time limit of a probe. One that is refused remains suspended.
     */
    default void resume() throws Exception {
        throw new Refusal(Errno.EOPNOTSUPP, "its driver cannot suspend it, nor resume it");
    }

    /**
     * How many buffers that the driver has handed out were not home when {@link #remove} was done with them. Asked
     * once, after that, on the same thread; empty if the driver hands none out, or does not count them.
     */
    default OptionalLong buffersOut() {
        return OptionalLong.empty();
    }
}
