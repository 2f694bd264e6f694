package io.manafold.pmd.internal.words;

import java.util.Map;
import java.util.Set;

/**
 * Which synthetic devices are taken.
 *
 * @param allowed those that were named; empty for all that are not blocked
 * @param probesAll whether devices are taken that were not named
 */
public record SyntheticOptions(Map<String, SyntheticArgument> allowed, Set<String> blocked, boolean probesAll) {
    /** What a device is probed with, or {@code null} if it is not. */
    public SyntheticArgument argument(String instance) {
        SyntheticArgument named = allowed.get(instance);
        return named != null || !allowed.isEmpty() || !probesAll || blocked.contains(instance) ? named
                : new SyntheticArgument(instance, "");
    }

    /** Whether it is taken although the network stack still has it. */
    public boolean isNamed(String instance) {
        return allowed.containsKey(instance);
    }
}
