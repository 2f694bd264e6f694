package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Map;

/** Settings from options. */
final class SettingsReader {
    private static final int MOST_QUEUES = 1024;
    private static final int MOST_DESCRIPTORS = 65_536;
    /** What a frame has beyond what its MTU counts: checksums of frames are not counted. */
    static final int ETHERNET = 14;
    static final int LEAST_FRAME = 64;
    static final int MOST_FRAME = 65_535;
    private static final long RECEIVE_CHECKSUMS = Offload.RECEIVE_IPV4_CHECKSUM | Offload.RECEIVE_UDP_CHECKSUM
            | Offload.RECEIVE_TCP_CHECKSUM;
    private static final int HEADROOM = 128;
    private static final int MOST_MEGABYTES = 1024;
    /** As many as a request of the device has places for. */
    private static final int MOST_SEGMENTS = 30;
    private static final int MOST_PARTS = 7;
    private static final int MOST_SIZES = 8;
    private static final int MOST_PACKET = 9000 + ETHERNET;
    /** Kinds of memory that pools are not made of, and why. */
    private static final Map<String, String> FOREIGN_MEMORY = Map.of(
            "anon", "memory of packets is a block that other processes can be given, and anonymous memory is none.",
            "xmem", "memory of packets is a block that other processes can be given, and external memory is none.",
            "xmemhuge", "memory of packets is in pages of the usual size, and there are no huge ones.",
            "xbuf", "bytes of packets lie in their pool; bundles attach blocks of their own to some (ExternalBuffer).");

    private SettingsReader() {
    }

    static Settings read(ProgramOptions options) {
        Settings settings = new Settings();
        options.value("forward-mode").ifPresent(mode -> mode(settings, mode));
        settings.topology = options.value("port-topology").map(Topology::of).orElse(Topology.PAIRED);
        int burst = options.number("burst", Settings.USUAL_BURST, 0, Settings.MOST_BURST);
        burst(settings, burst);
        if (burst == 0) {
            options.note("--burst=0: bursts have " + settings.burst + " packet, as the driver advertises.");
        }
        settings.ports = options.number("nb-ports", 0, 1, MOST_QUEUES);
        options.value("portlist")
                .ifPresent(list -> settings.chosenPorts.choose(Words.list("--portlist", list, MOST_QUEUES)));
        options.value("portmask").ifPresent(mask -> settings.chosenPorts.choose(Words.bits("--portmask", mask)));
        options.value("coremask").ifPresent(mask -> settings.coreList = Words.bits("--coremask", mask));
        settings.cores = options.number("nb-cores", Math.max(1, settings.coreList.size()), 1, MOST_QUEUES);
        settings.receiveQueues = options.number("rxq", 1, 1, MOST_QUEUES);
        settings.sendQueues = options.number("txq", 1, 1, MOST_QUEUES);
        settings.processes = options.number("num-procs", 1, 1, MOST_QUEUES);
        settings.process = options.number("proc-id", 0, 0, settings.processes - 1);
        settings.receiveDescriptors = options.number("rxd", 0, 0, MOST_DESCRIPTORS);
        settings.sendDescriptors = options.number("txd", 0, 0, MOST_DESCRIPTORS);
        options.value("rx-offloads")
                .ifPresent(mask -> settings.receiveOffloads.addForAll(Words.mask("--rx-offloads", mask)));
        options.value("tx-offloads")
                .ifPresent(mask -> settings.sendOffloads.addForAll(Words.mask("--tx-offloads", mask)));
        settings.receiveOffloads.addForAll(options.has("enable-rx-cksum") ? RECEIVE_CHECKSUMS : 0);
        settings.receiveOffloads.addForAll(options.has("enable-hw-vlan-strip") ? Offload.RECEIVE_VLAN_STRIP : 0);
        memory(settings, options);
        hash(settings, options);
        options.inOrder("eth-peer", "eth-peers-configfile").forEach(one -> peers(settings, one));
        settings.checksLinks = !options.has("disable-link-check");
        settings.hashesAlways = options.has("enable-rss");
        settings.recordsCores = options.has("record-core-cycles");
        settings.recordsBursts = options.has("record-burst-stats");
        options.value("display-xstats").ifPresent(names -> settings.shownExtended = List.of(names.split(",")));
        settings.measurement.of(options.number("latencystats", Measurement.NO_CORE, 0, MOST_QUEUES),
                options.number("bitrate-stats", Measurement.NO_CORE, 0, MOST_QUEUES));
        place(options);
        settings.looksAfterPorts = !options.has("no-rmv-interrupt");
        settings.hotPlug = options.has("hot-plug");
        settings.numa = !options.has("no-numa");
        if (options.has("no-lsc-interrupt")) {
            settings.printedEvents.set("--no-lsc-interrupt", EthDevEvent.Kind.INTR_LSC.label(), false);
        }
        options.inOrder("print-event", "mask-event").forEach(one -> settings.printedEvents.set("--" + one.name(),
                one.value(), one.name().equals("print-event")));
        made(settings, options);
        noisy(settings, options);
        return settings;
    }

