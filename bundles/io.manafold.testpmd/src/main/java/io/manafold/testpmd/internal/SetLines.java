package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.function.Consumer;

/** The lines of the prompt that set what the next start takes. */
final class SetLines {
    private static final String CONFIG = "config";

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
        add(grammar, "set fwd " + modes, "chooses the mode of the next start", words -> mode(words.get(2), false));
        add(grammar, "set fwd " + modes + " retry", "and has packets that were not taken sent again", words -> mode(words.get(2), true));
        add(grammar, "set burst N", "packets that are moved at once", words -> SettingsReader.burst(settings,
                Words.number("set burst", words.get(2), 0, Settings.MOST_BURST)));
        add(grammar, "set burst tx delay MICROSECONDS retry N", "how retry tries", words -> {
            settings.delayMicros = Words.number("delay", words.get(4), 0, 1_000_000);
            settings.retries = Words.number("retry", words.get(6), 0, 1_000_000);
        });
        add(grammar, "set txpkts LENGTH", "the length of packets that are made", words -> SettingsReader.packetSize(settings, words.get(2)));
        add(grammar, "set eth-peer PORT MAC", "whom packets of a port go to", words -> settings.peers.put(
                ports.get(Words.number("A port", words.get(2), 0, Integer.MAX_VALUE)).number(), Words.mac(words.get(3))));
        add(grammar, "set nbport N", "how many ports forward", words -> settings.ports = Words.number("set nbport", words.get(2), 1,
                Math.max(1, ports.all().size())));
        add(grammar, "set nbcore N", "how many cores forward", words -> settings.cores = Words.number("set nbcore", words.get(2), 1, 1024));
        add(grammar, "set portlist LIST", "which ports forward", words -> portList(Words.list("set portlist", words.get(2), 1023)));
        add(grammar, "set portmask MASK", "which ports forward", words -> portList(Words.bits("set portmask", words.get(2))));
        add(grammar, "set corelist LIST", "which cores forward", words -> coreList(Words.list("set corelist", words.get(2), 1023)));
        add(grammar, "set coremask MASK", "which cores forward", words -> coreList(Words.bits("set coremask", words.get(2))));
        add(grammar, "set default", "all ports and one core forward", _ -> {
            settings.portList = List.of();
            settings.coreList = List.of();
            settings.ports = 0;
            settings.cores = 1;
        });
        add(grammar, "set verbose N", "accepted; packets are not printed", words -> settings.verbose = Words.number("set verbose",
                words.get(2), 0, 65_535));
        add(grammar, "set promisc PORT on|off", "promiscuous mode, where the device has it",
                words -> ports.of(words.get(2)).forEach(port -> port.promiscuous(words.get(3).equals("on"))));
        grammar.add(CONFIG, "csum set ip|udp|tcp hw|sw PORT", "who computes checksums in csum mode; the port is stopped", words -> {
            checksum(words);
            return checksums();
        });
        grammar.add(CONFIG, "csum show PORT", "shows who computes checksums in csum mode", words -> {
            ports.get(Words.number("A port", words.get(2), 0, Integer.MAX_VALUE));
            return checksums();
        });
        add(grammar, "vlan set strip on|off PORT", "whether tags are taken off; the port is stopped", words -> {
            stopped(words.get(4));
            ports.changed();
            long bit = 1;
            settings.receiveOffloads = words.get(3).equals("on") ? settings.receiveOffloads | bit : settings.receiveOffloads & ~bit;
        });
    }

    private static void add(Grammar grammar, String form, String help, Consumer<List<String>> action) {
        grammar.add(CONFIG, form, help, words -> {
            action.accept(words);
            return "";
        });
    }

    private void mode(String word, boolean retry) {
        Mode mode = Mode.of(word);
        if (retry && mode == Mode.RXONLY) {
            throw Words.wrong("rxonly sends nothing, so there is nothing to retry.");
        }
        settings.mode = mode;
        settings.retry = retry;
    }

    private void portList(List<Integer> list) {
        list.forEach(ports::get);
        settings.portList = list;
        settings.ports = 0;
    }

    private void coreList(List<Integer> list) {
        settings.coreList = list;
        settings.cores = Math.max(1, list.size());
    }

    private void checksum(List<String> words) {
        boolean device = words.get(3).equals("hw");
        EthDev port = ports.get(Words.number("A port", words.get(4), 0, Integer.MAX_VALUE));
        int bit = switch (words.get(2)) {
            case "ip" -> 1;
            case "udp" -> 2;
            default -> 3;
        };
        if (device && (port.info().sendOffloads() >>> bit & 1) == 0) {
            throw new Refusal(Errno.EOPNOTSUPP, "Port " + port.number() + " does not compute checksums of " + words.get(2) + ".");
        }
        stopped(words.get(4));
        ports.changed();
        settings.sendOffloads = device ? settings.sendOffloads | 1L << bit : settings.sendOffloads & ~(1L << bit);
        switch (bit) {
            case 1 -> settings.ipByDevice = device;
            case 2 -> settings.udpByDevice = device;
            default -> settings.tcpByDevice = device;
        }
    }

    /** Tunnels are not looked into here, and SCTP is left alone. */
    private String checksums() {
        return "Parse tunnel is off\n" + by("IP", settings.ipByDevice) + by("UDP", settings.udpByDevice) + by("TCP", settings.tcpByDevice)
                + by("SCTP", false) + by("Outer-Ip", false) + by("Outer-Udp", false);
    }

    private static String by(String what, boolean device) {
        return what + " checksum offload is " + (device ? "hw" : "sw") + "\n";
    }

    private EthDev stopped(String word) {
        EthDev port = ports.get(Words.number("A port", word, 0, Integer.MAX_VALUE));
        if (forwarding.isRunning() || port.isStarted()) {
            throw new Refusal(Errno.EBUSY, "Port " + port.number() + " is started; 'stop' and 'port stop " + port.number()
                    + "' come first.");
        }
        return port;
    }
}
