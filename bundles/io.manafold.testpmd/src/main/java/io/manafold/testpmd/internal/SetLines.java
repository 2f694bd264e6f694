package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The lines of the prompt that set what the next start takes. */
final class SetLines {
    private static final String CONFIG = "config";
    private static final int MOST_TAG = 4095;

    private final Ports ports;
    private final Forwarding forwarding;
    private final Settings settings;

    SetLines(Ports ports, Forwarding forwarding, Settings settings) {
        this.ports = ports;
        this.forwarding = forwarding;
        this.settings = settings;
    }

    void addTo(Grammar grammar) {
        String modes = String.join("|", Mode.words());
        grammar.add(CONFIG, "set fwd " + modes, "chooses the mode of the next start",
                words -> mode(words.get(2), false));
        grammar.add(CONFIG, "set fwd " + modes + " retry", "and has packets that were not taken sent again",
                words -> mode(words.get(2), true));
        grammar.add(CONFIG, "set burst N", "packets that are moved at once", words -> {
            SettingsReader.burst(settings, Words.number("set burst", words.get(2), 0, Settings.MOST_BURST));
            return "Number of packets per burst set to " + settings.burst + "\n";
        });
        add(grammar, "set burst tx delay MICROSECONDS retry N", "how retry tries", words -> {
            settings.delayMicros = Words.number("delay", words.get(4), 0, 1_000_000);
            settings.retries = Words.number("retry", words.get(6), 0, 1_000_000);
        });
        add(grammar, "set txpkts LENGTHS", "the length of packets that are made, or those of their segments, as in "
                + "64,128", words -> packetLengths(words.get(2)));
        add(grammar, "set txsplit off|on|rand", "whether packets that are made, or copied by csum, have all of these "
                + "segments, or a number that is left to chance", words -> settings.split = Split.of(words.get(2)));
        add(grammar, "set rxpkts LENGTHS", "how received packets were to be split, if a device could",
                words -> settings.receiveLengths = SettingsReader.parts("set rxpkts", words.get(2)));
        add(grammar, "set rxoffs OFFSETS", "where the parts of received packets were to begin",
                words -> settings.receiveOffsets = SettingsReader.parts("set rxoffs", words.get(2)));
        add(grammar, "set rxhdrs HEADERS", "behind which headers received packets were to be split, as in eth,ipv4",
                words -> settings.receiveHeaders = SplitHeaders.read("set rxhdrs", words.get(2)));
        add(grammar, "set eth-peer PORT MAC", "whom packets of a port go to",
                words -> settings.peer(ports.get(Words.port(words.get(2))), Words.mac(words.get(3))));
        which(grammar);
        grammar.add(CONFIG, "set verbose N", "prints packets: 1 those received, 2 those sent, 3 both, 0 none",
                words -> {
            int before = settings.printer.level();
            settings.printer.level(Words.number("set verbose", words.get(2), 0, 65_535));
            return "Change verbose level from " + before + " to " + settings.printer.level() + "\n";
        });
        grammar.add(CONFIG, "set promisc PORT on|off", "promiscuous mode, where the device has it",
                words -> each(words.get(2), port -> port.promiscuous(words.get(3).equals("on"))));
        grammar.add(CONFIG, "set allmulti PORT on|off", "frames for all groups, where the device has such a mode",
                words -> each(words.get(2), port -> allMulticast(port, words.get(3).equals("on"))));
        offloads(grammar);
    }

    private void packetLengths(String text) {
        int before = settings.segments.length;
        SettingsReader.segments(settings, text);
        if (before > 1 != settings.segments.length > 1) {
            ports.changed();
        }
    }

    /** Which ports and cores forward. */
    private void which(Grammar grammar) {
        grammar.add(CONFIG, "set nbport N", "how many ports forward", words -> {
            settings.ports = Words.number("set nbport", words.get(2), 1, Math.max(1, ports.all().size()));
            return "Number of forwarding ports set to " + settings.ports + "\n" + odd();
        });
        grammar.add(CONFIG, "set nbcore N", "how many cores forward", words -> {
            settings.cores = Words.number("set nbcore", words.get(2), 1, forwarding.able().size());
            return "Number of forwarding cores set to " + settings.cores + "\n";
        });
        grammar.add(CONFIG, "set portlist LIST", "which ports forward",
                words -> portList(Words.list("set portlist", words.get(2), 1023)));
        grammar.add(CONFIG, "set portmask MASK", "which ports forward",
                words -> portList(Words.bits("set portmask", words.get(2))));
        grammar.add(CONFIG, "set corelist LIST", "which cores forward",
                words -> coreList(Words.list("set corelist", words.get(2), 1023)));
        grammar.add(CONFIG, "set coremask MASK", "which cores forward",
                words -> coreList(Words.bits("set coremask", words.get(2))));
        grammar.add(CONFIG, "set default", "all ports and one core forward", _ -> {
            settings.chosenPorts.choose(List.of());
            settings.coreList = List.of();
            settings.ports = 0;
            settings.cores = 1;
            return "Reset to default forwarding configuration...\n";
        });
    }

