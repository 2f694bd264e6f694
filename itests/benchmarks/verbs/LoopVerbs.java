package io.manafold.rdma.internal.device;

import io.manafold.api.device.PciFunction;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.memory.FunctionMemory;
import io.manafold.memory.MemoryBorrower;
import io.manafold.rdma.internal.connection.Timing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The RDMA driver on a function as the framework would have it, without the framework: one queue pair, and a block for
 * its peer.
 */
public final class LoopVerbs implements AutoCloseable {
    private static final int REQUESTS = 256;
    private static final int FIRST_PSN = 0x10_0000;
    private static final int RIGHTS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ;

    public final CompletionQueue completions;
    public final QueuePair pair;
    public final MemoryRegion region;
    private final ConnectionBook book = new ConnectionBook();
    private final Connections connections = new Connections(book, "benchmark");
    private final ProtectionDomain domain;
    private final FunctionMemory memory;
    private final EthernetSession ethernet;
    private final VerbsDevice device;
    private final MacAddress mac;
    private final Gid gid;
    private final Map<Gid, MacAddress> peers = new ConcurrentHashMap<>();

    /**
     * Brings the device up.
     *
     * @param host the last three numbers of its port's address, 10.x.y.z
     */
    public LoopVerbs(String name, PciFunction function, int host, MemoryBlock block) {
        gid = Gid.ofIpv4(0x0a00_0000 | host);
        memory = new FunctionMemory(name, function.dma());
        MemoryBorrower channel = memory.borrower("ethernet");
        ethernet = EthernetSession.open(function, channel.whole(), ChannelLimits.USUAL, (type, data) -> { });
        mac = ethernet.vports().getFirst().mac();
        device = new VerbsDevice("mana.rdma.0", "mana_0", ethernet.function(), memory.borrower("mana.rdma.0"),
                List.of(new OnlyPort(mac, new Host(gid, peers))), book, Timing.USUAL);
        book.add(device);
        device.follow();
        VerbsContext context = device.open();
        domain = context.allocateDomain();
        completions = context.createCompletionQueue(2 * REQUESTS);
        pair = domain.createQueuePair(QueuePairPlan.reliable(completions, REQUESTS, REQUESTS));
        region = domain.register(block, RIGHTS);
    }

    public void connect(LoopVerbs peer, int mtu) {
        pair.modify(QueuePairAttributes.init(RIGHTS));
        Path path = Path.to(device.gids(1).indexOf(gid), peer.gid).at(peer.mac);
        pair.modify(QueuePairAttributes.readyToReceive(path, peer.pair.number(), FIRST_PSN, mtu));
        pair.modify(QueuePairAttributes.readyToSend(FIRST_PSN));
    }

    // ---- what is done once, and what of that has to be

    /** One more region, of all of a block. */
    public MemoryRegion register(MemoryBlock block) {
        return domain.register(block, RIGHTS);
    }

    /** One more queue pair. */
    public QueuePair another() {
        return domain.createQueuePair(QueuePairPlan.reliable(completions, 1, 1));
    }

    /** A question on the channel, and its answer. */
    public int ask() {
        return ethernet.call(new QueryVportConfig(0)).sendQueues();
    }

    /** Where a peer is found by its address, and this end by the peer. */
    public void meets(LoopVerbs peer) {
        peers.put(peer.gid, peer.mac);
        peer.peers.put(gid, mac);
    }

    public RdmaListener listen(int port) {
        return connections.listen(port);
    }

    /** Begins to connect a pair to a listener of the peer's. */
    public RdmaConnection connect(QueuePair own, LoopVerbs peer, int port) {
        return connections.connect(own, Sockets.of(peer.gid, port), ConnectionPlan.USUAL);
    }

    /** Everything has come home. */
    @Override
    public void close() {
        connections.close();
        device.close();
        ethernet.close();
        memory.close();
    }

    /** A port that is up. */
    private record OnlyPort(MacAddress mac, Neighbours neighbours) implements Port {
        @Override
        public String name() {
            return "mana0";
        }

        @Override
        public boolean isActive() {
            return true;
        }

        @Override
        public int mtu() {
            return 9000;
        }

        @Override
        public long speed() {
            return 0;
        }
    }

    /** A host with one address. */
    private record Host(Gid address, Map<Gid, MacAddress> peers) implements Neighbours {
        @Override
        public List<Gid> addresses() {
            return List.of(address);
        }

        @Override
        public Gid source(Gid own, Gid destination) {
            return address;
        }

        @Override
        public Optional<MacAddress> find(Gid destination) {
            return Optional.ofNullable(peers.get(destination));
        }

        @Override
        public boolean isTaken() {
            return false;
        }
    }
}
