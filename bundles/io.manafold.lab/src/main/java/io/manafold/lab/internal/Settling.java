package io.manafold.lab.internal;

import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.DriverStatus;
import io.manafold.api.lab.Labs;
import io.manafold.lab.internal.ConfigurationConsumers.Obstacle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Waits until what a lab lists is there and driven. */
final class Settling {
    /** Between arriving and being at work there is no event to wait for. */
    private static final long GLANCE = TimeUnit.MILLISECONDS.toNanos(50);

    private final Arrivals arrivals;
    private final ConfigurationConsumers consumers;
    private final long end;

    Settling(Arrivals arrivals, ConfigurationConsumers consumers, Duration limit) {
        this.arrivals = arrivals;
        this.consumers = consumers;
        this.end = System.nanoTime() + limit.toNanos();
    }

    /**
     * @param held the configurations whose entries are waited for
     * @param core {@code null} if the platform has none
     * @return what is missing, in sentences
     */
    List<String> await(SortedMap<String, Map<String, Object>> held, DriverCore core) throws InterruptedException {
        List<String> missing = new ArrayList<>(awaitEntries(held));
        if (core == null) {
            missing.add("There is no driver core on this platform, so no device has a driver: its bundle "
                    + "io.manafold.bus is missing or stopped. 'lb' lists the bundles, 'start' starts one.");
            return missing;
        }
        if (!core.settle(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
            missing.add("The driver core is still at work; see devices for what it is trying.");
        }
        List<DriverStatus> drivers = core.drivers();
        for (DeviceStatus device : core.devices()) {
            if (device.state() != DeviceState.BOUND && isExpected(device, drivers)) {
                missing.add("The device " + device.id() + " is not bound"
                        + device.reason().map(reason -> ": " + reason).orElse(", although a driver for it is there."));
            }
        }
        return missing;
    }

    /**
     * @param held the configurations whose entries stay
     * @param core {@code null} if the platform has none
     * @return what has not gone, in sentences
     */
    List<String> awaitGone(SortedMap<String, Map<String, Object>> held, DriverCore core) throws InterruptedException {
        Semaphore changes = new Semaphore(0);
        try (Arrivals.Watch _ = arrivals.watch(changes::release)) {
            while (true) {
                changes.drainPermits();
                Set<String> there = new TreeSet<>(arrivals.arrived());
                there.addAll(arrivals.leaving());
                List<String> lingering = lingering(held, there);
                long left = end - System.nanoTime();
                if (lingering.isEmpty()) {
                    return core == null || core.settle(Duration.ofNanos(Math.max(0, left))) ? List.of()
                            : List.of("The driver core is still at work; see devices for what it is trying.");
                }
                if (left <= 0) {
                    return lingering;
                }
                changes.tryAcquire(Math.min(left, GLANCE), TimeUnit.NANOSECONDS);
            }
        }
    }

    /** What has not arrived, or not gone, when the limit has passed or waiting longer would not help. */
    private List<String> awaitEntries(SortedMap<String, Map<String, Object>> held) throws InterruptedException {
        Semaphore changes = new Semaphore(0);
        boolean quiet = false;
        try (Arrivals.Watch _ = arrivals.watch(changes::release)) {
            while (true) {
                changes.drainPermits();
                Set<String> arrived = arrivals.arrived();
                SortedMap<String, Map<String, Object>> away = new TreeMap<>(held);
                away.values().removeIf(properties -> arrived.contains(String.valueOf(properties.get(Labs.ENTRY))));
                long left = end - System.nanoTime();
                if (away.isEmpty() || quiet || left <= 0) {
                    Map<String, Obstacle> obstacles = consumers.obstacles(held);
                    List<String> lingering = lingering(held, arrived);
                    Set<String> missing = new TreeSet<>(obstacles.keySet());
                    missing.addAll(away.keySet());
                    boolean hopeless = obstacles.keySet().containsAll(missing)
                            && obstacles.values().stream().allMatch(Obstacle::lasting);
                    if (left <= 0 || hopeless && lingering.isEmpty()) {
                        return Stream.concat(missing.stream()
                                .map(pid -> missing(pid, held.get(pid), obstacles.get(pid))),
                                lingering.stream()).toList();
                    }
                }
                // as long as one after the other arrives there is no need to ask why others have not
                quiet = !changes.tryAcquire(Math.min(left, GLANCE), TimeUnit.NANOSECONDS);
            }
        }
    }

    /** What was made from entries that are no longer listed. */
    private static List<String> lingering(SortedMap<String, Map<String, Object>> held, Set<String> arrived) {
        Set<String> gone = new TreeSet<>(arrived);
        held.values().forEach(properties -> gone.remove(String.valueOf(properties.get(Labs.ENTRY))));
        return gone.stream().map(entry -> Words.clean(entry, 200)
                + " is still there, although no lab lists it any more; see log.").toList();
    }

    private static String missing(String pid, Map<String, Object> properties, Obstacle obstacle) {
        return properties.get(Labs.ENTRY) + " of lab " + properties.get(Labs.LAB) + " has not arrived: "
                + (obstacle == null ? "nothing has come of its configuration " + pid + " yet; see log"
                        : obstacle.clause()) + ".";
    }

    /** Whether a driver ought to be on the device: not where an administrator wants none, nor where none fits. */
    private static boolean isExpected(DeviceStatus device, List<DriverStatus> drivers) {
        if (device.unboundByHand()) {
            return false;
        }
        return device.override().isPresent()
                || drivers.stream().flatMap(driver -> driver.idTable().stream())
                        .anyMatch(match -> match.matches(device.device()));
    }
}
