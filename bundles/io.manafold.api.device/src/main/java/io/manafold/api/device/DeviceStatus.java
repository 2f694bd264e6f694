package io.manafold.api.device;

import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** How things stood with a device at the moment of asking. */
@ProviderType
public interface DeviceStatus {
    Device device();

    default String id() {
        return device().id();
    }

    DeviceState state();

    /** The driver at work, always with its version. */
    Optional<DriverChoice> driver();

    /** Why it is not bound, in a sentence; also what is odd about it while it is. */
    Optional<String> reason();

    /** Whether an administrator took its driver away by hand; it stays free until bound by hand. */
    boolean unboundByHand();

    /** The only driver an administrator allows on it. */
    Optional<DriverChoice> override();
}
