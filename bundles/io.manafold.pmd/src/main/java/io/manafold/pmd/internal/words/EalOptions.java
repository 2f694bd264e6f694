package io.manafold.pmd.internal.words;

import io.manafold.api.device.PciAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * What the words of an environment say.
 *
 * @param cores which core may use which processors
 * @param bound whether threads of cores are bound to those
 * @param allowed functions that are probed; empty for all that are not blocked
 * @param hasFunctions whether the bus of functions is looked at
 * @param probesAll whether functions are probed that were not named
 * @param check whether mistakes with packets are looked for
 * @param telemetry whether it answers questions at a socket
 * @param levels of what is logged
 * @param alone whether it shares no name with others
 * @param role whether it is a primary or attaches to one
 * @param consumed how many words were taken, {@code --} included
 * @param notes sentences for people
 * @param synthetic which synthetic devices are taken
 */
public record EalOptions(SortedMap<Integer, TreeSet<Integer>> cores, boolean bound, int mainCore,
        Map<PciAddress, DeviceArgument> allowed, Set<PciAddress> blocked, boolean hasFunctions, boolean probesAll,
        String prefix, boolean alone, boolean dryRun, boolean check, boolean runToCompletion, boolean telemetry,
        LogLevels levels, Role role, int consumed, List<String> notes, SyntheticOptions synthetic) {
    /** What it is to others of its prefix. */
    public enum Role {
        PRIMARY,
        SECONDARY,
        /** A secondary if there is a primary, and one otherwise. */
        EITHER
    }

    /** What a function is probed with, or {@code null} if it is not. */
    public DeviceArgument argument(PciAddress address) {
        if (!hasFunctions) {
            return null;
        }
        DeviceArgument named = allowed.get(address);
        return named != null || !allowed.isEmpty() || !probesAll || blocked.contains(address) ? named
                : DeviceArgument.all(address);
    }

    /** Processors that the thread of a core is bound to; empty if it may be on any. */
    public Set<Integer> processors(int core) {
        return bound ? cores.getOrDefault(core, new TreeSet<>()) : Set.of();
    }
}
