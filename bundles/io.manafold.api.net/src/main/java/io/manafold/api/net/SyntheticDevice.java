package io.manafold.api.net;

import io.manafold.api.device.PciAddress;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The synthetic device of a pair, for a poll-mode driver that uses it in place of the network stack. A service with the
 * properties {@code name} and {@code address}, which goes before the pair does. Any thread may call.
 */
@ProviderType
public interface SyntheticDevice {
    /** Name of the network device above the pair: {@code eth1}. */
    String name();

    /** What it is on the bus of the virtual machine, a UUID: {@code 000d3ad0-0001-000d-3ad0-0001000d3ad0}. */
    String instance();

    MacAddress mac();

    /** The function that its virtual function is. */
    PciAddress address();

    /** The port of that function, from 1. */
    int port();

    /** The network device above the pair. */
    NetDevice device();

    /** Whether the host has told it of a virtual function with the serial number of the one that is there. */
    boolean isAssociated();

    /**
     * Takes it from the network stack until the port is closed. The pair leaves its virtual function alone meanwhile.
     *
     * @param who has it, for refusals
     * @throws io.manafold.api.refusal.Refusal {@code EBUSY} while the network device above is up or another polls it,
     *         {@code ENODEV} if the pair is going
     */
    SyntheticPort poll(String who);
}
