package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The ports of a run: how they are set up, and what was seen of their statistics last. */
final class Ports {
    /** Extended statistics that there are once queues are set up; the longer names are those of pairs. */
    private static final String OF_QUEUE = "[rt]x_q\\d+_(packets|bytes|errors|good_(packets|bytes))"
            + "|vf_[rt]x_q\\d+_(packets|bytes|errors)";

    private final Map<Integer, EthDev> ports = new TreeMap<>();
    /** Numbers of ports that have started with the settings as they are. */
    private final Set<Integer> configured = new HashSet<>();
    private final Map<Integer, Seen> seen = new TreeMap<>();
    private final Settings settings;
    private final PacketPool pool;
    private final boolean secondary;
    private final LastingEnvironment environment;

    /** When statistics were looked at last. */
    record Seen(EthDevStatistics statistics, long nanos) {
    }

    /** Packets and bits in a second. */
    record Rates(long receivedPackets, long receivedBits, long sentPackets, long sentBits) {
    }

    Ports(LastingEnvironment environment, Settings settings, PacketPool pool) {
        this.environment = environment;
        this.settings = settings;
        this.pool = pool;
        secondary = environment.now().isSecondary();
        environment.now().ports().stream().filter(port -> port.owner().isEmpty())
                .forEach(this::add);
    }

    void add(EthDev port) {
        settings.came(port);
        ports.put(port.number(), port);
    }

    /** Those of a device that the environment has taken again when it came back, and the program has not. */
    List<EthDev> left(String device) {
        return environment.now().ports().stream().filter(port -> !has(port) && port.owner().isEmpty()
                && Words.names(device, port.info().address(), port.info().mac())).toList();
    }

    boolean has(int number) {
        return ports.containsKey(number);
    }

    /** Whether it is this very port, and not one that had its number before. */
    boolean has(EthDev port) {
        return ports.get(port.number()) == port;
    }

    /** Those that have gone when another one has come by the number or the name of theirs. */
    List<EthDev> replacedBy(EthDev port) {
        return ports.values().stream().filter(one -> one != port
                && (one.number() == port.number() || one.name().equals(port.name()))).toList();
    }

    /** Those that are the program's: what another port has below it is that one's. */
    List<EthDev> all() {
        return ports.values().stream().filter(port -> port.owner().isEmpty()).toList();
    }

    /** Those of a word with the ones that others have below them, to be shown. */
    List<EthDev> shown(String word) {
        List<EthDev> shown = new ArrayList<>(of(word, environment.now().ports().stream()
                .filter(port -> !port.owner().isEmpty()).toList()));
        shown.sort(Comparator.comparingInt(EthDev::number));
        return shown;
    }

    private List<EthDev> of(String word, List<EthDev> others) {
        if (word.equals("all")) {
            List<EthDev> all = new ArrayList<>(all());
            all.addAll(others);
            return all;
        }
        int number = Words.port(word);
        return others.stream().filter(port -> port.number() == number).findFirst().map(List::of)
                .orElseGet(() -> List.of(get(number)));
    }

    PacketPool pool() {
        return pool;
    }

    EthDev get(int number) {
        EthDev port = ports.get(number);
        if (port == null) {
            environment.now().ports().stream().filter(one -> one.number() == number && !one.owner().isEmpty())
                    .findFirst()
                    .ifPresent(one -> {
                        throw new Refusal(Errno.EBUSY, "Port " + number + " is the virtual function of the port "
                                + one.owner() + ", which has it: 'show port summary all' tells the number of that.");
                    });
            throw new Refusal(Errno.ENODEV, "Invalid port " + number
                    + ": 'show port summary all' lists those that there are.");
        }
        return port;
    }

    /** The ports of a word: a number or {@code all}. */
    List<EthDev> of(String word) {
        return word.equals("all") ? all() : List.of(get(Words.port(word)));
    }

