package io.manafold.lab.internal;

import static io.manafold.lab.internal.Key.optional;
import static io.manafold.lab.internal.Key.preset;
import static io.manafold.lab.internal.Key.required;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The lists of a lab file and the keys of their entries: the one table from which files are read and checked, changes
 * are worded and the reference page is written. In the order in which entries are brought up.
 */
enum Section {
    ADAPTERS("io.manafold.adapter", List.of(),
            "Software adapters: each is a PCI function with ports, on the bus from when the lab comes up.",
            required("name", Texts.name(Section.ENTRY_NAME), "What commands and the other lists call it.", "one"),
            optional("address", Texts.pciAddress(), "the first free one from 7870:00:00.0",
                    "Where the function sits on the bus.", "7870:00:01.0"),
            preset("ports", Numbers.integer(1, 8), "1", "How many Ethernet ports it has.", "2"),
            optional("macs", Texts.mac(), "made from address and port: 00:0d:3a:00:00:01",
                    "The ports' MAC addresses, the first port's first; there may be fewer than ports.",
                    "[00:0d:3a:00:00:01]").list(),
            preset("queues", Numbers.integer(1, 64), "16", "How many queue pairs a port has at most.", "4"),
            preset("speed", Numbers.rate("10mbit", "400gbit"), "200gbit", "What each port announces as its speed.",
                    "100gbit"),
            preset("mtu", Numbers.integer(1514, 9014), "9014",
                    "The longest frame it takes, in bytes, the header of 14 included.", "1514"),
            optional("firmware", Texts.month(), "the newest",
                    "The month whose firmware it behaves like: it decides which messages are known.", "2026-10"),
            optional("shapers", Texts.choice("full", "parity"), "full",
                    "What limits drivers can set: full, trees of shapers; parity, what Linux knows alone, one limit "
                            + "for each port.", "parity"),
            preset("rdma", Texts.choice("off", "first", "all"), "first",
                    "Which ports speak RDMA: off, none; first, the first one alone; all.", "off"),
            preset("rdma-timeout", Numbers.duration("0", "10s"), "50ms",
                    "How long a queue pair waits for an acknowledgement at least before it repeats what it sent, "
                            + "whatever its driver asks for: the processors of a virtual machine wait for their turn.",
                    "1ms"),
            optional("limits", Texts.objectLimit(), "as high as they can be",
                    "How many objects of a kind a driver can have it make, where that is to be fewer: what "
                            + "adapter limits shows.", "[event_queues=8]").list()),

