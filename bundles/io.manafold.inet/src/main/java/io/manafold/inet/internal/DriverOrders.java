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

    private final Map<String, Order> given = new HashMap<>();
    /** Of these, those that were carried out or refused. */
    private final Map<String, Order> answered = new ConcurrentHashMap<>();
    /** Who was given them: another core knows of none. */
    private DriverCore last;

    /** Gives orders that are new, and takes back those that are wanted no more. */
    void look(DriverCore core, List<Order> wanted) throws InterruptedException {
        if (core != last) {
            given.clear();
            answered.clear();
            last = core;
        }
        Map<String, Order> byFunction = new LinkedHashMap<>();
        wanted.forEach(order -> byFunction.putIfAbsent(order.function(), order));
        for (Order order : List.copyOf(given.values())) {
            if (!byFunction.containsKey(order.function())) {
                given.remove(order.function());
                answered.remove(order.function());
                order(core, order.function(), null);
            }
        }
        for (Order order : byFunction.values()) {
            if (!order.equals(given.get(order.function())) && isKnown(core, order)) {
                given.put(order.function(), order);
                order(core, order.function(), order.choice());
                answered.put(order.function(), order);
            }
        }
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

    private static void order(DriverCore core, String function, DriverChoice choice) throws InterruptedException {
        try {
            core.overrideForNow(function, choice);
        } catch (Refusal refused) {
            if (choice != null || refused.errno() != Errno.ENODEV) {
                LOG.warn("{}", refused.getMessage());
            }
        }
    }
}
