package io.manafold.image.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.Hosts;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.vfio.ExportStatus;
import io.manafold.api.vfio.Exports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/**
 * What an image is booted on: an adapter that is lent to it, one that is driven here, a switch between both, and a host
 * that gives addresses. All of it is made by configurations that bear a mark, and goes with them.
 */
final class BootNetwork implements AutoCloseable {
    private static final String MARK = "io.manafold.image.boot";
    private static final String GUEST = "boot-guest";
    private static final String HERE = "boot-here";
    private static final String DEVICE = "boot0";
    private static final String NAME = "name";
    private static final String ADAPTER_FACTORY = "io.manafold.adapter";
    private static final String EXPORT_FACTORY = "io.manafold.export";
    private static final String DEVICE_FACTORY = "io.manafold.device";
    private static final String LINK_FACTORY = "io.manafold.link";
    private static final String LINK = "boot-net";
    private static final String PORTS = "ports";
    /** Of the block for documentation, so that it is no network of this machine. */
    private static final String OWN = "192.0.2.1/24";
    private static final String GIVEN = "192.0.2.100-192.0.2.109";
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final long GLANCE_MILLIS = 20;

    private final ConfigurationAdmin admin;
    private final Supplier<List<Adapter>> adapters;
    private final Exports exports;
    private final Hosts hosts;

    BootNetwork(ConfigurationAdmin admin, Supplier<List<Adapter>> adapters, Exports exports, Hosts hosts) {
        this.admin = admin;
        this.adapters = adapters;
        this.exports = exports;
        this.hosts = hosts;
    }

    /** Makes it and waits until all of it is there. */
    void open() throws InterruptedException {
        if (adapter(GUEST).isPresent() || adapter(HERE).isPresent()) {
            throw new Refusal(Errno.EEXIST, "An image is booted on adapters called '" + GUEST + "' and '" + HERE
                    + "', and there is one of that name already; remove it first.");
        }
        refuseOthers();
        make(ADAPTER_FACTORY, GUEST, Map.of());
        make(ADAPTER_FACTORY, HERE, Map.of());
        make(LINK_FACTORY, LINK, Map.of(PORTS, new String[] {GUEST + "/1", HERE + "/1"}));
        make(EXPORT_FACTORY, GUEST, Map.of("adapter", GUEST));
        make(DEVICE_FACTORY, DEVICE, Map.of("on", HERE + "/1", "addresses", new String[] {OWN}, "dhcp", GIVEN));
        await("an adapter that is lent to it", () -> adapter(GUEST).isPresent() && isLent());
        await("a network device beside it", () -> hosts.find(DEVICE)
                .filter(host -> host.mode() == Host.Mode.BUILT_IN).isPresent());
    }

    /** Refuses to take over, and then to take away, what a user has made under one of these names. */
    private void refuseOthers() {
        for (String pid : List.of(ADAPTER_FACTORY + "~" + GUEST, ADAPTER_FACTORY + "~" + HERE,
                LINK_FACTORY + "~" + LINK, EXPORT_FACTORY + "~" + GUEST, DEVICE_FACTORY + "~" + DEVICE)) {
            for (Configuration one : listed(admin, "(service.pid=" + pid + ")")) {
                if (one.getProperties() != null && one.getProperties().get(MARK) == null) {
                    throw new Refusal(Errno.EEXIST, "An image is booted with configurations of its own, and '" + pid
                            + "' is there already; remove what it has made, or give that another name.");
                }
            }
        }
    }

    private static List<Configuration> listed(ConfigurationAdmin admin, String filter) {
        try {
            Configuration[] found = admin.listConfigurations(filter);
            return found == null ? List.of() : List.of(found);
        } catch (IOException e) {
            throw new Refusal(Errno.EIO, "What an image is booted on cannot be looked up: " + e.getMessage() + ".", e);
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private void make(String factory, String name, Map<String, Object> more) {
        try {
            Hashtable<String, Object> properties = new Hashtable<>(more);
            properties.put(NAME, name);
            properties.put(MARK, true);
            admin.getFactoryConfiguration(factory, name, "?").update(properties);
        } catch (IOException e) {
            throw new Refusal(Errno.EIO, "What the image is booted on cannot be made: " + e.getMessage() + ".", e);
        }
    }

    /** Takes the link away from the port that is lent. */
    void unplug() throws InterruptedException {
        make(LINK_FACTORY, LINK, Map.of(PORTS, new String[] {HERE + "/1"}));
        await("a port without its link", () -> adapter().ports().getFirst().link() == null);
    }

    /** Gives it back. */
    void plug() throws InterruptedException {
        make(LINK_FACTORY, LINK, Map.of(PORTS, new String[] {GUEST + "/1", HERE + "/1"}));
        await("its link", () -> adapter().ports().getFirst().link() != null
                && adapter(HERE).map(one -> one.ports().getFirst().link() != null).orElse(false));
    }

    private static void await(String what, BooleanSupplier isThere) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!isThere.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new Refusal(Errno.ETIMEDOUT, "The image cannot be booted: it needs " + what + ", and that was "
                        + "not there after "
                        + PATIENCE_NANOS / 1_000_000_000L + " s; 'drivers' and 'log' may say why.");
            }
            Thread.sleep(GLANCE_MILLIS);
        }
    }

    private Optional<Adapter> adapter(String name) {
        return adapters.get().stream().filter(one -> one.name().equals(name)).findFirst();
    }

    /** The one that is lent. */
    Adapter adapter() {
        return adapter(GUEST).orElseThrow(() -> new Refusal(Errno.ENODEV, "The adapter '" + GUEST
                + "', on which the image was booted, has gone."));
    }

    ExportStatus export() {
        return exports.list().stream().filter(one -> one.name().equals(GUEST)).findFirst()
                .orElseThrow(() -> new Refusal(Errno.ENODEV, "The adapter '" + GUEST + "' is not lent any more."));
    }

    /** Whether a machine can connect. */
    boolean isLent() {
        return exports.list().stream().anyMatch(one -> one.name().equals(GUEST) && one.listening()
                && !one.connected());
    }

    /** Here. */
    Host host() {
        return hosts.find(DEVICE).orElseThrow(() -> new Refusal(Errno.ENODEV, "The network device '" + DEVICE
                + "' has gone."));
    }

    @Override
    public void close() {
        clear(admin);
    }

    /** Takes away what was made, by this one or by one whose platform was ended meanwhile. */
    static void clear(ConfigurationAdmin admin) {
        boolean interrupted = Thread.interrupted();
        try {
            List<Configuration> all = new ArrayList<>(listed(admin, "(" + MARK + "=true)"));
            // what uses an adapter goes before it
            all.sort((one, other) -> other.getFactoryPid().compareTo(one.getFactoryPid()));
            for (Configuration one : all) {
                one.delete();
            }
        } catch (IOException | IllegalStateException e) {
            throw new Refusal(Errno.EIO, "What an image was booted on cannot be taken away: " + e.getMessage() + ".",
                    e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