    private static void peers(Settings settings, ProgramOptions.Given given) {
        if (given.name().equals("eth-peers-configfile")) {
            List<MacAddress> addresses = PeersFile.read(given.value());
            for (int port = 0; port < addresses.size(); port++) {
                settings.peersOfNumbers.put(port, addresses.get(port));
            }
            return;
        }
        int comma = given.value().indexOf(',');
        if (comma < 0) {
            throw Words.wrong("--eth-peer takes a port and an address, as in 0,00:0d:3a:00:00:01.");
        }
        settings.peersOfNumbers.put(Words.number("--eth-peer", given.value().substring(0, comma), 0, MOST_QUEUES),
                Words.mac(given.value().substring(comma + 1)));
    }

    /** Memory is one node, of one kind. */
    private static void place(ProgramOptions options) {
        options.number("socket-num", 0, 0, 0);
        for (String name : List.of("port-numa-config", "ring-numa-config")) {
            for (String entry : options.values(name)) {
                if (!entry.matches(name.startsWith("port") ? "[(]\\d+,0[)](,[(]\\d+,0[)])*"
                        : "[(]\\d+,[123],0[)](,[(]\\d+,[123],0[)])*")) {
                    throw Words.wrong("--" + name + " places ports at memory nodes, of which there is 0 alone here; '"
                            + Words.shown(entry) + "' is not " + (name.startsWith("port") ? "(0,0),(1,0)."
                            : "(0,1,0),(1,2,0)."));
                }
            }
        }
        options.value("mp-alloc").filter(kind -> !kind.equals("native")).ifPresent(kind -> {
            String why = FOREIGN_MEMORY.get(kind);
            throw why == null
                    ? Words.wrong("mp-alloc " + Words.shown(kind) + " invalid - must be: native, anon, xmem, xmemhuge "
                    + "or xbuf; here it is native.")
                    : new Refusal(Errno.EOPNOTSUPP, "--mp-alloc=" + kind + " is not carried out here: " + why
                    + " Leave it out, or give native.");
        });
    }

    static void mode(Settings settings, String word) {
        settings.mode = Mode.of(word);
    }

    static void burst(Settings settings, int burst) {
        settings.burst = burst == 0 ? Settings.DRIVER_BURST : burst;
    }

    private static void memory(Settings settings, ProgramOptions options) {
        settings.cache = options.number("mbcache", 250, 0, 512);
        settings.packets = options.number("total-num-mbufs", 0, 0, 1 << 24);
        options.value("mbuf-size").ifPresent(text -> settings.room = room(options, text));
        options.value("max-pkt-len").ifPresent(text -> settings.mtuOfAll(Words.number("--max-pkt-len", text,
                LEAST_FRAME, MOST_FRAME) - ETHERNET));
        options.value("txpkts").ifPresent(text -> segments(settings, text));
        options.value("rxpkts").ifPresent(text -> settings.receiveLengths = parts("--rxpkts", text));
        options.value("rxoffs").ifPresent(text -> settings.receiveOffsets = parts("--rxoffs", text));
        options.value("rxhdrs").ifPresent(text -> settings.receiveHeaders = SplitHeaders.read("--rxhdrs", text));
    }

    /** Bytes of a packet behind its headroom: those of the first size, as no device here fills packets of several. */
    private static int room(ProgramOptions options, String text) {
        String[] sizes = text.split(",", MOST_SIZES + 1);
        if (sizes.length > MOST_SIZES) {
            throw Words.wrong("--mbuf-size takes at most " + MOST_SIZES + " sizes.");
        }
        int[] rooms = new int[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            rooms[i] = Words.number("--mbuf-size", sizes[i], HEADROOM + 64, 65_535) - HEADROOM;
        }
        if (sizes.length > 1) {
            options.note("--mbuf-size: packets have the first size, " + sizes[0] + "; the others are for devices that "
                    + "split received packets, and there is none here.");
        }
        return rooms[0];
    }

