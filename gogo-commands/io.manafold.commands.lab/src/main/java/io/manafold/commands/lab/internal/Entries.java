package io.manafold.commands.lab.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Missing;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * The configurations from which adapters, links, exports and borrowed functions are made, by hand, by a lab or by a
 * command. An order is carried out when something has come of it: what cannot come is taken back and explained.
 */
@Component(service = Entries.class)
public final class Entries {
    private static final String ANY_BUNDLE = "?";
    private static final String NAME = "name";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** Between a configuration and what comes of it there is no event that tells of failure, too. */
    private static final long GLANCE_MILLIS = 10;

    private final ConfigurationAdmin admin;
    private final ConfigurationConsumers consumers;
    private final Duration patience;

    /** What can be made by a configuration. */
    enum Kind {
        ADAPTER("adapter", "io.manafold.adapter", "io.manafold.adapter"),
        LINK("link", "io.manafold.link", "io.manafold.fabric"),
        EXPORT("export", "io.manafold.export", "io.manafold.vfio"),
        BORROW("borrowed function", "io.manafold.borrow", "io.manafold.vfio");

        final String word;
        final String factoryPid;
        final String bundle;

        Kind(String word, String factoryPid, String bundle) {
            this.word = word;
            this.factoryPid = factoryPid;
            this.bundle = bundle;
        }
    }

    @Activate
    public Entries(@Reference ConfigurationAdmin admin, @Reference ConfigurationConsumers consumers) {
        this(admin, consumers, PATIENCE);
    }

    Entries(ConfigurationAdmin admin, ConfigurationConsumers consumers, Duration patience) {
        this.admin = admin;
        this.consumers = consumers;
        this.patience = patience;
    }

    /** What each configuration of a kind says, by the name it says. */
    SortedMap<String, Map<String, Object>> contents(Kind kind) {
        SortedMap<String, Map<String, Object>> contents = new TreeMap<>();
        for (Configuration configuration : configurations(kind)) {
            contents.put(nameOf(configuration), properties(configuration));
        }
        return contents;
    }

    /**
     * Makes something and waits until it is there.
     *
     * @param problems what is wrong with it as far as it says so itself, for when it does not come
     */
    void add(Kind kind, String name, Map<String, Object> contents, BooleanSupplier isThere,
            Supplier<List<String>> problems) throws InterruptedException {
        if (!consumers.serves(kind.factoryPid)) {
            throw Missing.service("maker of " + kind.word + "s", kind.bundle);
        }
        if (isThere.getAsBoolean() || contents(kind).containsKey(name)) {
            throw new Refusal(Errno.EEXIST, "There is a" + (kind == Kind.LINK || kind == Kind.BORROW ? " " : "n ")
                    + kind.word + " '" + name
                    + "' already; choose another name, or remove that one first.");
        }
        Configuration made = write(kind, name, contents);
        String pid = made.getPid();
        try {
            awaitMade(kind, name, pid, isThere, problems);
        } catch (Refusal | InterruptedException e) {
            takeBack(kind, name, pid, made);
            throw e;
        }
    }

