package io.manafold.api.shaper;

import org.osgi.annotation.versioning.ConsumerType;

/** Is told by a driver what concerns its shapers. The device's lock is held; calls return soon. */
@ConsumerType
public interface ShaperWatcher {
    /** The number of queues is about to be another; those that go take their limits along. */
    void queues(int count);

    /** The device was reset and has forgotten all limits; it can be told again. */
    void forgotten();
}