    /** The headers lie in the first segment. */
    static void segments(Settings settings, String text) {
        String[] lengths = text.split(",", MOST_SEGMENTS + 1);
        if (lengths.length > MOST_SEGMENTS) {
            throw Words.wrong("A packet has at most " + MOST_SEGMENTS
                    + " segments, which is what a request of the device takes.");
        }
        int[] segments = new int[lengths.length];
        int all = 0;
        for (int i = 0; i < lengths.length; i++) {
            segments[i] = Words.number(i == 0 ? "The length of packets, or of their first segment,"
                    : "The length of a segment", lengths[i], i == 0 ? Settings.LEAST_PACKET : 1, settings.room);
            all += segments[i];
        }
        if (all > MOST_PACKET) {
            throw Words.wrong("A packet of " + all + " bytes is longer than the " + MOST_PACKET
                    + " of the longest frame; give shorter segments.");
        }
        settings.segments = segments;
        settings.packetSize = all;
    }

    /** Packets are those of a primary, whose room is another than what options say. */
    static void fit(Settings settings, int room) {
        for (int length : settings.segments) {
            if (length > room) {
                throw Words.wrong("A segment of " + length + " bytes has no place in a packet of the primary, which "
                        + "has room for " + room + "; give shorter segments by --txpkts.");
            }
        }
        settings.room = room;
    }

    /** Lengths or places of the parts of received packets. No device here splits them, so these are only shown. */
    static int[] parts(String what, String text) {
        String[] words = text.split(",", MOST_PARTS + 1);
        if (words.length > MOST_PARTS) {
            throw Words.wrong(what + " takes at most " + MOST_PARTS + " numbers.");
        }
        int[] parts = new int[words.length];
        for (int i = 0; i < words.length; i++) {
            parts[i] = Words.number(what, words[i], 0, 65_534);
        }
        return parts;
    }

    private static void hash(Settings settings, ProgramOptions options) {
        if (options.has("rss-ip")) {
            settings.hashFields = RssHash.IPV4 | RssHash.IPV6;
        }
        if (options.has("rss-udp")) {
            settings.hashFields = RssHash.IPV4 | RssHash.IPV6 | RssHash.IPV4_UDP | RssHash.IPV6_UDP;
        }
        if (options.has("disable-rss")) {
            settings.hashFields = 0;
        }
    }

    private static void made(Settings settings, ProgramOptions options) {
        options.value("tx-ip").ifPresent(text -> {
            String[] both = text.split(",", -1);
            if (both.length != 2) {
                throw Words.wrong("--tx-ip takes two addresses, as in 198.18.0.1,198.18.0.2.");
            }
            settings.sourceAddress = Words.ipv4(both[0]);
            settings.destinationAddress = Words.ipv4(both[1]);
        });
        options.value("tx-udp").ifPresent(text -> {
            String[] both = text.split(",", -1);
            if (both.length > 2) {
                throw Words.wrong("--tx-udp takes one port or two, as in 9,9.");
            }
            settings.sourcePort = Words.number("--tx-udp", both[0], 0, 65_535);
            settings.destinationPort = Words.number("--tx-udp", both[both.length - 1], 0, 65_535);
        });
        settings.multiFlow = options.has("txonly-multi-flow");
        // one option by its two names
        for (String name : List.of("txonly-flows", "txonly-nb-flows")) {
            settings.flowsOfLane = options.number(name, settings.flowsOfLane, 1, TxOnly.MOST_FLOWS);
        }
        settings.flows = options.number("flowgen-flows", 1024, 1, 1 << 20);
        settings.clones = options.number("flowgen-clones", 0, 0, 1 << 20);
    }

    private static void noisy(Settings settings, ProgramOptions options) {
        settings.noisyBuffer = options.number("noisy-tx-sw-buffer-size", 0, 0, 65_535);
        settings.noisyFlushMillis = options.number("noisy-tx-sw-buffer-flushtime", 0, 0, 60_000);
        settings.noisyMegabytes = options.number("noisy-lkup-memory", 0, 0, MOST_MEGABYTES);
        int both = options.number("noisy-lkup-num-reads-writes", 0, 0, 10_000);
        settings.noisyWrites = both + options.number("noisy-lkup-num-writes", 0, 0, 10_000);
        settings.noisyReads = both + options.number("noisy-lkup-num-reads", 0, 0, 10_000);
        settings.noisyMode = options.value("noisy-forward-mode").map(Mode::ofNoisy).orElse(Mode.IO);
    }
}