    private void awaitMade(Kind kind, String name, String pid, BooleanSupplier isThere,
            Supplier<List<String>> problems) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (!isThere.getAsBoolean()) {
            ConfigurationConsumers.Obstacle obstacle = consumers.obstacle(kind.factoryPid, pid).orElse(null);
            if (obstacle != null && obstacle.lasting()) {
                throw new Refusal(Errno.EIO, capital(kind) + " '" + name + "' could not be made: " + obstacle.clause()
                        + ". Nothing was changed.");
            }
            if (System.nanoTime() - end >= 0) {
                List<String> reasons = new ArrayList<>(problems.get());
                if (obstacle != null) {
                    reasons.add(obstacle.clause());
                }
                throw new Refusal(Errno.ETIMEDOUT, capital(kind) + " '" + name + "' was not ready after "
                        + patience.toSeconds() + " s and was taken back: "
                        + (reasons.isEmpty() ? "nothing says why, but 'log' may." : String.join("; ", reasons)
                                .replaceFirst("[.]?$", ".")));
            }
            TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
        }
    }

    /** Waits for something that is on its way, as long as for what is made here; returns whether it has come. */
    boolean await(BooleanSupplier hasCome) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (!hasCome.getAsBoolean() && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
        }
        return hasCome.getAsBoolean();
    }

    /** Takes something away and waits until it has gone. */
    void remove(Kind kind, String name, BooleanSupplier isThere) throws InterruptedException {
        Configuration configuration = configurations(kind).stream()
                .filter(candidate -> nameOf(candidate).equals(name)).findFirst().orElse(null);
        if (configuration == null) {
            throw isThere.getAsBoolean()
                    ? new Refusal(Errno.EPERM, capital(kind) + " '" + name + "' was not made by a configuration, so it "
                            + "can only be taken away by the bundle that brought it.")
                    : Topology.absent(Errno.ENODEV, kind.word, name, contents(kind).keySet(), "nothing to remove");
        }
        String pid = configuration.getPid();
        delete(kind, name, configuration);
        long end = System.nanoTime() + patience.toNanos();
        while (isThere.getAsBoolean() || consumers.holds(kind.factoryPid, pid)) {
            if (System.nanoTime() - end >= 0) {
                throw new Refusal(Errno.ETIMEDOUT, capital(kind) + " '" + name + "' is still there "
                        + patience.toSeconds() + " s after its configuration was taken away; 'log' may say why.");
            }
            TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
        }
    }

    /** Waits as well until its failure is forgotten: the next try would be taken for it. */
    private void takeBack(Kind kind, String name, String pid, Configuration configuration)
            throws InterruptedException {
        delete(kind, name, configuration);
        long end = System.nanoTime() + patience.toNanos();
        while (consumers.holds(kind.factoryPid, pid) && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
        }
    }

    private static String capital(Kind kind) {
        return switch (kind) {
            case ADAPTER -> "Adapter";
            case LINK -> "Link";
            case EXPORT -> "Export";
            case BORROW -> "Borrowed function";
        };
    }

    private List<Configuration> configurations(Kind kind) {
        try {
            Configuration[] found = admin.listConfigurations(
                    "(" + ConfigurationAdmin.SERVICE_FACTORYPID + "=" + kind.factoryPid + ")");
            return found == null ? List.of() : List.of(found);
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new Refusal(Errno.EIO, "The platform's configurations cannot be read: " + e.getMessage() + ".", e);
        }
    }

    private static String nameOf(Configuration configuration) {
        Object name = properties(configuration).get(NAME);
        return name == null ? configuration.getPid().substring(configuration.getPid().indexOf('~') + 1)
                : String.valueOf(name);
    }

    private static Map<String, Object> properties(Configuration configuration) {
        Map<String, Object> properties = new TreeMap<>();
        try {
            Dictionary<String, Object> held = configuration.getProperties();
            if (held != null) {
                Collections.list(held.keys()).forEach(key -> properties.put(key, held.get(key)));
            }
        } catch (IllegalStateException e) {
            // another command has deleted it since it was listed
        }
        return properties;
    }

    private Configuration write(Kind kind, String name, Map<String, Object> contents) {
        try {
            Configuration configuration = admin.getFactoryConfiguration(kind.factoryPid, name, ANY_BUNDLE);
            Hashtable<String, Object> properties = new Hashtable<>(contents);
            properties.put(NAME, name);
            configuration.update(properties);
            return configuration;
        } catch (IOException e) {
            throw new Refusal(Errno.EIO, "The configuration of " + kind.word + " '" + name + "' cannot be written: "
                    + e.getMessage() + ".", e);
        }
    }

    private static void delete(Kind kind, String name, Configuration configuration) {
        try {
            configuration.delete();
        } catch (IllegalStateException e) {
            // another command was quicker
        } catch (IOException e) {
            throw new Refusal(Errno.EIO, "The configuration of " + kind.word + " '" + name
                    + "' cannot be taken away: " + e.getMessage() + ".", e);
        }
    }
}
