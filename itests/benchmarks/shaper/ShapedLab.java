package io.manafold.benchmark;

import io.manafold.adapter.internal.LoopAdapter;
import io.manafold.fabric.internal.LoopLink;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.ConfigureVportRx;
import io.manafold.gdma.message.ConfigureVportTx;
import io.manafold.gdma.message.DeleteShaper;
import io.manafold.gdma.message.GroupShapers;
import io.manafold.gdma.message.SetShaper;
import io.manafold.gdma.message.ShaperValues;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** An adapter whose first port sends, by several queues and as shapers let it, to its second; all on one thread. */
final class ShapedLab implements AutoCloseable {
    static final int QUEUES = 3;
    private static final int HEADER = 14;
    /** The least there can be: memory that was used a moment ago is still in the cache when its turn comes again. */
    private static final int ENTRIES = 128;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final String name;
    private final LoopAdapter adapter;
    private final EthernetSession session;
    private final PortSession left;
    private final ShapedTraffic traffic;
    private final long agent;

    ShapedLab(int frame) {
        name = "shaped-" + frame;
        String first = name + "/1";
        String second = name + "/2";
        LoopLink link = keep(new LoopLink(name, List.of(first, second, ShapedTraffic.PORT)));
        adapter = keep(new LoopAdapter(name, 2, QUEUES));
        adapter.plug(link.link(), first, second);
        int stride = LoopSender.stride(frame);
        DmaArena memory = keep(adapter.memory((int) ((QUEUES + 1L) * ENTRIES * (stride + 1024L) + (32L << 20) >> 20)));
        session = keep(EthernetSession.open(adapter.function(), memory, ChannelLimits.USUAL, (type, data) -> { }));
        byte[] key = PortSettings.small(1).key();
        left = keep(new PortSession(session, 0, new PortSettings(QUEUES, ENTRIES, 128, 128, 4096, 1, key),
                (at, length, flags, hash) -> { }));
        PortSession right = keep(new PortSession(session, 1, new PortSettings(1, 128, ENTRIES,
                Math.max(1514, frame) - HEADER, 4096, 1, key), (at, length, flags, hash) -> { }));
        long[] table = new long[right.vport().indirection()];
        Arrays.fill(table, right.receive(0).pair().object());
        session.call(new ConfigureVportRx(right.vport().vport(), ConfigureVportRx.ON, ConfigureVportRx.OFF, true, true,
                true, table[0], key, 1, table));
        int offset = session.call(new ConfigureVportTx(left.vport().vport(),
                session.client().rights().protectionDomain(), session.client().rights().page().number())).offset();
        LoopSender[] senders = new LoopSender[QUEUES];
        for (int i = 0; i < QUEUES; i++) {
            byte[] bytes = new byte[frame];
            address(bytes, 0, right.mac().value());
            address(bytes, 6, left.mac().value());
            bytes[12] = (byte) 0x88;
            bytes[13] = (byte) 0xb5;
            bytes[HEADER] = (byte) i;
            DmaPiece buffers = memory.allocate(ENTRIES * stride);
            keep(() -> memory.free(buffers));
            senders[i] = new LoopSender(left.send(i).pair(), buffers, session.client().rights().memoryKey(), offset,
                    bytes);
        }
        byte[] hello = new byte[60];
        address(hello, 0, -1);
        address(hello, 6, right.mac().value());
        right.send(0).send(hello, hello.length);
        right.send(0).ring();
        while (right.send(0).outstanding() > 0) {
            right.poll();
        }
        traffic = new ShapedTraffic(senders, right.receive(0), ENTRIES / QUEUES);
        traffic.plugged(link.link().plug(traffic));
        keep(traffic::unplug);
        agent = Clock.thread("manafold-link-" + name);
    }

    private static void address(byte[] frame, int at, long address) {
        for (int i = 0; i < 6; i++) {
            frame[at + i] = (byte) (address >> 40 - 8 * i);
        }
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.push(one);
        return one;
    }

    ShapedTraffic traffic() {
        return traffic;
    }

    /** Processor time of the thread that does everything. */
    long cpuNanos() {
        return Clock.cpuNanos(agent);
    }

    private long vport() {
        return left.vport().vport();
    }

    /** Limits all that the port sends. */
    void limit(long bitsPerSecond) {
        session.call(new SetShaper(vport(), new ShaperValues(ShaperValues.NETDEV, 0, 0, 0, 0, 0, 0, 0, bitsPerSecond,
                0)));
    }

    void unlimit() {
        session.call(new DeleteShaper(vport(), ShaperValues.NETDEV, 0));
    }

    void weigh(int queue, int weight) {
        session.call(new SetShaper(vport(), new ShaperValues(ShaperValues.QUEUE, queue, ShaperValues.NETDEV, 0, 0, 0,
                weight, 0, 0, 0)));
    }

    void unweigh(int queue) {
        session.call(new DeleteShaper(vport(), ShaperValues.QUEUE, queue));
    }

    /** Nodes that nothing is sent through, with limits all the same. */
    void idle(int nodes) {
        ShaperValues device = new ShaperValues(ShaperValues.NETDEV, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        List<ShaperValues> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            all.add(new ShaperValues(ShaperValues.NODE, i, ShaperValues.NETDEV, 0, 0, i % 8, 1 + i % 5, 1_000_000,
                    1_000_000_000, 0));
        }
        for (int from = 0; from < nodes; from += GroupShapers.MOST_LEAVES) {
            int to = Math.min(nodes, from + GroupShapers.MOST_LEAVES);
            session.call(new GroupShapers(vport(), device, to < nodes, all.subList(from, to)));
        }
    }

    void unidle(int nodes) {
        for (int i = 0; i < nodes; i++) {
            session.call(new DeleteShaper(vport(), ShaperValues.NODE, i));
        }
        unlimit();
    }

    /** Ends the traffic; fails if anything was refused. */
    void check() throws InterruptedException {
        traffic.flood(0);
        if (!adapter.refused().isEmpty()) {
            throw new IllegalStateException("the adapter refused something: " + adapter.refused());
        }
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }
    }
}