    LINKS("io.manafold.link", List.of(),
            "What ports are plugged into.",
            required("name", Texts.name(Section.ENTRY_NAME), "What commands call it.", "net"),
            preset("kind", Texts.choice("switch", "direct", "tap", "packet"), "switch",
                    "switch: a learning switch between any ports; direct: a cable between two ports; tap: one port and "
                            + "a tap device of the host; packet: one port and an interface of the host.", "direct"),
            required("ports", Texts.port(), "The ports it joins; a port takes one link.", "[one/1, one/2]").list(),
            optional("interface", Texts.name(Section.INTERFACE_NAME), "only with kind tap or packet, which need it",
                    "The host's interface.", "tap0"),
            preset("loss", Numbers.percent(), "0", "Share of the frames that are lost.", "0.5%"),
            preset("duplicate", Numbers.percent(), "0", "Share of the frames that arrive twice.", "1%"),
            preset("reorder", Numbers.percent(), "0", "Share of the frames that arrive after their successor.", "1%"),
            preset("delay", Numbers.duration("0", "10s"), "0", "How much later every frame arrives.", "2ms"),
            preset("seed", Numbers.large(0, Long.MAX_VALUE), "1",
                    "Start of the random numbers behind loss, duplicate, reorder and ecn-probability: the same seed, "
                            + "the same frames.", "7"),
            optional("rate", Numbers.rate("1mbit", "400gbit"), "frames never wait for others",
                    "The rate at which frames leave towards each port; others wait in a queue in front of it.",
                    "1gbit"),
            optional("buffer", Numbers.size("16kib", "16mib"), "1mib with a rate; only then",
                    "How much waits in front of a port at most; what comes then is dropped. Frames of less than 64 "
                            + "bytes count as 64.", "256kib"),
            optional("ecn-min", Numbers.size("0", "16mib"), "0 with ecn-max; only then",
                    "Up to how much in a queue no packet is marked as having met congestion.", "5kib"),
            optional("ecn-max", Numbers.size("1b", "16mib"), "no packet is marked; only with rate",
                    "With more than this in a queue, every packet is marked whose ends understand marks (ECN); below, "
                            + "the more the longer the queue.", "200kib"),
            optional("ecn-probability", Numbers.percent(), "20% with ecn-max; only then",
                    "Share of the packets that are marked just below ecn-max.", "10%"),
            optional("pfc", Texts.choice("0", "1", "2", "3", "4", "5", "6", "7"), "none; only with rate",
                    "The classes of frames that ports are asked to stop sending (pause frames, 802.1Qbb) before a "
                            + "queue overflows. The class of an IP packet is its DSCP divided by 8, that of other "
                            + "frames the priority of their tag, or 0.", "[3, 4]").list(),
            optional("pfc-xoff", Numbers.size("1b", "16mib"), "a quarter of buffer with pfc; only then",
                    "With more than this from a port waiting in queues, it is asked to stop.", "64kib"),
            optional("pfc-xon", Numbers.size("0", "16mib"), "half of pfc-xoff with pfc; only then",
                    "When no more than this waits, it may go on.", "32kib"),
            optional("capture", Texts.path(), "no capture",
                    "The pcapng file that everything on the link is written to.", "net.pcapng")),

    EXPORTS("io.manafold.export", List.of("adapter"),
            "Adapters that are lent to a virtual machine over a socket, instead of being driven here.",
            optional("name", Texts.name(Section.ENTRY_NAME), "the adapter's", "What changes and messages call it.",
                    "guest"),
            required("adapter", Texts.reference("adapters"), "The adapter to lend.", "one"),
            optional("socket", Texts.path(), "made from the adapter's name",
                    "The socket a virtual machine connects to.", "one.sock"),
            preset("memory", Numbers.size("1mib", "16tib"), "1tib",
                    "How much of its memory the virtual machine can have mapped here; all together have 16tib.",
                    "64gib")),

    BORROW("io.manafold.borrow", List.of(),
            "Functions that another platform lends over a socket: on the bus here, and driven here, whenever they are "
                    + "lent.",
            required("name", Texts.name(Section.ENTRY_NAME), "What commands and the list of devices call it; no "
                    + "adapter's name.", "far"),
            required("socket", Texts.path(), "The socket at which it is lent.", "/run/manafold/one.sock"),
            optional("address", Texts.pciAddress(), "the first free one from 7871:00:00.0",
                    "Where the function sits on the bus here.", "7871:00:01.0")),

    DEVICES("io.manafold.device", List.of(),
            "Network devices: the driver's end of a port, with its administrator's settings.",
            required("name", Texts.name(Section.INTERFACE_NAME), "What the network device is called.", "mana0"),
            required("on", Texts.port(), "The port it drives, of an adapter or of what is borrowed.", "one/1"),
            optional("driver", Texts.driver(), "whichever fits",
                    "The only driver allowed on the port's adapter, perhaps with its version.", "ethernet 1.0.0"),
            preset("mtu", Numbers.integer(68, 9000), "1500", "The longest packet it sends, in bytes.", "9000"),
            optional("addresses", Texts.network(), "none", "Its addresses with their prefix lengths.",
                    "[10.77.0.1/24, fd77::1/64]").list(),
            preset("up", Texts.flag(), "true", "Whether it is up.", "false"),
            optional("tap", Texts.name(Section.INTERFACE_NAME), "the platform's own host answers",
                    "The tap interface through which the host's own kernel is behind it.", "tap0"),
            optional("dhcp", Texts.addressRange(), "none", "The addresses that its host gives to others by DHCP, at "
                    + "most 256 of the network of one of its own; not with tap.", "10.77.0.100-10.77.0.199")),

