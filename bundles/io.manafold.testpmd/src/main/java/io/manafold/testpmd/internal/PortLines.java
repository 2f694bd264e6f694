package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The lines of the prompt about ports: start and stop, queues, hashes. */
final class PortLines {
    private static final String PORTS = "ports";

    private final Run run;
    /** What other devices hash. */
    private static final String UNHASHED = "eth|vlan|ether|sctp|port|vxlan|geneve|nvgre|vxlan-gpe|gtpu|mpls|ecpri|esp|"
            + "ah|l2tpv3|pfcp|pppoe";

    private final Ports ports;
    private final Forwarding forwarding;
    private final Settings settings;

    PortLines(Run run, Ports ports, Forwarding forwarding, Settings settings) {
        this.run = run;
        this.ports = ports;
        this.forwarding = forwarding;
        this.settings = settings;
    }

    void addTo(Grammar grammar) {
        grammar.add(PORTS, "port start PORT", "starts ports", words -> ports.start(ports.of(words.get(2))));
        grammar.add(PORTS, "port stop PORT", "stops ports that forward nothing", words -> stop(words.get(2)));
        grammar.add(PORTS, "port close PORT", "gives ports back, which are stopped", words -> "Closing ports...\n"
                + closed(ports.of(words.get(2))) + "Done\n");
        grammar.add(PORTS, "port reset PORT", "begins ports anew, which are stopped", words -> reset(words.get(2)));
        grammar.add(PORTS, "port attach DEVICE",
                "takes ports of a function, as -a does: 7870:00:00.0,mac=00:0d:3a:00:00:01",
                words -> run.attach(words.get(2)));
        grammar.add(PORTS, "port detach PORT", "gives a port back, which is stopped",
                words -> detach(ports.get(port(words.get(2)))));
        grammar.add(PORTS, "port PORT rxq|txq QUEUE start|stop",
                "refused as by the real driver: queues of a port start and stop together",
                words -> oneQueue(ports.get(port(words.get(1))), words.get(2).equals("rxq"), words.get(3)));
        add(grammar, "port config all rxq|txq|rxd|txd|max-pkt-len|burst N", "sets all ports; they are stopped",
                this::numbers);
        grammar.add(PORTS, "port config all rss all|default|ip|tcp|udp|none|" + UNHASHED, "what is hashed",
                words -> hash(words.get(4)));
        add(grammar, "port config mtu PORT BYTES", "sets the longest packet",
                words -> mtu(ports.get(port(words.get(3))), Words.number("mtu", words.get(4), 0, 65_535)));
        add(grammar, "port config PORT rss-hash-key TYPE KEY",
                "what is hashed, and the key of the hash in hexadecimal digits",
                words -> key(ports.get(port(words.get(2))), words.get(4), words.get(5)));
        add(grammar, "port config PORT rx_offload|tx_offload NAME on|off",
                "what a port does to packets, as in multi_segs; it is stopped", words -> offload(ports
                .get(port(words.get(2))), words.get(3).startsWith("rx"), words.get(4), words.get(5).equals("on")));
        grammar.add(PORTS, "port config PORT rss reta PAIRS", "queues of buckets, as in (0,1),(1,0)",
                words -> redirect(ports.get(port(words.get(2))), words.get(5)));
    }

    private static void add(Grammar grammar, String form, String help, Consumer<List<String>> action) {
        grammar.add(PORTS, form, help, words -> {
            action.accept(words);
            return "";
        });
    }

    private static int port(String word) {
        return Words.port(word);
    }

    private String stop(String word) {
        ports.checkPrimary("halts them");
        StringBuilder text = new StringBuilder("Stopping ports...\n");
        boolean any = false;
        for (EthDev port : ports.of(word)) {
            if (forwarding.uses(port)) {
                text.append(settings.outcome.told(inUse(port)));
            } else if (port.isStarted()) {
                any |= done("stop", port, EthDev::stop, text);
            }
        }
        return text.append(any ? ports.links() : "").append("Done\n").toString();
    }

