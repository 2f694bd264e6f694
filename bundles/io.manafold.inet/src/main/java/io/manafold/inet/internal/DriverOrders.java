package io.manafold.inet.internal;

import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that functions are driven by the drivers that labs name for them. What a lab names holds as long as that
 * lab lists it: it is no setting of an administrator's, and takes the place of none. One thread gives orders.
 */
final class DriverOrders {
    private static final Logger LOG = LoggerFactory.getLogger(DriverOrders.class);

    /**
     * What a lab wants.
     *
     * @param driver a name, perhaps with a version behind a space
     */
    record Order(String function, String driver) {
        DriverChoice choice() {
            int divide = driver.indexOf(' ');
            return divide < 0 ? new DriverChoice(driver, null)
                    : new DriverChoice(driver.substring(0, divide), driver.substring(divide + 1).strip());
        }
    }

    /**
     * @param builds of the driver: another one may take what these did not
     * @param state of the device; what an administrator has said of it since counts more than the order
     */
    private record Refused(List<String> builds, String state) {
    }

    private final Map<String, Order> given = new HashMap<>();
    /** Of these, those that were carried out or refused. */
    private final Map<String, Order> answered = new ConcurrentHashMap<>();
    /** By function, what there was when an order was refused. */
    private final Map<String, Refused> refusedWith = new HashMap<>();
    /** Who was given them: another core knows of none. */
    private DriverCore last;

    /** Gives orders that are new, and takes back those that are wanted no more. */
    void look(DriverCore core, List<Order> wanted) throws InterruptedException {
        if (core != last) {
            given.clear();
            answered.clear();
            refusedWith.clear();
            last = core;
        }
        Map<String, Order> byFunction = new LinkedHashMap<>();
        wanted.forEach(order -> byFunction.putIfAbsent(order.function(), order));
        for (Order order : List.copyOf(given.values())) {
            if (!byFunction.containsKey(order.function())) {
                given.remove(order.function());
                answered.remove(order.function());
                refusedWith.remove(order.function());
                order(core, order.function(), null);
            }
        }
        for (Order order : byFunction.values()) {
            List<String> builds = builds(core, order.choice().name());
            if ((!order.equals(given.get(order.function())) || isOrderedAgain(core, order, builds))
                    && isKnown(core, order)) {
                given.put(order.function(), order);
                refusedWith.remove(order.function());
                if (!order(core, order.function(), order.choice())) {
                    refusedWith.put(order.function(), new Refused(builds, state(core, order.function())));
                }
                answered.put(order.function(), order);
            }
        }
    }

    /** Whether there is a build that has not refused it, and the device is as it was left. */
    private boolean isOrderedAgain(DriverCore core, Order order, List<String> builds) {
        Refused refused = refusedWith.get(order.function());
        return refused != null && !refused.builds().containsAll(builds)
                && refused.state().equals(state(core, order.function()));
    }

    private static String state(DriverCore core, String function) {
        return core.devices().stream().filter(device -> device.id().equals(function)).findFirst()
                .map(device -> device.override() + " " + device.driver()).orElse("");
    }

    /** Whether an order can be given and has not been carried out yet; any thread. */
    boolean isAwaited(DriverCore core, Order order) {
        return !order.equals(answered.get(order.function())) && isKnown(core, order);
    }

    /** The core hears of functions and drivers as we do, perhaps a moment later. */
    private static boolean isKnown(DriverCore core, Order order) {
        return core.devices().stream().anyMatch(device -> device.id().equals(order.function()))
                && core.drivers().stream().anyMatch(driver -> driver.name().equals(order.choice().name()));
    }

    private static List<String> builds(DriverCore core, String driver) {
        return core.drivers().stream().filter(one -> one.name().equals(driver))
                .map(one -> one.bundle() + " " + one.version()).sorted().toList();
    }

    /** Whether it has been carried out, or will be by the core itself once what it waits for is there. */
    private static boolean order(DriverCore core, String function, DriverChoice choice) throws InterruptedException {
        try {
            core.overrideForNow(function, choice);
            return true;
        } catch (Refusal refused) {
            if (choice != null || refused.errno() != Errno.ENODEV) {
                LOG.warn("{}", refused.getMessage());
            }
            return refused.errno() == Errno.EAGAIN;
        }
    }
}
