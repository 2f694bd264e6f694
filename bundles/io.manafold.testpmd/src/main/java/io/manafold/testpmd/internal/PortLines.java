package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/** The lines of the prompt about ports: start and stop, queues, hashes. */
final class PortLines {
    private static final String PORTS = "ports";

    private final Ports ports;
    private final Forwarding forwarding;
    private final Settings settings;

    PortLines(Ports ports, Forwarding forwarding, Settings settings) {
        this.ports = ports;
        this.forwarding = forwarding;
        this.settings = settings;
    }

    void addTo(Grammar grammar) {
        grammar.add(PORTS, "port start PORT", "starts ports", words -> ports.start(ports.of(words.get(2))));
        grammar.add(PORTS, "port stop PORT", "stops ports", words -> {
            resting(words.get(2), EthDev::stop);
            return "Stopping ports...\n" + ports.links() + "Done\n";
        });
        grammar.add(PORTS, "port close PORT", "gives ports back, which are stopped", words -> "Closing ports...\n"
                + closed(words.get(2)) + "Done\n");
        grammar.add(PORTS, "port reset PORT", "begins ports anew, which are stopped", words -> reset(words.get(2)));
        grammar.add(PORTS, "port detach PORT", "gives a port back, which is stopped", words -> "Removing a device...\n"
                + closed(words.get(2)) + "Now total ports is " + ports.all().size() + "\nDone\n");
        grammar.add(PORTS, "port PORT rxq|txq QUEUE start|stop", "refused: queues of a port start and stop together",
                words -> oneQueue(ports.get(port(words.get(1)))));
        add(grammar, "port config all rxq|txq|rxd|txd|max-pkt-len|burst N", "sets all ports; they are stopped", this::numbers);
        add(grammar, "port config all rss all|ip|udp|none", "what is hashed; ports are stopped", this::hash);
        add(grammar, "port config mtu PORT BYTES", "sets the longest packet", words -> ports.get(port(words.get(3))).mtu(
                Words.number("mtu", words.get(4), 0, 65_535)));
        add(grammar, "port config PORT rss-hash-key TYPE KEY", "the key of the hash, in hexadecimal digits",
                words -> key(ports.get(port(words.get(2))), words.get(5)));
        add(grammar, "port config PORT rss reta PAIRS", "queues of buckets, as in (0,1),(1,0)",
                words -> redirect(ports.get(port(words.get(2))), words.get(5)));
    }

    private static void add(Grammar grammar, String form, String help, Consumer<List<String>> action) {
        grammar.add(PORTS, form, help, words -> {
            action.accept(words);
            return "";
        });
    }

    private static int port(String word) {
        return Words.number("A port", word, 0, Integer.MAX_VALUE);
    }

    private void each(String word, Consumer<EthDev> action) {
        ports.of(word).forEach(action);
    }

    private void stopped(List<EthDev> chosen) {
        chosen.stream().filter(EthDev::isStarted).findFirst().ifPresent(port -> {
            throw new Refusal(Errno.EBUSY, "Port " + port.number() + " is started; 'port stop " + port.number() + "' comes first.");
        });
    }

    private String closed(String word) {
        List<EthDev> chosen = ports.of(word);
        stopped(chosen);
        StringBuilder text = new StringBuilder();
        for (EthDev port : chosen) {
            ports.remove(port);
            text.append("Port ").append(port.number()).append(" is closed\n");
        }
        return text.toString();
    }

    /** Statistics and configuration begin anew; the next start sets queues up. */
    private String reset(String word) {
        List<EthDev> chosen = ports.of(word);
        stopped(chosen);
        chosen.forEach(ports::clear);
        ports.changed();
        return "Resetting ports...\nDone\n";
    }

    private static String oneQueue(EthDev port) {
        throw new Refusal(Errno.EOPNOTSUPP, "Queues of port " + port.number() + " start and stop together: 'port stop " + port.number()
                + "' and 'port start " + port.number() + "'.");
    }

    private void resting(String word, Consumer<EthDev> action) {
        if (forwarding.isRunning()) {
            throw new Refusal(Errno.EBUSY, "Packets are being forwarded; 'stop' comes first.");
        }
        each(word, action);
    }

    private void allStopped() {
        if (forwarding.isRunning() || ports.all().stream().anyMatch(EthDev::isStarted)) {
            throw new Refusal(Errno.EBUSY, "Ports are started; 'stop' and 'port stop all' come first.");
        }
    }

    private void numbers(List<String> words) {
        String what = words.get(3);
        if (what.equals("burst")) {
            SettingsReader.burst(settings, Words.number(what, words.get(4), 0, Settings.MOST_BURST));
            return;
        }
        int number = Words.number(what, words.get(4), what.endsWith("q") ? 1 : 0, what.endsWith("q") ? 1024 : 65_536);
        allStopped();
        ports.changed();
        switch (what) {
            case "rxq" -> settings.receiveQueues = number;
            case "txq" -> settings.sendQueues = number;
            case "rxd" -> settings.receiveDescriptors = number;
            case "txd" -> settings.sendDescriptors = number;
            default -> settings.mtu = number - SettingsReader.ETHERNET;
        }
    }

    private void hash(List<String> words) {
        allStopped();
        ports.changed();
        settings.hashFields = switch (words.get(4)) {
            case "all" -> RssHash.ALL;
            case "ip" -> RssHash.IPV4 | RssHash.IPV6;
            case "udp" -> RssHash.IPV4_UDP | RssHash.IPV6_UDP;
            default -> 0;
        };
    }

    private static void key(EthDev port, String text) {
        try {
            port.rss(new RssHash(HexFormat.of().parseHex(text), port.rss() == null ? RssHash.DEFAULT.fields() : port.rss().fields()));
        } catch (IllegalArgumentException e) {
            throw Words.wrong("A key is an even number of hexadecimal digits, not '" + Words.shown(text) + "'.");
        }
    }

    private static void redirect(EthDev port, String text) {
        int[] table = port.redirection();
        String inner = text.startsWith("(") && text.endsWith(")") ? text.substring(1, text.length() - 1) : text;
        for (String pair : Arrays.asList(inner.split("[)],[(]", -1))) {
            String[] both = pair.split(",", -1);
            if (both.length != 2) {
                throw Words.wrong("Buckets and queues are written in pairs, as in (0,1),(1,0), not '" + Words.shown(pair) + "'.");
            }
            table[Words.number("A bucket", both[0], 0, table.length - 1)] = Words.number("A queue", both[1], 0, 65_535);
        }
        port.redirection(table);
    }
}