    private void offloads(Grammar grammar) {
        grammar.add(CONFIG, "csum set ip|udp|tcp hw|sw PORT",
                "who computes checksums of what csum mode sends out of a port, which is stopped", words -> {
            checksum(words);
            return checksums(ports.get(Words.port(words.get(4))));
        });
        grammar.add(CONFIG, "csum show PORT", "shows who computes checksums in csum mode", words -> {
            return checksums(ports.get(Words.port(words.get(2))));
        });
        add(grammar, "tx_vlan set PORT TAG", "has a port, which is stopped, put the tag of a VLAN into what txonly and "
                + "flowgen make, and mac, macswap and 5tswap send", words -> tag(words.get(2), words.get(3)));
        add(grammar, "tx_vlan reset PORT", "has a port, which is stopped, put no tag into what it sends", words -> {
            EthDev port = stopped(words.get(2));
            ports.changed();
            settings.sendTag(port, SendTag.NONE);
        });
        add(grammar, "vlan set strip on|off PORT", "whether tags are taken off; the port is stopped", words -> {
            EthDev port = stopped(words.get(4));
            ports.changed();
            settings.receiveOffloads.set(port, Offload.RECEIVE_VLAN_STRIP,
                    words.get(3).equals("on"));
        });
    }

    private static void add(Grammar grammar, String form, String help, Consumer<List<String>> action) {
        grammar.add(CONFIG, form, help, words -> {
            action.accept(words);
            return "";
        });
    }

    /** Does it with each port; what one refuses is told, and keeps no other from it. */
    private String each(String word, Consumer<EthDev> action) {
        StringBuilder text = new StringBuilder();
        for (EthDev port : ports.of(word)) {
            try {
                action.accept(port);
            } catch (Refusal refused) {
                text.append(settings.outcome.told(refused));
            }
        }
        return text.toString();
    }

    private static void allMulticast(EthDev port, boolean on) {
        if (on) {
            throw new Refusal(Errno.EOPNOTSUPP, "Port " + port.number() + " (" + port.name()
                    + ") has no all-multicast mode: its driver, " + port.info().driver() + ", has no such operation.");
        }
    }

    private String mode(String word, boolean retry) {
        Mode mode = Mode.of(word);
        if (retry && mode == Mode.RXONLY) {
            throw Words.wrong("Bad arguments: rxonly sends nothing, so there is nothing to retry.");
        }
        settings.mode = mode;
        settings.retry = retry;
        return "Set " + mode.word() + " packet forwarding mode" + (retry ? " with retry" : "") + "\n";
    }

    private String portList(List<Integer> list) {
        list.forEach(ports::get);
        int before = ports.forwarding().size();
        settings.chosenPorts.choose(list);
        settings.ports = 0;
        return before == list.size() ? "" : "Number of forwarding ports set to " + list.size() + "\n" + odd();
    }

    private String odd() {
        return settings.topology == Topology.PAIRED && ports.forwarding().size() % 2 == 1 ? Run.ODD : "";
    }

    private String coreList(List<Integer> list) {
        forwarding.checkCores(list);
        int before = settings.cores;
        settings.coreList = list;
        settings.cores = Math.max(1, list.size());
        return before == settings.cores ? "" : "Number of forwarding cores set to " + settings.cores + "\n";
    }

    private void checksum(List<String> words) {
        boolean device = words.get(3).equals("hw");
        EthDev port = ports.get(Words.port(words.get(4)));
        long offload = switch (words.get(2)) {
            case "ip" -> Offload.SEND_IPV4_CHECKSUM;
            case "udp" -> Offload.SEND_UDP_CHECKSUM;
            default -> Offload.SEND_TCP_CHECKSUM;
        };
        if (device && (port.info().sendOffloads() & offload) == 0) {
            throw new Refusal(Errno.EOPNOTSUPP, words.get(2).toUpperCase(Locale.ROOT)
                    + " checksum offload is not supported by port " + port.number() + ": it computes none of these.");
        }
        stopped(words.get(4));
        ports.changed();
        settings.sendOffloads.set(port, offload, device);
    }

    private void tag(String word, String text) {
        EthDev port = ports.get(Words.port(word));
        int tag = Words.number("tx_vlan", text, 0, MOST_TAG);
        if ((port.info().sendOffloads() & Offload.SEND_VLAN_INSERT) == 0) {
            throw new Refusal(Errno.EOPNOTSUPP, "Port " + port.number() + " puts no tags into what it sends: its "
                    + "device has no such offload.");
        }
        stopped(word);
        ports.changed();
        settings.sendTag(port, tag);
    }

    /** What is sent out of a port: tunnels are not looked into here, and SCTP is left alone. */
    private String checksums(EthDev port) {
        long set = settings.sendOffloads.of(port);
        return "Parse tunnel is off\n" + by("IP", (set & Offload.SEND_IPV4_CHECKSUM) != 0)
                + by("UDP", (set & Offload.SEND_UDP_CHECKSUM) != 0) + by("TCP", (set & Offload.SEND_TCP_CHECKSUM) != 0)
                + by("SCTP", false) + by("Outer-Ip", false) + by("Outer-Udp", false);
    }

    private static String by(String what, boolean device) {
        return what + " checksum offload is " + (device ? "hw" : "sw") + "\n";
    }

    private EthDev stopped(String word) {
        EthDev port = ports.get(Words.port(word));
        ports.checkPrimary("configures them");
        if (forwarding.isRunning() || port.isStarted()) {
            throw new Refusal(Errno.EBUSY, "Please stop port " + port.number() + " first: 'stop' and 'port stop "
                    + port.number() + "' do it.");
        }
        return port;
    }
}