    /** Those that forward, in order; one of the list that has gone may come back. */
    List<EthDev> forwarding() {
        List<EthDev> chosen = new ArrayList<>();
        if (settings.chosenPorts.isAll()) {
            chosen.addAll(all());
        } else {
            settings.chosenPorts.numbers().stream().filter(this::has).forEach(number -> chosen.add(ports.get(number)));
        }
        return settings.ports > 0 && settings.ports < chosen.size() ? chosen.subList(0, settings.ports) : chosen;
    }

    /** Starts those that are not, and answers what is to be read; one that cannot be started keeps no other from it. */
    String start(List<EthDev> chosen) {
        return start(chosen, false);
    }

    /** @param strict whether the first one that cannot be started is an end of all */
    String start(List<EthDev> chosen, boolean strict) {
        StringBuilder text = new StringBuilder();
        boolean running = secondary;
        boolean idle = false;
        for (EthDev port : chosen) {
            if (secondary) {
                text.append("Port %d: %s\n".formatted(port.number(), ForwardText.big(port.info().mac().toString())));
                continue;
            }
            if (port.isStarted()) {
                text.append("Port %d is now not stopped\n".formatted(port.number()));
                idle = true;
                continue;
            }
            text.append(configured.contains(port.number()) ? ""
                    : "Configuring Port %d (socket 0)\n".formatted(port.number()));
            try {
                start(port);
            } catch (Refusal refused) {
                if (strict) {
                    throw refused;
                }
                idle = false;
                text.append("Fail to start port ").append(port.number()).append(": ")
                        .append(settings.outcome.told(refused));
                continue;
            }
            running = true;
            configured.add(port.number());
            text.append("Port %d: %s\n".formatted(port.number(), ForwardText.big(port.info().mac().toString())));
        }
        return text.append(running ? links() : idle ? "Please stop the ports first\n" : "").append("Done\n").toString();
    }

    /** Which links are down. */
    String links() {
        if (!settings.checksLinks) {
            return "";
        }
        StringBuilder text = new StringBuilder("Checking link statuses...\n");
        all().stream().filter(port -> !port.link().isUp()).forEach(port -> text.append("Port ")
                .append(port.number())
                .append(" Link down\n"));
        return text.toString();
    }

    /** Settings have changed, so that ports are configured anew when they start. */
    void changed() {
        configured.clear();
    }

    private void start(EthDev port) {
        // what was set on it since it was configured, such as its key, stays
        if (!configured.contains(port.number())) {
            configure(port);
        }
        port.start();
    }

    private void configure(EthDev port) {
        refuseOffloads(port);
        EthDevPlan plan = new EthDevPlan(settings.receiveQueues, settings.sendQueues,
                settings.receiveOffloads.of(port), settings.sendOffloads(port), hash(port), false);
        port.configure(plan);
        int mtu = settings.mtu(port);
        if (mtu > 0) {
            port.mtu(mtu);
        }
        for (int queue = 0; queue < settings.sendQueues; queue++) {
            port.setUpSend(queue, settings.sendDescriptors);
        }
        for (int queue = 0; queue < settings.receiveQueues; queue++) {
            port.setUpReceive(queue, settings.receiveDescriptors, pool.number());
        }
        if (settings.hashes.redirects(port)) {
            port.redirection(settings.hashes.redirect(port, port.redirection(), settings.receiveQueues));
        }
        if (settings.processes > 1) {
            port.offerQueues(settings.firstQueue(1));
        }
    }

    /** @throws Refusal {@code EOPNOTSUPP} at a secondary, for what its primary alone does with ports */
    void checkPrimary(String what) {
        if (secondary) {
            throw new Refusal(Errno.EOPNOTSUPP, "Ports are those of the primary, which alone " + what
                    + ": ask it there. A secondary looks at them, counts, and polls queues that they offer.");
        }
    }

    /** Ports of a secondary go on as their primary has them. */
    void stop(EthDev port) {
        if (!secondary) {
            port.stop();
        }
    }

