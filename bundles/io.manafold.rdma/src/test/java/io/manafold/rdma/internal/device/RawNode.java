package io.manafold.rdma.internal.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.PortClaims;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ParentDomain;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.ReceiveWorkQueue;
import io.manafold.api.rdma.RssPlan;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.FunctionMemory;
import io.manafold.memory.MemoryBorrower;
import io.manafold.memory.SharedBlocks;
import io.manafold.testkit.Blocks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** A real adapter with the device of raw packets on it, one context, and a block of memory for packets. */
final class RawNode implements AutoCloseable {
    static final int BYTES = 1 << 20;
    /** Where receives begin in the block, and how long each is. */
    static final int RECEIVES = BYTES / 2;
    static final int SLOT = 2048;
    static final int DEPTH = 32;
    static final byte[] KEY = key();

    final TestAdapter adapter;
    final SharedBlocks source = Blocks.source();
    final FunctionMemory memory;
    final MemoryBorrower borrower;
    final EthernetSession ethernet;
    final RawDevice device;
    final RawContext context;
    final ProtectionDomain domain;
    final ParentDomain parent;
    final MemoryBlock block;
    final MemoryRegion region;
    final CompletionQueue sendQueue;
    final List<CompletionQueue> queues = new ArrayList<>();
    final List<ReceiveWorkQueue> receives = new ArrayList<>();
    final Completions completions = new Completions(16);
    final SendList sends = new SendList(64, 128);
    final Set<Integer> claimed = new TreeSet<>();

    RawNode(String name, TestSwitch net) {
        adapter = new TestAdapter(name);
        adapter.plug(net.link(), name + "/1");
        memory = new FunctionMemory(name, adapter.function().dma());
        MemoryBorrower channel = memory.borrower("ethernet");
        ethernet = EthernetSession.open(adapter.function(), channel.whole(), ChannelLimits.USUAL, (type, data) -> { });
        borrower = memory.borrower("mana.eth.0");
        device = new RawDevice("mana.eth.0", "manae_0", ethernet.share(borrower::whole), borrower,
                List.of(Node.port(mac())), claims());
        context = device.open();
        domain = context.allocateDomain();
        parent = domain.createParentDomain(1);
        sendQueue = context.createCompletionQueue(64);
        block = source.make(name, BYTES);
        region = parent.register(block, Access.LOCAL_WRITE);
    }

    MacAddress mac() {
        return ethernet.vports().getFirst().mac();
    }

    private static byte[] key() {
        byte[] key = new byte[40];
        new Random(40).nextBytes(key);
        return key;
    }

    /** Ports whose network devices are down, each for one claim. */
    private PortClaims claims() {
        return (port, who) -> {
            if (!claimed.add(port)) {
                throw new Refusal(Errno.EBUSY, who + " cannot have port " + port + ".");
            }
            return () -> claimed.remove(port);
        };
    }

    QueuePair pair() {
        return parent.createQueuePair(QueuePairPlan.raw(sendQueue, 64).withPieces(4, 0));
    }

    /** Makes receive work queues with receives in them. */
    void receive(int count) {
        for (int i = 0; i < count; i++) {
            CompletionQueue queue = context.createCompletionQueue(DEPTH + 1);
            ReceiveWorkQueue made = parent.createReceiveWorkQueue(queue, DEPTH, 1);
            ReceiveList list = new ReceiveList(DEPTH);
            for (int k = 0; k < DEPTH; k++) {
                add(list, i, k);
            }
            assertThat(made.post(list)).isEqualTo(DEPTH);
            queues.add(queue);
            receives.add(made);
        }
    }

    /** A receive of a queue into its place. */
    void add(ReceiveList list, int queue, int place) {
        list.receive(place).piece(region.address() + at(queue, place), region.localKey(), SLOT);
    }

    static int at(int queue, int place) {
        return RECEIVES + (queue * DEPTH + place) * SLOT;
    }

    RssPlan spread() {
        return new RssPlan(receives, KEY, RssPlan.ALL);
    }

    void write(int at, byte[] bytes) {
        MemorySegment.copy(bytes, 0, block.segment(), JAVA_BYTE, at, bytes.length);
    }

    byte[] bytes(int at, int length) {
        return block.segment().asSlice(at, length).toArray(JAVA_BYTE);
    }

    int poll(CompletionQueue queue) {
        return Node.poll(queue, completions);
    }

    long usage(String what) {
        return adapter.adapter().usage().getOrDefault(what, 0L);
    }

    /** The device goes, and everything has come home. */
    void end() {
        device.close();
        assertThat(borrower.pagesInUse()).as("pages of rings").isZero();
        assertThat(borrower.blocks()).as("blocks that the function reaches").isZero();
        assertThat(claimed).as("ports claimed").isEmpty();
        for (String kind : List.of("memory_regions", "doorbell_pages", "send_queues", "receive_queues")) {
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
        adapter.close();
        block.close();
    }
}
