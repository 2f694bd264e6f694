package io.manafold.rdma.internal.device;

import io.manafold.api.device.PciFunction;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.FunctionMemory;
import io.manafold.memory.MemoryBorrower;
import io.manafold.rdma.internal.connection.Timing;
import java.util.List;
import java.util.Optional;

/** The RDMA driver on a function as the framework would have it, without the framework: one queue pair, and a block for its peer. */
public final class LoopVerbs implements AutoCloseable {
    private static final int REQUESTS = 256;
    private static final int FIRST_PSN = 0x10_0000;
    private static final int RIGHTS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ;

    public final CompletionQueue completions;
    public final QueuePair pair;
    public final MemoryRegion region;
    private final FunctionMemory memory;
    private final EthernetSession ethernet;
    private final VerbsDevice device;
    private final MacAddress mac;
    private final Gid gid;

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
                List.of(new OnlyPort(mac, new Host(gid))), new ConnectionBook(), Timing.USUAL);
        device.follow();
        VerbsContext context = device.open();
        ProtectionDomain domain = context.allocateDomain();
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

    /** Everything has come home. */
    @Override
    public void close() {
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

    /** A host with one address; where peers are is said with each path. */
    private record Host(Gid address) implements Neighbours {
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
            return Optional.empty();
        }

        @Override
        public boolean isTaken() {
            return false;
        }
    }
}
