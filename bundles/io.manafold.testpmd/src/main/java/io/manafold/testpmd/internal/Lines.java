package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lines of the prompt that control and show. */
final class Lines {
    private static final Logger LOG = LoggerFactory.getLogger(Lines.class);
    private static final String CONTROL = "control";
    private static final String DISPLAY = "display";
    private static final String ONE_OR_ALL = "PORT";

    private final Grammar grammar = new Grammar();
    private final Run run;
    private final Ports ports;
    private final Forwarding forwarding;
    private final Settings settings;

    Lines(Run run, LastingEnvironment environment, Ports ports, Forwarding forwarding, Settings settings) {
        this.run = run;
        this.ports = ports;
        this.forwarding = forwarding;
        this.settings = settings;
        control();
        shown();
        new SetLines(ports, forwarding, settings).addTo(grammar);
        new PortLines(run, ports, forwarding, settings).addTo(grammar);
        new DeviceLines(run, ports, forwarding, environment, settings).addTo(grammar);
    }

    /**
     * Carries a line out; a refusal is what it answers. Whatever happens meanwhile ends the line, and never the
     * program.
     */
    String run(String line) {
        settings.outcome.begin();
        try {
            return grammar.run(line);
        } catch (Refusal refused) {
            return settings.outcome.told(refused);
        } catch (RuntimeException | Error fault) {
            LOG.error("The line '{}' has met a fault", Words.shown(line), fault);
            String sentence = "The line '" + Words.shown(line) + "' was not carried out to its end, by a fault of this "
                    + "program (" + fault + "); 'log' has the details. Go on, or 'quit'.";
            settings.outcome.fault(sentence);
            return sentence + "\n";
        } finally {
            settings.outcome.end();
        }
    }

    List<String> completions(String line) {
        try {
            return grammar.completions(line);
        } catch (RuntimeException | Error fault) {
            LOG.error("The line '{}' cannot be completed", Words.shown(line), fault);
            return List.of();
        }
    }

    private void control() {
        grammar.add(CONTROL, "start", "begins to forward", _ -> run.begin(0));
        grammar.add(CONTROL, "start tx_first", "sends a burst of made packets first", _ -> run.begin(1));
        grammar.add(CONTROL, "start tx_first N", "sends so many bursts first",
                words -> run.begin(Words.number("tx_first", words.get(2), 1, 1_000_000)));
        grammar.add(CONTROL, "stop", "ends forwarding and shows what went through", _ -> run.halt());
        grammar.add(CONTROL, "quit", "ends the program", _ -> run.quit());
        grammar.add(CONTROL, "help", "names the groups of lines",
                _ -> "Groups: control, display, config, ports, devices; 'help GROUP' and "
                + "'help all' show their lines.\n");
        grammar.add(CONTROL, "help all|control|display|config|ports|devices", "shows the lines of a group",
                words -> grammar.help(words.get(1)));
    }