    PAIRS("io.manafold.pair", List.of(),
            "A synthetic device and the virtual function of a port, as one network device: what is sent goes by the "
                    + "virtual function while that is there, else by the synthetic device, which is plugged in beside "
                    + "the port.",
            required("name", Texts.name(Section.INTERFACE_NAME), "What the network device above both is called.",
                    "eth1"),
            required("port", Texts.port(), "The port whose virtual function it is.", "one/1"),
            preset("mtu", Numbers.integer(68, 9000), "1500", "The longest packet both send, in bytes.", "9000"),
            optional("addresses", Texts.network(), "none", "Its addresses with their prefix lengths.",
                    "[10.77.0.1/24, fd77::1/64]").list(),
            preset("up", Texts.flag(), "true", "Whether it is up.", "false"),
            optional("tap", Texts.name(Section.INTERFACE_NAME), "the platform's own host answers",
                    "The tap interface through which the host's own kernel is behind it.", "tap0")),

    SHAPERS("io.manafold.shaper", List.of("device", "scope", "id"),
            "Limits on what a network device sends.",
            optional("name", Texts.name(Section.ENTRY_NAME), "made from device, scope and id",
                    "What changes and messages call it.", "slow"),
            required("device", Texts.reference("devices"), "The network device it limits.", "mana0"),
            preset("scope", Texts.choice("netdev", "queue", "node"), "netdev",
                    "Whether it limits the whole device, one queue, or what is below a node.", "queue"),
            optional("id", Numbers.integer(0, Section.LAST_NODE), "only with scope queue and node, which need it",
                    "The queue or node, counted from 0.", "3"),
            optional("parent", Numbers.integer(0, Section.LAST_NODE), "right below the device",
                    "The node that a queue or node is below; it stands in the list, too.", "0"),
            preset("metric", Texts.choice("bps", "pps"), "bps",
                    "What rates and burst count: bps, bits and bytes; pps, packets.", "pps"),
            optional("bw-max", Numbers.limit("1kbit", "1tbit"), "no limit", "The most it may send.", "500mbit"),
            optional("bw-min", Numbers.limit("1kbit", "1tbit"), "no guarantee", "What it gets even when others flood.",
                    "100mbit"),
            optional("burst", Numbers.large(1, Long.MAX_VALUE), "the device decides",
                    "What it may send at once after a pause, in bytes or packets.", "64000"),
            optional("priority", Numbers.integer(0, Integer.MAX_VALUE), "the device decides",
                    "Strict priority among its neighbours.", "1"),
            optional("weight", Numbers.integer(1, Integer.MAX_VALUE), "the device decides",
                    "Share among neighbours of its priority.", "3")),

    FAULTS("io.manafold.fault", List.of("adapter", "message"),
            "What adapters do wrong on purpose.",
            optional("name", Texts.name(Section.ENTRY_NAME), "made from adapter and message",
                    "What changes and messages call it.", "refuse-tx"),
            required("adapter", Texts.reference("adapters"), "The adapter that misbehaves.", "one"),
            optional("message", Texts.message(), "the next message of any kind",
                    "The hardware-channel message whose answer goes wrong.", "configure-vport-tx"),
            preset("effect", Texts.choice("status", "late", "twice", "short", "oversized", "reordered", "withhold",
                            "withhold-completion"),
                    "status", "What is wrong with the answer: it carries a status of failure, comes late, comes twice, "
                            + "is cut short, is longer than asked for, is overtaken by the next one, never comes; or, "
                            + "once, the next completion of a port's send queues never comes.", "late"),
            optional("port", Texts.port(), "only with effect withhold-completion, which needs it",
                    "The port whose completion never comes.", "one/1"),
            optional("status", Texts.status(), "only with effect status, which needs it", "The status it carries.",
                    "0xc00000bb"),
            optional("delay", Numbers.duration("1us", "60s"), "only with effect late, which needs it",
                    "How late it comes.", "500ms"),
            preset("once", Texts.flag(), "false", "Whether the fault is spent after one answer.", "true"),
            optional("script", Texts.scriptLine(), "one fault, as the other keys say",
                    "Faults one after the other instead: lines as 'fault script' takes them, without the adapter.",
                    "[seed 7, --effect twice after 10 answers every 3]").list()),

