package io.manafold.api.net;

import org.osgi.annotation.versioning.ConsumerType;

/** Where packet buffers come from and go back to. */
@ConsumerType
public interface PacketHome {
    /** Takes a buffer back; called by {@link PacketBuffer#release}, on any thread. */
    void release(PacketBuffer buffer);
}
