package io.manafold.bus.internal;

import io.manafold.api.device.DriverChoice;

/**
 * What an administrator has set for a device and the platform keeps.
 *
 * @param forNow whether it is unbound until the platform ends, and not longer
 * @param override the only driver allowed, or {@code null}
 */
record AdminState(boolean unbound, boolean forNow, DriverChoice override) {
    static final AdminState NONE = new AdminState(false, false, null);

    AdminState withUnbound(boolean value) {
        return new AdminState(value, false, override);
    }

    /** What an administrator has unbound for longer stays so. */
    AdminState unboundForNow() {
        return unbound ? this : new AdminState(true, true, override);
    }

    AdminState withOverride(DriverChoice value) {
        return new AdminState(unbound, forNow, value);
    }
}
