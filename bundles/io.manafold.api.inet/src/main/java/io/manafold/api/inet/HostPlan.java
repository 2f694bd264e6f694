package io.manafold.api.inet;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * What the host above a network device shall be when no administrator has set anything else; a service of those who
 * bring such a device. A device may come before its plan or after it.
 */
@ConsumerType
public interface HostPlan {
    /** The network device's name. */
    String device();

    /** The addresses that it has. */
    List<IpPrefix> addresses();

    /** The tap interface that leads to the kernel behind it; without one the platform's own host answers. */
    Optional<String> tap();
}
