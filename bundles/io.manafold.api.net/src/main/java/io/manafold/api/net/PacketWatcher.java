package io.manafold.api.net;

import org.osgi.annotation.versioning.ConsumerType;

/** Sees packets that stay another user's; on the device's thread. */
@ConsumerType
@FunctionalInterface
public interface PacketWatcher {
    void packet(PacketBuffer packet, boolean incoming);
}
