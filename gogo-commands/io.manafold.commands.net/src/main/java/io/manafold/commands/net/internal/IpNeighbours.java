package io.manafold.commands.net.internal;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Neighbour;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code ip neigh}. */
final class IpNeighbours implements IpObject {
    private final Network network;

    IpNeighbours(Network network) {
        this.network = network;
    }

    @Override
    public List<String> names() {
        return List.of("neighbor", "neighbour");
    }

    @Override
    public List<String> verbs() {
        return List.of("add", "change", "chg", "replace", "delete", "show", "list", "lst", "flush");
    }

    @Override
    public List<String> keywords() {
        return List.of("dev", "lladdr", "nud");
    }

    @Override
    public void run(Call call, IpOptions options, String verb, IpWords words) {
        switch (verb) {
            case "show" -> show(call, options, words);
            case "flush" -> flush(options, words);
            default -> change(verb, words);
        }
    }

    private void flush(IpOptions options, IpWords words) {
        Host host = network.host(words.device());
        words.end("ip neigh flush");
        host.neighbours().stream().filter(one -> options.wants(one.address().version())
                && one.state() != Neighbour.State.PERMANENT).forEach(one -> flush(host, one.address()));
    }

    private static void flush(Host host, IpAddress address) {
        try {
            host.removeNeighbour(address);
        } catch (Refusal refused) {
            // it may have expired since it was listed
            if (refused.errno() != Errno.ENOENT) {
                throw refused;
            }
        }
    }

    private void change(String verb, IpWords words) {
        IpAddress address = null;
        MacAddress mac = null;
        String device = null;
        while (!words.isEmpty()) {
            String word = words.take();
            switch (word) {
                case "dev" -> device = words.valueOf(word);
                case "lladdr" -> mac = Words.mac(words.valueOf(word));
                case "nud" -> permanent(words.valueOf(word));
                default -> {
                    if (address != null) {
                        throw IpWords.unexpected("ip neigh " + verb, word);
                    }
                    address = Words.address(word.equals("to") ? words.valueOf(word) : word);
                }
            }
        }
        boolean removes = verb.equals("del");
        if (address == null || device == null || mac == null && !removes) {
            throw new UsageError("ip neigh " + verb + " needs " + (address == null ? "an address."
                    : device == null ? "a device: dev DEV." : "a MAC address: lladdr MAC."));
        }
        Host host = network.host(device);
        if (removes) {
            host.removeNeighbour(address);
            return;
        }
        IpAddress wanted = address;
        boolean isThere = host.neighbours().stream().anyMatch(one -> one.address().equals(wanted));
        if (isThere && verb.equals("add")) {
            throw new Refusal(Errno.EEXIST, device + " knows " + address
                    + " already; 'ip neigh replace' sets it all the same.");
        }
        if (!isThere && verb.equals("change")) {
            throw new Refusal(Errno.ENOENT, device + " does not know " + address + "; 'ip neigh add' adds it.");
        }
        host.setNeighbour(address, mac);
    }

    private static void permanent(String state) {
        if (!state.equals("permanent")) {
            throw new Refusal(Errno.EOPNOTSUPP, "What is set by hand is permanent, not '" + state
                    + "'; leave out nud.");
        }
    }

    private void show(Call call, IpOptions options, IpWords words) {
        List<Host> chosen = words.isEmpty() ? network.hosts() : List.of(network.host(words.device()));
        words.end("ip neigh show");
        List<Fields> objects = new ArrayList<>();
        for (Host host : chosen) {
            for (Neighbour one : host.neighbours()) {
                if (!options.wants(one.address().version())) {
                    continue;
                }
                if (call.json()) {
                    objects.add(fields(host, one, options));
                } else {
                    call.out().println(line(host, one, options));
                }
            }
        }
        if (call.json()) {
            call.print(objects);
        }
    }

    static String line(Host host, Neighbour one, IpOptions options) {
        String mac = one.mac() == null ? "" : one.mac().toString();
        if (options.brief()) {
            return "%-39s %-16s %s".formatted(one.address(), host.device(), mac).stripTrailing();
        }
        return one.address() + " dev " + host.device() + (mac.isEmpty() ? "" : " lladdr " + mac)
                + (one.router() ? " router" : "")
                + (options.statistics() ? " used " + seconds(one.usedNanos()) + "/" + seconds(one.confirmedNanos())
                        + "/" + seconds(one.updatedNanos()) + " probes " + one.probes() : "")
                + " " + one.state();
    }

    static Fields fields(Host host, Neighbour one, IpOptions options) {
        Fields fields = Fields.of("dst", one.address()).and("dev", host.device());
        if (one.mac() != null) {
            fields.and("lladdr", one.mac());
        }
        if (options.brief()) {
            return fields;
        }
        if (one.router()) {
            fields.and("router", null);
        }
        if (options.statistics()) {
            fields.and("used", seconds(one.usedNanos())).and("confirmed", seconds(one.confirmedNanos()))
                    .and("updated", seconds(one.updatedNanos())).and("probes", one.probes());
        }
        return fields.and("state", List.of(one.state().name()));
    }

    private static long seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos);
    }
}