    private RssHash hash(EthDev port) {
        return settings.receiveQueues == 1 && !settings.hashesAlways ? null
                : settings.hashes.of(port, settings.hashFields);
    }

    /** @throws Refusal {@code EINVAL} for offloads that a port does not have */
    void refuseOffloads(EthDev port) {
        long receive = port.info().receiveOffloads();
        long send = port.info().sendOffloads();
        long receiveWanted = settings.receiveOffloads.of(port);
        long sendWanted = settings.sendOffloads(port);
        if ((receiveWanted & ~receive) != 0 || (sendWanted & ~send) != 0) {
            throw new Refusal(Errno.EINVAL,
                    "Port %d does not have these offloads: Rx requested 0x%x, supported 0x%x; Tx requested 0x%x, "
                    .formatted(port.number(), receiveWanted, receive, sendWanted)
                    + "supported 0x%x. Ask for those it has.".formatted(send));
        }
    }

    /**
     * As a line says it: nothing that was set of the port stays. One that does not close keeps no other from it.
     * Answers what is to be read then, empty if it closes.
     */
    String giveBack(EthDev port) {
        try {
            remove(port);
            return "";
        } catch (Refusal refused) {
            return "Fail to close port " + port.number() + ", which is the program's no more: "
                    + settings.outcome.told(refused);
        } finally {
            settings.forget(port);
        }
    }

    /** One that does not close is the program's no more, either. */
    void remove(EthDev port) {
        try {
            port.close();
        } finally {
            ports.remove(port.number());
            seen.remove(port.number());
            configured.remove(port.number());
            settings.measurement.forget(port.number());
        }
    }

    /** What went through since the rates were asked for last; all 0 for the first time. */
    Rates rates(EthDev port, EthDevStatistics now) {
        long nanos = System.nanoTime();
        Seen before = seen.put(port.number(), new Seen(now, nanos));
        if (before == null || nanos == before.nanos) {
            return new Rates(0, 0, 0, 0);
        }
        EthDevStatistics since = now.since(before.statistics);
        double seconds = (nanos - before.nanos) / 1e9;
        return new Rates(rate(since.received(), seconds), rate(since.receivedBytes() * 8, seconds),
                rate(since.sent(), seconds), rate(since.sentBytes() * 8, seconds));
    }

    private static long rate(long amount, double seconds) {
        return amount < 0 ? 0 : (long) (amount / seconds);
    }

    /** All that a port has counted, and what is measured besides. */
    Map<String, Long> extended(EthDev port) {
        Map<String, Long> all = new LinkedHashMap<>(port.extendedStatistics());
        all.putAll(settings.measurement.of(port.number()));
        return all;
    }

    /** Lines of those extended statistics that options name. */
    String shownExtended(EthDev port) {
        if (settings.shownExtended.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("\n  Extended statistics\n");
        Map<String, Long> there = extended(port);
        settings.shownExtended.forEach(name -> text.append("  %s: %d\n".formatted(name,
                there.getOrDefault(name, 0L))));
        return text.toString();
    }

    /** @throws Refusal {@code EINVAL} for extended statistics that a port does not have, whatever its queues */
    void refuseStatistics() {
        for (EthDev port : all()) {
            Map<String, Long> there = extended(port);
            settings.shownExtended.stream().filter(name -> !there.containsKey(name) && !name.matches(OF_QUEUE))
                    .findFirst().ifPresent(name -> {
                throw Words.wrong("Port " + port.number() + " has no extended statistic '" + Words.shown(name)
                        + "' for --display-xstats: 'show port xstats " + port.number() + "' lists those it has.");
            });
        }
    }

    void clear(EthDev port) {
        port.resetStatistics();
        settings.measurement.clear(port);
        seen.remove(port.number());
    }

    void close() {
        for (EthDev port : all()) {
            remove(port);
        }
    }
}
