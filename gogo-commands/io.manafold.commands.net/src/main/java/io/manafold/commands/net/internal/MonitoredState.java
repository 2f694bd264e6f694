package io.manafold.commands.net.internal;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.HostAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.shell.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What {@code ip monitor} watches, as it is at one moment. */
final class MonitoredState {
    /** Without what changes by itself all the time. */
    private static final IpOptions PLAIN = new IpOptions(0, false, false, false, false, false, IpOptions.Stamps.NONE);

    private final SequencedMap<String, Entry> entries = new LinkedHashMap<>();

    /** What can be watched, in the order in which it is told of; each by its word and its label. */
    enum Kind {
        LINK("link", "LINK"),
        ADDRESS("address", "ADDR"),
        ROUTE("route", "ROUTE"),
        NEIGHBOUR("neigh", "NEIGH");

        final String word;
        final String label;

        Kind(String word, String label) {
            this.word = word;
            this.label = label;
        }
    }

    /**
     * One thing that is there.
     *
     * @param lines as people read it
     * @param fields as programs do, made when they are wanted
     */
    record Entry(Kind kind, List<String> lines, Supplier<Fields> fields) {
    }

    /** An entry that has come or changed, or one that has gone. */
    record Change(Entry entry, boolean deleted) {
    }

    /** @param device the one that is watched, {@code null} for all of them */
    static MonitoredState of(Network network, IpOptions options, Set<Kind> kinds, String device) {
        MonitoredState state = new MonitoredState();
        for (NetDevice one : network.devices()) {
            if (device == null || one.name().equals(device)) {
                state.take(network, options, kinds, one);
            }
        }
        for (Host host : network.hosts()) {
            if (device == null || host.device().equals(device)) {
                state.take(options, kinds, host);
            }
        }
        return state;
    }

    private void take(Network network, IpOptions options, Set<Kind> kinds, NetDevice device) {
        if (kinds.contains(Kind.LINK)) {
            add(device.name(), new Entry(Kind.LINK, LinkView.told(device), () -> LinkView.toldFields(device)));
        }
        if (kinds.contains(Kind.ADDRESS)) {
            for (HostAddress address : network.addresses(device.name())) {
                if (options.wants(address.prefix().address().version())) {
                    add(device.name() + " " + address.prefix(), new Entry(Kind.ADDRESS,
                            IpAddresses.lines(device, address, true), () -> addressFields(device, address)));
                }
            }
        }
    }

    private static Fields addressFields(NetDevice device, HostAddress address) {
        return Fields.of("index", device.index()).and("dev", device.name()).and("addr_info",
                List.of(IpAddresses.info(device, PLAIN, address)));
    }

    private void take(IpOptions options, Set<Kind> kinds, Host host) {
        if (kinds.contains(Kind.ROUTE)) {
            host.routes().stream().filter(one -> options.wants(one.destination().address().version()))
                    .forEach(one -> add(host.device() + " " + one.destination() + " " + one.metric(),
                            new Entry(Kind.ROUTE, List.of(IpRoutes.line(host, one)),
                                    () -> IpRoutes.fields(host, one))));
        }
        if (kinds.contains(Kind.NEIGHBOUR)) {
            host.neighbours().stream().filter(one -> options.wants(one.address().version()))
                    .forEach(one -> add(host.device() + " " + one.address(), new Entry(Kind.NEIGHBOUR,
                            List.of(IpNeighbours.line(host, one, PLAIN)),
                            () -> IpNeighbours.fields(host, one, PLAIN))));
        }
    }

    private void add(String name, Entry entry) {
        entries.put(entry.kind() + " " + name, entry);
    }

    /** Tells what is otherwise than it was: first what has gone, its last first, then what has come or changed. */
    void tell(MonitoredState before, Consumer<Change> reader) {
        before.entries.sequencedEntrySet().reversed().forEach(was -> {
            if (!entries.containsKey(was.getKey())) {
                reader.accept(new Change(was.getValue(), true));
            }
        });
        entries.forEach((key, entry) -> {
            Entry was = before.entries.get(key);
            if (was == null || !was.lines().equals(entry.lines())) {
                reader.accept(new Change(entry, false));
            }
        });
    }
}
