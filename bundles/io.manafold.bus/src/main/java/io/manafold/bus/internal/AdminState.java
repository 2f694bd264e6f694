package io.manafold.bus.internal;

import io.manafold.api.device.DriverChoice;

/**
 * What has been set for a device: by an administrator, which the platform keeps, and for now, which it does not.
 *
 * @param forNow whether it is unbound until the platform ends, and not longer
 * @param override the only driver that an administrator allows, or {@code null}
 * @param passing the only driver allowed for now, whatever an administrator allows, or {@code null}
 */
record AdminState(boolean unbound, boolean forNow, DriverChoice override, DriverChoice passing) {
    static final AdminState NONE = new AdminState(false, false, null, null);

    /** The only driver allowed, or {@code null}. */
    DriverChoice only() {
        return passing != null ? passing : override;
    }

    AdminState withUnbound(boolean value) {
        return new AdminState(value, false, override, passing);
    }

    /** What an administrator has unbound for longer stays so. */
    AdminState unboundForNow() {
        return unbound ? this : new AdminState(true, true, override, passing);
    }

    /** An administrator's word ends what was allowed for now. */
    AdminState withOverride(DriverChoice value) {
        return new AdminState(unbound, forNow, value, null);
    }

    AdminState withPassing(DriverChoice value) {
        return new AdminState(unbound, forNow, override, value);
    }
}
