package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.device.PciAddress;
import io.manafold.api.fabric.LinkStatus;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Dictionary;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/** A platform on which configurations become adapters, links and exports, as long as nothing is broken. */
final class Workshop implements ConfigurationConsumers {
    final Topology topology = new Topology();
    final Map<String, Map<String, Object>> configurations = new TreeMap<>();
    final Set<String> unserved = new HashSet<>();
    final List<Fakes.Export> exports = new ArrayList<>();
    final List<Fakes.Borrowed> borrowings = new ArrayList<>();
    /** Why nothing comes of the configurations that are written now. */
    Obstacle obstacle;
    private final Map<String, Obstacle> obstacles = new TreeMap<>();
    private final Set<String> leaving = new HashSet<>();
    /** Whether configurations become things, and things go with them. */
    boolean atWork = true;
    /** What the next export, or what is borrowed next, has to complain about. */
    String exportProblem;
    boolean diskFull;
    final Entries entries = new Entries(admin(), this, Duration.ofSeconds(2));

    Workshop() {
        topology.exports = () -> List.copyOf(exports);
        topology.borrowings = () -> List.copyOf(borrowings);
    }

    /** An adapter on the bus, made from a configuration. */
    Fakes.OneAdapter adapter(String name, String address, int ports) {
        Map<String, Object> contents = new TreeMap<>(Map.of("name", name, "address", address, "ports", ports, "queues",
                16, "macs", new String[] {"00:0d:3a:00:00:01"}));
        configurations.put("io.manafold.adapter~" + name, contents);
        return makeAdapter(contents);
    }

    private Fakes.OneAdapter makeAdapter(Map<String, Object> contents) {
        String name = (String) contents.get("name");
        Fakes.OneAdapter adapter = new Fakes.OneAdapter(name, (String) contents.get("address"));
        for (int port = 1; port <= (int) contents.get("ports"); port++) {
            adapter.ports.add(Fakes.Port.of(name + "/" + port, "00:0d:3a:00:00:0" + port));
        }
        topology.adapters = with(topology.adapters, adapter);
        topology.functions = with(topology.functions, Fakes.Function.at((String) contents.get("address")));
        return adapter;
    }

    /** A link, made from a configuration. */
    Fakes.OneLink link(String name, String kind, String... ports) {
        Map<String, Object> contents = new TreeMap<>(Map.of("name", name, "kind", kind, "ports", ports));
        configurations.put("io.manafold.link~" + name, contents);
        return makeLink(contents);
    }

    private Fakes.OneLink makeLink(Map<String, Object> contents) {
        Fakes.OneLink link = new Fakes.OneLink((String) contents.get("name"), (String) contents.get("kind"));
        for (String port : (String[]) contents.get("ports")) {
            link.ports.add(new LinkStatus.PortStatus(port, true, 1, 60, 2, 120, 0));
        }
        topology.links = with(topology.links, link);
        Thread.startVirtualThread(() -> plug(link.name(), List.of((String[]) contents.get("ports"))));
        return link;
    }

    /** Ports come to a link by themselves, a moment later, as on a live platform. */
    private void plug(String link, List<String> ports) {
        try {
            Thread.sleep(30);
        } catch (InterruptedException hurried) {
            throw new IllegalStateException(hurried);
        }
        for (Adapter adapter : topology.adapters) {
            ((Fakes.OneAdapter) adapter).ports.replaceAll(port -> port.link() == null && ports.contains(port.name())
                    ? ((Fakes.Port) port).on(link) : port);
        }
    }

    private static <T> List<T> with(List<T> some, T another) {
        List<T> more = new ArrayList<>(some);
        more.add(another);
        return more;
    }

    private void updated(String pid) {
        Map<String, Object> contents = configurations.get(pid);
        obstacles.computeIfAbsent(pid, _ -> obstacle);
        if (!atWork) {
            return;
        }
        switch (pid.substring(0, pid.indexOf('~'))) {
            case "io.manafold.adapter" -> makeAdapter(contents);
            case "io.manafold.link" -> makeLink(contents);
            case "io.manafold.borrow" -> borrowings.add(new Fakes.Borrowed((String) contents.get("name"),
                    Path.of((String) contents.get("socket")),
                    PciAddress.parse((String) contents.getOrDefault("address", "7871:00:00.0")),
                    exportProblem == null, exportProblem == null ? List.of() : List.of(exportProblem)));
            default -> {
                Fakes.Export export = Fakes.Export.of((String) contents.get("adapter"),
                        (String) contents.getOrDefault("socket", "/run/" + contents.get("adapter") + ".sock"));
                exports.add(exportProblem == null ? export : export.broken(exportProblem));
            }
        }
    }

    private void deleted(String pid) {
        String name = pid.substring(pid.indexOf('~') + 1);
        leaving.add(pid);
        if (!atWork) {
            return;
        }
        switch (pid.substring(0, pid.indexOf('~'))) {
            case "io.manafold.adapter" -> topology.adapters = topology.adapters.stream()
                    .filter(adapter -> !adapter.name().equals(name)).toList();
            case "io.manafold.link" -> topology.links = topology.links.stream()
                    .filter(link -> !link.name().equals(name)).toList();
            case "io.manafold.borrow" -> borrowings.removeIf(borrowing -> borrowing.name().equals(name));
            default -> exports.removeIf(export -> export.name().equals(name));
        }
    }

    @Override
    public boolean serves(String factoryPid) {
        return !unserved.contains(factoryPid);
    }

    @Override
    public Optional<Obstacle> obstacle(String factoryPid, String pid) {
        return Optional.ofNullable(obstacles.get(pid));
    }

    /** What is taken away is let go a little later, as on a live platform: after a command has asked once. */
    @Override
    public boolean holds(String factoryPid, String pid) {
        if (leaving.remove(pid)) {
            return true;
        }
        if (!configurations.containsKey(pid)) {
            obstacles.remove(pid);
        }
        return configurations.containsKey(pid);
    }

    private ConfigurationAdmin admin() {
        return fake(ConfigurationAdmin.class, (method, arguments) -> switch (method) {
            case "getFactoryConfiguration" -> configuration(arguments[0] + "~" + arguments[1]);
            case "listConfigurations" -> {
                String factory = ((String) arguments[0]).replaceAll(".*=(.*)\\)", "$1") + "~";
                yield configurations.keySet().stream().filter(pid -> pid.startsWith(factory))
                        .map(this::configuration).toArray(Configuration[]::new);
            }
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private Configuration configuration(String pid) {
        return fake(Configuration.class, (method, arguments) -> {
            switch (method) {
                case "getPid":
                    return pid;
                case "getProperties":
                    return new Hashtable<>(configurations.get(pid));
                case "update":
                    if (diskFull) {
                        throw new IOException("the disk is full");
                    }
                    Map<String, Object> contents = new TreeMap<>();
                    Dictionary<?, ?> properties = (Dictionary<?, ?>) arguments[0];
                    Collections.list(properties.keys())
                            .forEach(key -> contents.put((String) key, properties.get(key)));
                    configurations.put(pid, contents);
                    updated(pid);
                    return null;
                case "delete":
                    configurations.remove(pid);
                    deleted(pid);
                    return null;
                default:
                    throw new UnsupportedOperationException(method);
            }
        });
    }

    private interface Answering {
        Object answer(String method, Object[] arguments) throws Exception;
    }

    /** The few methods of a large interface that are used. */
    private static <T> T fake(Class<T> type, Answering answering) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (_, method, arguments) -> answering.answer(method.getName(), arguments)));
    }

    static String path(String file) {
        return Path.of(file).toAbsolutePath().normalize().toString();
    }
}
