package io.manafold.bus.internal;

import io.manafold.api.device.DriverChoice;

/**
 * What an administrator has set for a device and the platform keeps.
 *
 * @param override the only driver allowed, or {@code null}
 */
record AdminState(boolean unbound, DriverChoice override) {
    static final AdminState NONE = new AdminState(false, null);

    AdminState withUnbound(boolean value) {
        return new AdminState(value, override);
    }

    AdminState withOverride(DriverChoice value) {
        return new AdminState(unbound, value);
    }
}