    private void shown() {
        show("show port stats " + ONE_OR_ALL, "shows what ports have counted",
                port -> PortText.statistics(ports, port));
        show("show port xstats " + ONE_OR_ALL, "shows all that ports have counted",
                port -> PortText.extended(ports, port));
        show("show port info " + ONE_OR_ALL, "shows what ports are", port -> PortText.info(port, settings));
        grammar.add(DISPLAY, "show port summary " + ONE_OR_ALL, "lists ports",
                words -> PortText.summary(ports.shown(words.get(3)), ports.shown("all").size()));
        grammar.add(DISPLAY, "show port PORT rss-hash", "shows what is hashed", words -> QueueText.hash(port(words),
                false));
        grammar.add(DISPLAY, "show port PORT rss-hash key", "shows the key of the hash, too",
                words -> QueueText.hash(port(words), true));
        grammar.add(DISPLAY, "show port PORT rss reta SIZE", "shows the queues of the first buckets",
                words -> QueueText.redirection(port(words), words.get(5), ""));
        grammar.add(DISPLAY, "show port PORT rss reta SIZE MASKS",
                "shows the queues of buckets, of which each mask names 64, as in (0xff) or (0xff,0x1)",
                words -> QueueText.redirection(port(words), words.get(5), words.get(6)));
        grammar.add(DISPLAY, "show port PORT rx_offload|tx_offload capabilities|configuration", "shows offloads",
                words -> offloads(port(words), words.get(3).startsWith("rx"), words.get(4)));
        grammar.add(DISPLAY, "show port PORT macs", "shows addresses", words -> "Number of MAC address added: 1\n  "
                + ForwardText.big(port(words).info().mac().toString()) + "\n");
        grammar.add(DISPLAY, "show port PORT ptypes", "shows the types of packets that a device tells",
                words -> {
                    port(words);
                    return ptypes();
                });
        grammar.add(DISPLAY, "show rxq|txq info PORT QUEUE", "shows a queue",
                words -> QueueText.queue(ports.get(Words.port(words.get(3))), words.get(1).equals("rxq"), words.get(4),
                settings, ports.pool()));
        grammar.add(DISPLAY, "show config rxtx", "shows how queues are configured", _ -> ForwardText.rxtx(settings.mode,
                settings, ports.forwarding(), settings.cores));
        grammar.add(DISPLAY, "show config cores", "shows forwarding cores", _ -> "List of forwarding lcores: "
                + forwarding.plan().keySet().stream().map(core -> " " + core).collect(Collectors.joining()) + "\n");
        grammar.add(DISPLAY, "show config fwd", "shows the mode and where packets go",
                _ -> ForwardText.routes(settings.mode, forwarding.plan(), settings));
        grammar.add(DISPLAY, "show config txpkts", "shows the packets that are made",
                _ -> numbers("segments", "Segment sizes", settings.segments) + "Split packet: " + settings.split.word()
                        + "\n");
        grammar.add(DISPLAY, "show config rxpkts", "shows how received packets are split",
                _ -> numbers("segments", "Segment sizes", settings.receiveLengths));
        grammar.add(DISPLAY, "show config rxoffs", "shows where the parts of received packets begin",
                _ -> numbers("offsets", "Segment offsets", settings.receiveOffsets));
        grammar.add(DISPLAY, "show config rxhdrs", "shows behind which headers received packets are split",
                _ -> SplitHeaders.shown(settings.receiveHeaders));
        grammar.add(DISPLAY, "show fwd stats all", "shows what went through since the start",
                _ -> ForwardText.counts(forwarding));
        grammar.add(DISPLAY, "show device info NAME", "shows devices", words -> devices(words.get(3)));
        grammar.add(DISPLAY, "clear port stats|xstats " + ONE_OR_ALL, "begins to count anew", words -> {
            boolean isTold = words.get(2).equals("stats");
            return ports.of(words.get(3)).stream().map(port -> clear(port, isTold)).collect(Collectors.joining());
        });
        grammar.add(DISPLAY, "clear fwd stats all", "begins to count what went through anew", _ -> {
            forwarding.clear();
            return "";
        });
    }

    /** A port that refuses keeps no other from it, as one of a secondary does that another port of its primary has. */
    private String clear(EthDev port, boolean isTold) {
        try {
            ports.clear(port);
            forwarding.cleared(port);
            return isTold ? "\n  NIC statistics for port " + port.number() + " cleared\n" : "";
        } catch (Refusal refused) {
            return settings.outcome.told(refused);
        }
    }

    private void show(String form, String help, Function<EthDev, String> shown) {
        grammar.add(DISPLAY, form, help, words -> ports.shown(words.get(3)).stream().map(shown)
                .collect(Collectors.joining()));
    }

    private EthDev port(List<String> words) {
        return ports.get(Words.port(words.get(2)));
    }

    private static String offloads(EthDev port, boolean receive, String what) {
        return what.equals("capabilities") ? OffloadText.capabilities(port, receive) : OffloadText.configuration(port,
                receive);
    }

    /** Devices here tell no types of packets. */
    private static String ptypes() {
        StringBuilder text = new StringBuilder();
        for (String layer : List.of("L2", "L3", "L4", "Tunnel", "Inner L2", "Inner L3", "Inner L4")) {
            text.append(layer).append(" ptypes unsupported\n");
        }
        return text.toString();
    }

    private String devices(String name) {
        Map<String, List<EthDev>> found = ports.all().stream().filter(port -> name.equals("all") || port.info()
                .address().equals(name) || port.name().equals(name))
                .collect(Collectors.groupingBy(port -> port.info().address(), TreeMap::new, Collectors.toList()));
        if (found.isEmpty() && !name.equals("all")) {
            throw Words.wrong("There is no device '" + Words.shown(name)
                    + "'; 'show device info all' shows those there are.");
        }
        return found.values().stream().map(PortText::device).collect(Collectors.joining());
    }

    private static String numbers(String what, String label, int... numbers) {
        return "Number of " + what + ": " + numbers.length + "\n" + (numbers.length == 0 ? "" : label + ": "
                + IntStream.of(numbers).mapToObj(Integer::toString).collect(Collectors.joining(",")) + "\n");
    }
}
