package io.manafold.api.traffic;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Sends made-up packets from one network device to another and looks at what arrives; a service. Any thread may call.
 */
@ProviderType
public interface Traffic {
    /**
     * Begins. What is begun goes on when the driver of a device is replaced: it waits for the next device of the name.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ENODEV} if there is no such device, {@code EINVAL} for a size or
     *         number that cannot be, {@code EBUSY} if a driver in poll mode has the port of a device,
     *         {@code EOPNOTSUPP} for what the sending device has been told not to do, {@code ENOSPC} when too much is
     *         running already
     */
    TrafficRun start(TrafficPlan plan);

    /** What is running, and the last ones that are over; by number. */
    List<TrafficRun> runs();
}
