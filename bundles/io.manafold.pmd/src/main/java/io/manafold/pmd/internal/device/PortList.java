package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.net.MacAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/**
 * The ports of an environment by their numbers, as services, and the names of those that it had and misses.
 *
 * <p>Its lock guards all that it has. A port gets its number and its service under the lock, so that it has either both
 * or none; its service goes without the lock. Ports over pairs are known without the lock besides, for threads that
 * must not wait. Nothing is asked of a port while the lock is held, but what it is.
 */
@Capability(namespace = "osgi.service", uses = EthDev.class,
        attribute = "objectClass:List<String>='io.manafold.api.ethdev.EthDev'")
final class PortList {
    private final BundleContext context;
    private final String environment;
    private final Map<PollDevice, ServiceRegistration<EthDev>> functions = new TreeMap<>(
            Comparator.comparingInt(EthDev::number));
    /** Ports over pairs. */
    private final Map<PairedDevice, ServiceRegistration<EthDev>> paired = new TreeMap<>(
            Comparator.comparingInt(EthDev::number));
    /** The same for threads without the lock. */
    private volatile List<PairedDevice> pairedNow = List.of();
    /** Names of ports that were removed, which are probed again when their devices come back. */
    private final Set<String> removed = new HashSet<>();
    private int nextNumber;
    private boolean ended;

    /** @param environment its name, which services tell */
    PortList(BundleContext context, String environment) {
        this.context = context;
        this.environment = environment;
    }

    // ---- ports come

    /**
     * Has a port of a function.
     *
     * @param lowest whether it gets the lowest number that is free, rather than one that no port has had yet
     * @param made makes it by its number
     * @return {@code null} if no port comes any more
     */
    synchronized PollDevice add(MacAddress mac, boolean lowest, IntFunction<PollDevice> made) {
        if (ended) {
            return null;
        }
        // a port that another one owns comes back again and again
        boolean reuses = lowest || !owner(mac).isEmpty();
        PollDevice port = made.apply(reuses ? free() : nextNumber);
        nextNumber = Math.max(nextNumber, port.number() + 1);
        functions.put(port, register(port, port.facts().address(), port.facts().port(), port.facts().mac()));
        removed.remove(port.name());
        return port;
    }

    /**
     * Has a port over a pair, by the lowest number that is free.
     *
     * @param made makes it by its number
     * @return {@code null} if no port comes any more
     */
    synchronized PairedDevice add(IntFunction<PairedDevice> made) {
        if (ended) {
            return null;
        }
        PairedDevice port = made.apply(free());
        nextNumber = Math.max(nextNumber, port.number() + 1);
        removed.remove(port.name());
        paired.put(port, register(port, port.info().address(), 1, port.mac()));
        pairedNow = List.copyOf(paired.keySet());
        return port;
    }

    private int free() {
        int number = 0;
        while (isUsed(number)) {
            number++;
        }
        return number;
    }

    private boolean isUsed(int number) {
        return functions.keySet().stream().anyMatch(port -> port.number() == number)
                || paired.keySet().stream().anyMatch(port -> port.number() == number);
    }

    private ServiceRegistration<EthDev> register(EthDev port, String address, int part, MacAddress mac) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("name", port.name());
        properties.put("address", address);
        properties.put("port", part);
        properties.put("mac", mac.toString());
        properties.put("environment", environment);
        return context.registerService(EthDev.class, port, properties);
    }

    // ---- ports go

    /** @param then done before its service goes, if it was here */
    void remove(PollDevice port, Runnable then) {
        ServiceRegistration<EthDev> registration;
        synchronized (this) {
            registration = functions.remove(port);
        }
        if (registration != null) {
            then.run();
        }
        unregister(registration);
    }

    void remove(PairedDevice port) {
        ServiceRegistration<EthDev> registration;
        synchronized (this) {
            registration = paired.remove(port);
            pairedNow = List.copyOf(paired.keySet());
        }
        unregister(registration);
    }

    private static void unregister(ServiceRegistration<EthDev> registration) {
        if (registration != null) {
            try {
                registration.unregister();
            } catch (IllegalStateException gone) {
                // the framework was faster
            }
        }
    }

    /** A port of that name is removed, and missed from now on. */
    synchronized void miss(String name) {
        removed.add(name);
    }

    /** No port comes any more. Returns {@code false} if that was so already. */
    synchronized boolean end() {
        boolean isNew = !ended;
        ended = true;
        return isNew;
    }

    // ---- which there are

    /** Whether no port comes any more. */
    synchronized boolean isEnded() {
        return ended;
    }

    /** Whether it had a port of that name, which was removed. */
    synchronized boolean misses(String name) {
        return !ended && removed.contains(name);
    }

    synchronized boolean has(String name) {
        return functions.keySet().stream().anyMatch(port -> port.name().equals(name))
                || paired.keySet().stream().anyMatch(port -> port.name().equals(name));
    }

    synchronized List<EthDev> all() {
        List<EthDev> all = new ArrayList<>(functions.keySet());
        all.addAll(paired.keySet());
        all.sort(Comparator.comparingInt(EthDev::number));
        return List.copyOf(all);
    }

    /** Those of functions. */
    synchronized List<PollDevice> functions() {
        return List.copyOf(functions.keySet());
    }

    /** The port of a function that has an address, or {@code null}. */
    synchronized PollDevice function(MacAddress mac) {
        return functions.keySet().stream().filter(port -> port.facts().mac().equals(mac)).findFirst().orElse(null);
    }

    /** Those over pairs; takes no lock. */
    List<PairedDevice> overPairs() {
        return pairedNow;
    }

    /** The port that has those of an address below it, or {@code null}; takes no lock. */
    PairedDevice above(MacAddress mac) {
        return pairedNow.stream().filter(port -> port.mac().equals(mac)).findFirst().orElse(null);
    }

    /** Name of the port that has those of an address below it, empty if none has; takes no lock. */
    String owner(MacAddress mac) {
        PairedDevice above = above(mac);
        return above == null ? "" : above.name();
    }
}
