package io.manafold.api.device;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Keeps what drivers count of a device, so that the next driver of it, or a newer version of this one, goes on from
 * there. It is kept in memory for as long as the device itself is there, on the bus or revoked: with an adapter that is
 * removed, a lender that leaves or the end of the platform it is forgotten. Any thread may call.
 */
@ProviderType
public interface KeptCounters {
    /** How many subjects of a device, counters of a subject and values of a counter there can be. */
    int MOST_SUBJECTS = 64;
    int MOST_COUNTERS = 256;
    int MOST_VALUES = 1024;

    /**
     * What was kept last, by name, one value for each queue; empty if nothing was. A counter that the caller does not
     * know is another version's, and is to be left alone.
     */
    Map<String, long[]> read(Device device, String subject);

    /**
     * Keeps counters. None goes back: of a value kept before and one kept now the greater one stays, so that a driver
     * that was left behind does no harm. Those kept before and not named now stay.
     *
     * @param subject what of the device is counted: a port, the function
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} if there are more than can be kept; nothing is kept then
     */
    void keep(Device device, String subject, Map<String, long[]> counters);
}