    LISTENERS("io.manafold.listener", List.of("do", "at"),
            "Where connections come in, and what becomes of them, as with 'sock listen'.",
            optional("name", Texts.name(Section.ENTRY_NAME), "made from do and at, with - for what no name has",
                    "What changes and messages call it.", "front"),
            required("at", SocketTexts.address(), "Where it listens; port 0 finds one.", "127.0.0.1:7000"),
            preset("do", Texts.choice("echo", "sink", "source", "file"), "echo",
                    "What becomes of a connection: echo sends back what comes, sink takes it, source sends without "
                            + "end, file sends a file.", "sink"),
            optional("file", Texts.path(), "only with do file, which needs it", "The file that is sent.",
                    "/etc/services"),
            preset("transport", Texts.choice("nio", "uring", "rdma"), "uring",
                    "What carries the connections; where there are no rings, uring is carried by Java's channels.",
                    "nio"),
            optional("knobs", SocketTexts.knob(), "each as the transport does it best",
                    "What is demanded of knobs, or preferred.", "[gather=off, prefer:memory=registered]").list()),

    STATES("io.manafold.state", List.of("adapter", "state"),
            "States that a check of 'doctor' tells of, brought about on purpose once all else is there, as 'fault "
                    + "inject --state' does.",
            optional("name", Texts.name(Section.ENTRY_NAME), "made from adapter and state",
                    "What changes and messages call it.", "broken"),
            required("adapter", Texts.reference("adapters"), "The adapter that is in it.", "one"),
            required("state", Texts.choice("revoked", "no-driver", "refused", "no-rdma-driver", "ports-up"),
                    "revoked: its function is off the bus; no-driver: no driver has its function; refused: it refuses "
                            + "what the driver asks; no-rdma-driver: no driver has its device for RDMA; ports-up: its "
                            + "network devices are up, so poll mode cannot have their ports.", "no-driver"));

    /** The last number of a node. */
    static final int LAST_NODE = 67_108_862;
    /** The longest name of an entry. */
    static final int ENTRY_NAME = 64;
    /** The longest name that the host's kernel gives a network interface. */
    static final int INTERFACE_NAME = 15;

    private final String pid;
    private final List<String> namedBy;
    private final String meaning;
    private final List<Key> keys;

    Section(String pid, List<String> namedBy, String meaning, Key... keys) {
        this.pid = pid;
        this.namedBy = namedBy;
        this.meaning = meaning;
        this.keys = List.of(keys);
    }

    /** The list's name in a file. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The factory PID of the configurations that its entries become. */
    String pid() {
        return pid;
    }

    /** The keys whose values, joined by {@code -}, make an entry's name if it is given none; empty if it must be. */
    List<String> namedBy() {
        return namedBy;
    }

    String meaning() {
        return meaning;
    }

    List<Key> keys() {
        return keys;
    }

    List<String> keyNames() {
        return keys.stream().map(Key::name).toList();
    }

    Optional<Key> key(String name) {
        return keys.stream().filter(key -> key.name().equals(name)).findFirst();
    }

    static Optional<Section> titled(String title) {
        return Arrays.stream(values()).filter(section -> section.title().equals(title)).findFirst();
    }

    static List<String> titles() {
        return Arrays.stream(values()).map(Section::title).toList();
    }
}
