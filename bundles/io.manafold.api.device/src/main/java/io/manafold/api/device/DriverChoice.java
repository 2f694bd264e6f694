package io.manafold.api.device;

import java.util.Objects;

/**
 * A driver by name and perhaps version, as an administrator chooses it.
 *
 * @param version the exact version, or {@code null} for the newest there is
 */
public record DriverChoice(String name, String version) {
    public DriverChoice {
        Objects.requireNonNull(name);
    }

    /** {@code ethernet 1.0.0}, or the name alone. */
    @Override
    public String toString() {
        return version == null ? name : name + " " + version;
    }
}
