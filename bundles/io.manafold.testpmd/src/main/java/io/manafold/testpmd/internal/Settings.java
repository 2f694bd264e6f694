package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.net.MacAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What options and lines have set; taken at the next start of forwarding, queues at the next start of a port. What is
 * set of a port is kept by its name: numbers are given anew when ports go and come.
 */
final class Settings {
    static final int LEAST_PACKET = 42;
    static final int MOST_BURST = 512;
    static final int USUAL_BURST = 32;
    /** What drivers advertise, which 0 asks for. */
    static final int DRIVER_BURST = 1;
    /** What drivers make rings of that were not asked for a size. */
    private static final int USUAL_DESCRIPTORS = 256;

    Mode mode = Mode.IO;
    Topology topology = Topology.PAIRED;
    int burst = USUAL_BURST;
    int cores = 1;
    /** 0: all. */
    int ports;
    final ChosenPorts chosenPorts = new ChosenPorts();
    List<Integer> coreList = List.of();
    int receiveQueues = 1;
    int sendQueues = 1;
    /** Processes that share the queues of ports, and which of them this is. */
    int processes = 1;
    int process;
    int receiveDescriptors;
    int sendDescriptors;
    final PortOffloads receiveOffloads = new PortOffloads();
    final PortOffloads sendOffloads = new PortOffloads();
    final PortHashes hashes = new PortHashes();
    /** Tags of VLANs that ports put into what is sent by them. */
    private final Map<String, Integer> sendTags = new TreeMap<>();
    /** Fields to hash, −1 for what the device prefers, 0 for no hash; a port may have its own. */
    long hashFields = -1;
    int packetSize = 64;
    /** Lengths of the segments that packets are made of, which are as long as the packet together. */
    int[] segments = {packetSize};
    Split split = Split.OFF;
    /** How received packets were to be split, if a device could: lengths of their parts, and where these begin. */
    int[] receiveLengths = {};
    int[] receiveOffsets = {};
    /** And by the headers behind which they end. */
    List<String> receiveHeaders = List.of();
    int room = 2048;
    int cache = 250;
    int packets;
    /** What options and lines say for all ports, 0 for what ports have. */
    private int mtu;
    private final Map<String, Integer> mtus = new TreeMap<>();
    boolean retry;
    int retries = 64;
    int delayMicros = 1;
    /** Peers that options give to numbers, for ports that have them when they come first. */
    final Map<Integer, MacAddress> peersOfNumbers = new TreeMap<>();
    private final Map<String, MacAddress> peers = new TreeMap<>();
    /** Names of ports of which something may be set, here or gone. */
    private final Set<String> known = new HashSet<>();
    int sourceAddress = 198 << 24 | 18 << 16 | 1;
    int destinationAddress = 198 << 24 | 18 << 16 | 2;
    int sourcePort = 9;
    int destinationPort = 9;
    boolean multiFlow;
    /** How many flows each lane makes then. */
    int flowsOfLane = TxOnly.MOST_FLOWS;
    int flows = 1024;
    int clones;
    int noisyBuffer;
    int noisyFlushMillis;
    int noisyMegabytes;
    int noisyWrites;
    int noisyReads;
    Mode noisyMode = Mode.IO;
    final EventMask printedEvents = new EventMask();
    final PacketPrinter printer = new PacketPrinter();
    final Measurement measurement = new Measurement();
    boolean numa = true;

    /** How the last line ended. */
    final LineOutcome outcome = new LineOutcome();
    /** Whether links that are down are told when ports start. */
    boolean checksLinks = true;
    /** Whether packets of one queue are hashed, too. */
    boolean hashesAlways;
    /** Whether it is shown how many turns of cores found something to do. */
    boolean recordsCores;
    /** Whether it is counted how many packets bursts have. */
    boolean recordsBursts;
    /** Extended statistics that are shown with the others. */
    List<String> shownExtended = List.of();

    /** Whether ports that have gone are closed at once. */
    boolean looksAfterPorts = true;
    /** Whether ports that come are started. */
    boolean hotPlug;

    /** As many descriptors as a ring has. */
    int descriptors(boolean receive) {
        int asked = receive ? receiveDescriptors : sendDescriptors;
        return asked == 0 ? USUAL_DESCRIPTORS : asked;
    }

    /** The number of a queue that ports have. */
    int queue(boolean receive, String word) {
        int queue = Words.number("A queue", word, 0, 65_535);
        int queues = receive ? receiveQueues : sendQueues;
        if (queue >= queues) {
            throw Words.wrong("Invalid %s queue %d (must be < nb_%s=%d)".formatted(receive ? "RX" : "TX", queue,
                    receive ? "rxq" : "txq", queues) + ": ports have so many.");
        }
        return queue;
    }

    /** The first queue of a process, of those that all processes poll. */
    int firstQueue(int ofProcess) {
        return ofProcess * (Math.min(receiveQueues, sendQueues) / processes);
    }

    /** The MTU of ports, of those too that had one of their own. */
    void mtuOfAll(int bytes) {
        mtu = bytes;
        mtus.clear();
    }

    /** One port's own, which it is configured with from now on. */
    void mtu(EthDev port, int bytes) {
        mtus.put(port.name(), bytes);
    }

    /** 0 for the one that the port has. */
    int mtu(EthDev port) {
        return mtus.getOrDefault(port.name(), mtu);
    }

    /** What a port is configured to do to packets that it sends: that, and what those that are made need. */
    long sendOffloads(EthDev port) {
        return sendOffloads.of(port) | (segments.length > 1 ? Offload.SEND_SEGMENTS : 0);
    }

    /** Has a port put a tag into what is sent by it from its next start on, {@link SendTag#NONE} for none. */
    void sendTag(EthDev port, int tag) {
        sendOffloads.set(port, Offload.SEND_VLAN_INSERT, tag != SendTag.NONE);
        sendTags.put(port.name(), tag);
    }

    int sendTag(EthDev port) {
        return sendTags.getOrDefault(port.name(), SendTag.NONE);
    }

    void peer(EthDev port, MacAddress peer) {
        peers.put(port.name(), peer);
    }

    MacAddress peer(EthDev port) {
        return peers.getOrDefault(port.name(), new MacAddress(0x0200_0000_0000L | port.number()));
    }

    /** The program has a port, for the first time or again. */
    void came(EthDev port) {
        chosenPorts.came(port);
        if (known.add(port.name()) && peersOfNumbers.containsKey(port.number())) {
            peer(port, peersOfNumbers.get(port.number()));
        }
    }

    /** A port has gone without a line that said so: what is set of it stays until it comes back. */
    void gone(EthDev port) {
        chosenPorts.gone(port);
    }

    /** A port is given back: if it comes again, nothing is set of it. */
    void forget(EthDev port) {
        mtus.remove(port.name());
        sendTags.remove(port.name());
        peers.remove(port.name());
        hashes.forget(port);
        receiveOffloads.forget(port);
        sendOffloads.forget(port);
        known.remove(port.name());
    }
}
