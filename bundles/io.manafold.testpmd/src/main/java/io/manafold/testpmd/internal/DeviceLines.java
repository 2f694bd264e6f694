package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPool;
import java.util.List;
import java.util.stream.Collectors;

/** The lines of the prompt about devices, memory and logs. */
final class DeviceLines {
    private static final String DEVICES = "devices";
    private static final String DISPLAY = "display";
    private static final int MOST_LEVEL = 8;

    private final Run run;
    private final Ports ports;
    private final Forwarding forwarding;
    private final LastingEnvironment environment;
    private final Settings settings;

    DeviceLines(Run run, Ports ports, Forwarding forwarding, LastingEnvironment environment, Settings settings) {
        this.run = run;
        this.ports = ports;
        this.forwarding = forwarding;
        this.environment = environment;
        this.settings = settings;
    }

    void addTo(Grammar grammar) {
        grammar.add(DEVICES, "device detach NAME", "gives back all ports of a function, which are stopped",
                words -> detach(words.get(2)));
        grammar.add(DEVICES, "set link-up|link-down port PORT", "refused: the link is the adapter's",
                words -> link(words));
        grammar.add(DEVICES, "set log TYPE LEVEL",
                "which messages get to the platform's log: those of types in which TYPE is found (with . * ^ $ as in a "
                + "regular expression), or 'global', up to a level from 1 to 8",
                words -> level(words.get(2), words.get(3)));
        grammar.add(DISPLAY, "read rxd|txd PORT QUEUE DESCRIPTOR",
                "refused as with the real driver, which alone reads its rings", this::descriptor);
        grammar.add(DISPLAY, "dump mempool", "shows the pool of packets", _ -> QueueText.pool(ports.pool()));
        grammar.add(DISPLAY, "dump mempool NAME", "shows a pool of packets", words -> pool(words.get(2)));
        grammar.add(DISPLAY, "dump ring", "shows what of the pool all cores share", _ -> ring(ports.pool()));
        grammar.add(DISPLAY, "dump memzone", "shows memory", _ -> zone(ports.pool()));
        grammar.add(DISPLAY, "dump devargs", "shows devices that were asked for", _ -> "User device list:\n"
                + ports.all().stream()
                .map(port -> "  [" + PortText.bus(port.info()) + "]: " + port.info().address()
                        + (port.info().arguments().isEmpty() ? " " : ",") + port.info().arguments() + "\n")
                .distinct().collect(Collectors.joining()));
        grammar.add(DISPLAY, "dump lcores", "shows cores", _ -> run.cores());
    }

    private String detach(String name) {
        List<EthDev> found = ports.all().stream().filter(port -> port.info().address().equals(name)).toList();
        if (found.isEmpty()) {
            throw new Refusal(Errno.ENODEV, "There is no device '" + Words.shown(name)
                    + "'; 'show device info all' shows those there are.");
        }
        ports.checkPrimary("gives them back");
        for (EthDev port : found) {
            if (port.isStarted()) {
                throw new Refusal(Errno.EBUSY, "Port " + port.number() + " not stopped: "
                        + (forwarding.uses(port) ? "'stop' and " : "") + "'port stop " + port.number()
                        + "' comes first.");
            }
        }
        String failures = found.stream().map(ports::giveBack).collect(Collectors.joining());
        return "Removing a device...\n" + failures + "Device is detached\nNow total ports is " + ports.all().size()
                + "\nDone\n";
    }

    private String link(List<String> words) {
        EthDev port = ports.get(Words.port(words.get(3)));
        throw new Refusal(Errno.EOPNOTSUPP, "Set " + words.get(1).replace('-', ' ') + " fail: port " + port.number()
                + " has no such operation, since the link is the adapter's; the platform's command 'link' sets it.");
    }

    private String level(String types, String text) {
        environment.logLevel(types, Words.number("set log " + Words.shown(types), text, 1, MOST_LEVEL));
        return "";
    }

    /** Rings of this driver are no zones of memory with a name, here or with DPDK, so that there is nothing to read. */
    private String descriptor(List<String> words) {
        EthDev port = ports.get(Words.port(words.get(2)));
        boolean receive = words.get(1).equals("rxd");
        int queue = settings.queue(receive, words.get(3));
        int size = settings.descriptors(receive);
        int descriptor = Words.number("A descriptor", words.get(4), 0, 65_535);
        if (descriptor >= size) {
            throw Words.wrong("Invalid %s descriptor %d (must be < ring_size=%d)".formatted(receive ? "RX" : "TX",
                    descriptor, size) + ": the ring has so many.");
        }
        String ring = receive ? "rx_ring" : "tx_ring";
        String zone = "eth_p%d_q%d_%s".formatted(port.number(), queue, ring);
        throw new Refusal(Errno.EOPNOTSUPP, "%s ring memory zoneof (port %d, queue %d) not found (zone name = %s): "
                .formatted(ring, port.number(), queue, zone) + "rings of " + port.info().driver()
                + " lie in memory that it alone reads. 'show " + words.get(1).replace('d', 'q') + " info "
                + port.number() + " " + queue + "' shows the queue.");
    }

    private String pool(String name) {
        if (!name.equals(ports.pool().name())) {
            throw Words.wrong("There is no pool '" + Words.shown(name) + "'; there is " + ports.pool().name() + ".");
        }
        return QueueText.pool(ports.pool());
    }

    private static String ring(PacketPool pool) {
        int used = pool.shared();
        return "ring <MP_%s>\n  flags=0\n  size=%d\n  capacity=%2$d\n  used=%d\n  avail=%d\n".formatted(pool.name(),
                pool.packets(), used, pool.packets() - used);
    }

    private static String zone(PacketPool pool) {
        return "Zone 0: name:<%s>, len:0x%x, virt:0x%x, socket_id:0, flags:0\n".formatted(pool.name(),
                pool.block().segment().byteSize(), pool.block().segment().address());
    }
}
