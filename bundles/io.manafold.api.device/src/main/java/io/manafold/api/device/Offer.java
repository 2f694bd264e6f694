package io.manafold.api.device;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Something a driver gives to the world by driving a device: a network device, an RDMA device. Register what you offer
 * under {@code Offer} as well and it shows below its device.
 */
@ConsumerType
public interface Offer {
    /** The {@link Device#id id} of the device it comes from. */
    String offeredBy();

    /** Its own name: {@code mana0}. */
    String name();

    /** A few words on its present state, for a line of a table. */
    String summary();
}
