package io.manafold.api.net;

import io.manafold.api.device.PciAddress;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * What a network device shall be when no administrator has set anything else; a service, by port. A device may come
 * before its plan or after it.
 */
@ConsumerType
public interface DevicePlan {
    PciAddress address();

    /** The port of that function, from 1. */
    int port();

    String name();

    Optional<Integer> mtu();

    boolean up();

    /** The device that this one is a member of, which alone has addresses; empty if there is none. */
    default String master() {
        return "";
    }
}