    private static Refusal inUse(EthDev port) {
        return new Refusal(Errno.EBUSY, "Please remove port " + port.number()
                + " from forwarding configuration: 'stop' comes first.");
    }

    private String closed(List<EthDev> chosen) {
        ports.checkPrimary("closes them");
        StringBuilder text = new StringBuilder();
        for (EthDev port : chosen) {
            if (forwarding.uses(port)) {
                text.append(settings.outcome.told(inUse(port)));
            } else if (port.isStarted()) {
                text.append(settings.outcome.told(new Refusal(Errno.EBUSY, "Please stop port " + port.number()
                        + " first: 'port stop " + port.number() + "' comes first.")));
            } else {
                String failure = ports.giveBack(port);
                text.append(failure.isEmpty() ? "Port " + port.number() + " is closed\n" : failure);
            }
        }
        return text.toString();
    }

    private String detach(EthDev port) {
        ports.checkPrimary("gives them back");
        if (port.isStarted()) {
            throw new Refusal(Errno.EBUSY, "Port not stopped: " + (forwarding.uses(port) ? "'stop' and " : "")
                    + "'port stop " + port.number() + "' comes first.");
        }
        String address = port.info().address();
        String text = "Port was not closed\nRemoving a device...\n" + closed(List.of(port));
        boolean last = ports.all().stream().noneMatch(other -> other.info().address().equals(address));
        return text + (last ? "Device is detached\n" : "") + "Now total ports is " + ports.all().size() + "\nDone\n";
    }

    /**
     * Statistics begin anew, and so does how packets are spread, which a device that is reset forgets; the next start
     * sets queues up.
     */
    private String reset(String word) {
        List<EthDev> chosen = ports.of(word);
        ports.checkPrimary("begins them anew");
        for (EthDev port : chosen) {
            if (port.isStarted()) {
                throw new Refusal(Errno.EBUSY, "Can not reset port(s), please stop port(s) first: 'port stop "
                        + port.number() + "' comes first.");
            }
        }
        StringBuilder text = new StringBuilder("Resetting ports...\n");
        for (EthDev port : chosen) {
            done("reset", port, ports::clear, text);
            settings.hashes.forget(port);
        }
        ports.changed();
        return text.append("Done\n").toString();
    }

    /** Whether it was done; a port that refuses keeps no other from it, and what it says is told. */
    private boolean done(String what, EthDev port, Consumer<EthDev> action, StringBuilder text) {
        try {
            action.accept(port);
            return true;
        } catch (Refusal refused) {
            text.append("Fail to ").append(what).append(" port ").append(port.number()).append(": ")
                    .append(settings.outcome.told(refused));
            return false;
        }
    }

    private String oneQueue(EthDev port, boolean receive, String word) {
        if (!port.isStarted()) {
            throw Words.wrong("Please start port " + port.number() + " first: 'port start " + port.number()
                    + "' does it.");
        }
        settings.queue(receive, word);
        throw new Refusal(Errno.EOPNOTSUPP, "Function not supported in PMD: " + port.info().driver() + " starts and "
                + "stops all queues of a port together, by 'port start " + port.number() + "' and 'port stop "
                + port.number() + "'.");
    }

    private void allStopped() {
        ports.checkPrimary("configures them");
        if (forwarding.isRunning() || ports.all().stream().anyMatch(EthDev::isStarted)) {
            throw new Refusal(Errno.EBUSY, "Please stop all ports first: 'stop' and 'port stop all' come first.");
        }
    }

    private void offload(EthDev port, boolean receive, String name, boolean on) {
        long bit = OffloadText.bit(name, receive);
        long there = receive ? port.info().receiveOffloads() : port.info().sendOffloads();
        if ((there & bit) == 0) {
            throw new Refusal(Errno.EINVAL, "Port " + port.number() + " has no offload '" + Words.shown(name)
                    + "' (" + (receive ? "RX" : "TX") + "_OFFLOAD_" + Words.shown(name).toUpperCase(Locale.ROOT)
                    + ") for packets that it " + (receive ? "receives" : "sends") + "; devices here know "
                    + OffloadText.known(receive) + ".");
        }
        ports.checkPrimary("configures them");
        if (port.isStarted()) {
            throw new Refusal(Errno.EBUSY, "Please stop port " + port.number() + " first: 'port stop " + port.number()
                    + "' comes first.");
        }
        ports.changed();
        (receive ? settings.receiveOffloads : settings.sendOffloads).set(port, bit, on);
    }

