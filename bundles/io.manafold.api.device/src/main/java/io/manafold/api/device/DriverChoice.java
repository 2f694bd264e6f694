package io.manafold.api.device;

import java.util.Objects;

/**
 * A driver by name and perhaps version, as an administrator chooses it.
 *
 * @param version the version, or {@code null} for the newest there is; one without a qualifier, as {@code 1.0.0}, means
 *        the newest build of that version, and one with a qualifier exactly that build
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
