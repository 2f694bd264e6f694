package io.manafold.api.net;

import org.osgi.annotation.versioning.ConsumerType;

/** Picks packets by their bytes, for a user beside the one above the device; on the device's thread. */
@ConsumerType
@FunctionalInterface
public interface PacketFilter {
    /** Whether the packet is for the filter's user. It only looks: the packet has no owner yet. */
    boolean picks(PacketBuffer packet);
}
