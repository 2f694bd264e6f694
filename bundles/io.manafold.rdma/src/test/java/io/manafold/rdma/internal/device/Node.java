package io.manafold.rdma.internal.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.FunctionMemory;
import io.manafold.memory.MemoryBorrower;
import io.manafold.memory.SharedBlocks;
import io.manafold.rdma.internal.connection.Timing;
import io.manafold.testkit.Blocks;
import io.manafold.testkit.LyingFunction;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A real adapter with the RDMA driver on it, one context, and a block of memory that peers may read and write. */
public final class Node implements AutoCloseable {
    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ;
    static final int BYTES = 1 << 20;
    static final int MTU = 1024;

    final TestAdapter adapter;
    /** Believed to be the adapter's; what passes by may be heard, or changed. */
    final LyingFunction function;
    final SharedBlocks source = Blocks.source();
    final FunctionMemory memory;
    final MemoryBorrower borrower;
    final EthernetSession ethernet;
    final ConnectionBook book = new ConnectionBook();
    final Connections connections = new Connections(book, "test");
    final VerbsDevice device;
    final VerbsContext context;
    final ProtectionDomain domain;
    final CompletionQueue queue;
    final MemoryBlock block;
    final MemoryRegion region;
    final Completions completions = new Completions(16);
    /** Of the port's network device. */
    volatile boolean carrier = true;

    public Node(String name, TestSwitch net) {
        this(name, net, Neighbours.NONE, Timing.USUAL);
    }

    Node(String name, TestSwitch net, Neighbours neighbours, Timing timing) {
        this(name, net, neighbours, timing, ChannelLimits.USUAL);
    }

    Node(String name, TestSwitch net, Neighbours neighbours, Timing timing, ChannelLimits limits) {
        adapter = new TestAdapter(name, "rdma", "first");
        function = new LyingFunction(adapter.function());
        adapter.plug(net.link(), name + "/1");
        memory = new FunctionMemory(name, function.dma());
        MemoryBorrower channel = memory.borrower("ethernet");
        ethernet = EthernetSession.open(function, channel.whole(), limits, (type, data) -> { });
        borrower = memory.borrower("mana.rdma.0");
        device = new VerbsDevice("mana.rdma.0", "mana_0", ethernet.function(), borrower,
                List.of(port(ethernet.vports().getFirst().mac(), neighbours, () -> carrier)), book, timing);
        book.add(device);
        context = device.open();
        domain = context.allocateDomain();
        queue = context.createCompletionQueue(256);
        block = source.make(name, BYTES);
        region = domain.register(block, ALL);
    }

    /** A port whose network device is called {@code mana0}. */
    static Port port(MacAddress mac) {
        return port(mac, Neighbours.NONE, () -> true);
    }

    private static Port port(MacAddress mac, Neighbours neighbours, BooleanSupplier active) {
        return new Port() {
            @Override
            public String name() {
                return "mana0";
            }

            @Override
            public MacAddress mac() {
                return mac;
            }

            @Override
            public boolean isActive() {
                return active.getAsBoolean();
            }

            @Override
            public int mtu() {
                return 1500;
            }

            @Override
            public long speed() {
                return 0;
            }

            @Override
            public Neighbours neighbours() {
                return neighbours;
            }
        };
    }

    /** The device as a bundle of the test's own has it. */
    public RdmaDevice device() {
        return context;
    }

    public RdmaConnections connections() {
        return connections;
    }

    public MemorySource source() {
        return source;
    }

    QueuePair pair() {
        return domain.createQueuePair(QueuePairPlan.reliable(queue, 64, 64).withPieces(4, 4));
    }

    /** Brings a queue pair to RTS, with packet numbers that wrap around soon. */
    void connect(QueuePair own, Node peer, QueuePair other) {
        own.modify(QueuePairAttributes.init(ALL));
        own.modify(QueuePairAttributes.readyToReceive(Path.to(0, peer.context.gids(1).getFirst()), other.number(),
                0xff_fffe, MTU));
        own.modify(QueuePairAttributes.readyToSend(0xff_fffe));
    }

    /** Both to RTS, with each other. */
    static void connect(Node left, QueuePair one, Node right, QueuePair other) {
        left.connect(one, right, other);
        right.connect(other, left, one);
    }

    /** Polls until there is something; fails after a minute. */
    int poll() {
        return poll(queue);
    }

    int poll(CompletionQueue of) {
        return poll(of, completions);
    }

    static int poll(CompletionQueue of, Completions completions) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        int count = of.poll(completions);
        while (count == 0) {
            assertThat(System.nanoTime()).as("time for a completion").isLessThan(deadline);
            Thread.yield();
            count = of.poll(completions);
        }
        return count;
    }

    /** The only completion that comes is a success. */
    void succeeds(long id) {
        assertThat(poll()).isEqualTo(1);
        assertThat(completions.status(0)).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(completions.id(0)).isEqualTo(id);
    }

    /** Fills a part of the block with bytes that do not repeat. */
    byte[] fill(long offset, int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        MemorySegment.copy(bytes, 0, block.segment(), JAVA_BYTE, offset, length);
        return bytes;
    }

    byte[] bytes(long offset, int length) {
        return block.segment().asSlice(offset, length).toArray(JAVA_BYTE);
    }

    long usage(String what) {
        return adapter.adapter().usage().getOrDefault(what, 0L);
    }

    /** The device goes, and everything has come home. */
    void end() {
        device.close();
        assertThat(borrower.pagesInUse()).as("pages of rings").isZero();
        assertThat(borrower.blocks()).as("blocks that the function reaches").isZero();
        for (String kind : List.of("queue_pairs", "rdma_completion_queues", "gids", "memory_regions",
                "doorbell_pages")) {
            assertThat(usage(kind)).as(kind).isZero();
        }
        assertThat(adapter.adapter().rejections()).isEmpty();
    }

    @Override
    public void close() {
        if (!device.isGone()) {
            device.close();
        }
        ethernet.close();
        memory.close();
        function.close();
        adapter.close();
        block.close();
    }
}
