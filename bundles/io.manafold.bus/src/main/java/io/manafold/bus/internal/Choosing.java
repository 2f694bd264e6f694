package io.manafold.bus.internal;

import io.manafold.api.device.DriverChoice;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Which driver a device should have. Decides, and changes nothing. */
final class Choosing {
    private Choosing() {
    }

    /**
     * The driver for a device that may be driven, or {@code null} if none here will do.
     *
     * @param override the only driver allowed, whatever its id table says, or {@code null}
     */
    static DriverNode best(DeviceNode device, Collection<DriverNode> drivers, DriverChoice override) {
        if (device.ordered != null && !device.ordered.leaving) {
            // an order under way is about one build, and is refused without it
            return device.refused.containsKey(device.ordered.serviceId) ? null : device.ordered;
        }
        if (override != null) {
            return newest(drivers.stream().filter(driver -> driver.usable() && driver.is(override)
                    && !device.refused.containsKey(driver.serviceId)).toList());
        }
        List<DriverNode> candidates = drivers.stream().filter(driver -> driver.usable() && driver.claims(device)
                && !device.refused.containsKey(driver.serviceId)).toList();
        if (device.choice != null) {
            DriverNode chosen = newest(candidates.stream().filter(driver -> driver.is(device.choice)).toList());
            if (chosen != null) {
                return chosen;
            }
        }
        if (device.bound != null && candidates.contains(device.bound)) {
            // the driver at work stays; only a newer version of the same driver takes over unasked
            return newest(candidates.stream().filter(driver -> driver.name.equals(device.bound.name)).toList());
        }
        return candidates.stream().max(Comparator
                .comparingInt((DriverNode driver) -> driver.ranking)
                .thenComparingInt(driver -> driver.claim(device))
                .thenComparing(driver -> driver.version)
                .thenComparing(driver -> -driver.serviceId)).orElse(null);
    }

    /**
     * The driver that an administrator's choice names, whatever its id table says: the newest build of it.
     *
     * @param override the only driver allowed, or {@code null}
     */
    static DriverNode named(Collection<DriverNode> drivers, DriverChoice choice, DriverChoice override) {
        return newest(drivers.stream().filter(driver -> driver.usable() && driver.is(choice)
                && (override == null || driver.is(override))).toList());
    }

    /** Other drivers that claim the device, for the sentence that says so. */
    static List<DriverNode> rivals(DeviceNode device, Collection<DriverNode> drivers) {
        return drivers.stream().filter(driver -> driver.usable() && device.bound != null
                && !driver.name.equals(device.bound.name) && driver.claims(device)).toList();
    }

    private static DriverNode newest(List<DriverNode> drivers) {
        return drivers.stream().max(Comparator.comparing((DriverNode driver) -> driver.version)
                .thenComparing(driver -> -driver.serviceId)).orElse(null);
    }
}
