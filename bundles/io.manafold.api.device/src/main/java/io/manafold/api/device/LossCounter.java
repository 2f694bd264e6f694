package io.manafold.api.device;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Counts frames that came in for a function and were lost, as the bundle that brings the function sees it. Registered
 * as a service with the property {@link #DEVICE}, so that the driver core can say what a swap has cost. Any thread may
 * call.
 */
@ConsumerType
@FunctionalInterface
public interface LossCounter {
    /** The service property with the id of the function. */
    String DEVICE = "device";

    /** Since the function is there: it only goes up. Answers at once. */
    long framesLost();
}