    private void mtu(EthDev port, int bytes) {
        port.mtu(bytes);
        settings.mtu(port, bytes);
    }

    private void numbers(List<String> words) {
        String what = words.get(3);
        if (what.equals("burst")) {
            SettingsReader.burst(settings, Words.number(what, words.get(4), 0, Settings.MOST_BURST));
            return;
        }
        int number = switch (what) {
            case "rxq", "txq" -> Words.number(what, words.get(4), 1, 1024);
            case "rxd", "txd" -> Words.number(what, words.get(4), 0, 65_536);
            default -> Words.number(what, words.get(4), SettingsReader.LEAST_FRAME, SettingsReader.MOST_FRAME);
        };
        allStopped();
        ports.changed();
        switch (what) {
            case "rxq" -> settings.receiveQueues = number;
            case "txq" -> settings.sendQueues = number;
            case "rxd" -> settings.receiveDescriptors = number;
            case "txd" -> settings.sendDescriptors = number;
            default -> settings.mtuOfAll(number - SettingsReader.ETHERNET);
        }
    }

    /** Ports that spread their packets already do it so at once, others from their next start on. */
    private String hash(String word) {
        ports.checkPrimary("spreads packets");
        settings.hashFields = switch (word) {
            // by default it is all that devices hash
            case "all", "default" -> RssHash.ALL;
            case "ip" -> RssHash.IPV4 | RssHash.IPV6;
            case "tcp" -> RssHash.IPV4_TCP | RssHash.IPV6_TCP;
            case "udp" -> RssHash.IPV4_UDP | RssHash.IPV6_UDP;
            case "none" -> 0;
            default -> throw Words.wrong("No device here hashes " + Words.shown(word) + ": it is all, default, ip, "
                    + "tcp, udp or none.");
        };
        settings.hashes.fieldsOfAll();
        StringBuilder text = new StringBuilder();
        for (EthDev port : ports.all()) {
            if (!port.isStarted() || port.plan() == null) {
                continue;
            }
            if (port.plan().rss() == null) {
                text.append(settings.outcome.told(new Refusal(Errno.EOPNOTSUPP, "Port " + port.number()
                        + " was not started to spread packets over queues; it hashes " + word
                        + " when it has several and is started again.")));
            } else {
                port.rss(new RssHash(port.rss().key(), settings.hashFields));
            }
        }
        ports.changed();
        return text.toString();
    }

    /** A key comes with the fields that it hashes, which are then the only ones. */
    private void key(EthDev port, String fields, String text) {
        try {
            RssHash hash = new RssHash(HexFormat.of().parseHex(text), QueueText.fields(fields));
            port.rss(hash);
            settings.hashes.hash(port, hash);
        } catch (IllegalArgumentException e) {
            throw Words.wrong("A key is an even number of hexadecimal digits, not '" + Words.shown(text) + "'.");
        }
    }

    private String redirect(EthDev port, String text) {
        int[] table = port.redirection();
        Map<Integer, Integer> queues = new TreeMap<>();
        String inner = text.startsWith("(") && text.endsWith(")") ? text.substring(1, text.length() - 1) : text;
        for (String pair : Arrays.asList(inner.split("[)],[(]", -1))) {
            String[] both = pair.split(",", -1);
            if (both.length != 2) {
                throw Words.wrong("Buckets and queues are written in pairs, as in (0,1),(1,0), not '"
                        + Words.shown(pair) + "'.");
            }
            int bucket = Words.number("A bucket", both[0], 0, table.length - 1);
            table[bucket] = Words.number("A queue", both[1], 0, 65_535);
            queues.put(bucket, table[bucket]);
        }
        port.redirection(table);
        settings.hashes.redirect(port, queues);
        return "The reta size of port " + port.number() + " is " + table.length + "\n";
    }
}
