package io.manafold.api.net;

import org.osgi.annotation.versioning.ConsumerType;

/** Where packet buffers come from and go back to. */
@ConsumerType
public interface PacketHome {
    /** Takes a buffer back; called by {@link PacketBuffer#release}, on any thread. */
    void release(PacketBuffer buffer);

    /** Takes several buffers back, all of this home; one that cannot be taken does not keep the others out. */
    default void release(PacketBuffer[] buffers, int from, int count) {
        RuntimeException mistake = null;
        for (int i = from; i < from + count; i++) {
            try {
                release(buffers[i]);
            } catch (RuntimeException refused) {
                mistake = refused;
            }
        }
        if (mistake != null) {
            throw mistake;
        }
    }
}
