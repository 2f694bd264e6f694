package io.manafold.benchmark;

import io.manafold.adapter.internal.LoopAdapter;
import io.manafold.fabric.internal.LoopLink;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.ConfigureVportRx;
import io.manafold.gdma.message.ConfigureVportTx;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.packet.Toeplitz;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import io.manafold.testkit.ReceiveQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A switch, an adapter whose first port sends to its second, and others that are up and idle on the same switch. */
final class LoopLab implements AutoCloseable {
    private static final int LEAST_FRAME = 1514;
    private static final int HEADER = 14;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final LoopAdapter adapter;
    private LoopTraffic traffic;

    LoopLab(LoopCase what, int burst) {
        List<String> ports = new ArrayList<>(List.of("one/1", "one/2", LoopTraffic.PORT));
        for (int i = 1; i < what.adapters(); i++) {
            ports.add("idle" + i + "/1");
        }
        LoopLink link = keep(new LoopLink("loop", ports));
        adapter = keep(new LoopAdapter("one", 2, what.queues()));
        adapter.plug(link.link(), "one/1", "one/2");
        fill(what, burst);
        for (int i = 1; i < what.adapters(); i++) {
            LoopAdapter idle = keep(new LoopAdapter("idle" + i, 1, 16));
            idle.plug(link.link(), "idle" + i + "/1");
            EthernetSession session = session(idle, 16);
            keep(new PortSession(session, 0, PortSettings.small(4), (at, length, flags, hash) -> { }));
        }
        traffic.plugged(link.link().plug(traffic));
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.push(one);
        return one;
    }

    private EthernetSession session(LoopAdapter of, int megabytes) {
        DmaArena memory = keep(of.memory(megabytes));
        return keep(EthernetSession.open(of.function(), memory, ChannelLimits.USUAL, (type, data) -> { }));
    }

    private void fill(LoopCase what, int burst) {
        int queues = what.queues();
        int entries = Math.max(128, 1024 / queues);
        int size = Math.max(LEAST_FRAME, what.frame());
        PortSettings usual = PortSettings.small(queues);
        PortSettings receiving = new PortSettings(queues, 128, entries, size - HEADER, 4096,
                ReceiveCompletion.MAX_PACKETS, usual.key());
        PortSettings sending = new PortSettings(queues, entries, 128, 128, 4096, 1, usual.key());
        EthernetSession session = session(adapter, (int) ((long) queues * (entries * (size + 512L
                + LoopSender.stride(what.frame())) + 128 * 512) + (24L << 20) >> 20));
        // who is called for packets is known only when the queues are
        PortSession left = keep(new PortSession(session, 0, sending, (at, length, flags, hash) -> { }));
        PortSession right = keep(new PortSession(session, 1, receiving, (at, length, flags, hash) -> { }));
        long[] table = new long[right.vport().indirection()];
        for (int k = 0; k < table.length; k++) {
            table[k] = right.receive(k % queues).pair().object();
        }
        session.call(new ConfigureVportRx(right.vport().vport(), ConfigureVportRx.ON,
                what.hash() ? ConfigureVportRx.ON : ConfigureVportRx.OFF, true, true, true, table[0], usual.key(),
                4, table));
        int offset = session.call(new ConfigureVportTx(left.vport().vport(),
                session.client().rights().protectionDomain(), session.client().rights().page().number())).offset();
        LoopSender[] senders = new LoopSender[queues];
        ReceiveQueue[] receivers = new ReceiveQueue[queues];
        for (int i = 0; i < queues; i++) {
            byte[] frame = frame(what, right.mac().value(), left.mac().value(), i, table.length, usual.key());
            DmaPiece buffers = session.client().memory().allocate(entries * LoopSender.stride(what.frame()));
            keep(() -> session.client().memory().free(buffers));
            senders[i] = new LoopSender(left.send(i).pair(), buffers, session.client().rights().memoryKey(), offset,
                    frame);
            receivers[i] = right.receive(i);
        }
        traffic = new LoopTraffic(senders, receivers, burst, entries, what.threads() == LoopCase.Threads.ENDS);
        // the switch shall know where frames go
        byte[] hello = new byte[60];
        address(hello, 0, -1);
        address(hello, 6, right.mac().value());
        hello[12] = (byte) 0x88;
        hello[13] = (byte) 0xb5;
        right.send(0).send(hello, hello.length);
        right.send(0).ring();
        while (right.send(0).outstanding() > 0) {
            right.poll();
        }
    }

    LoopTraffic traffic() {
        return traffic;
    }

    List<?> refused() {
        return adapter.refused();
    }

    /** A frame that is nothing to be hashed, or UDP from a port whose hash leads to the queue. */
    private static byte[] frame(LoopCase what, long destination, long source, int queue, int table, byte[] key) {
        byte[] frame = new byte[what.frame()];
        address(frame, 0, destination);
        address(frame, 6, source);
        if (!what.hash()) {
            put16(frame, 12, 0x88b5);
            return frame;
        }
        int total = frame.length - HEADER;
        put16(frame, 12, 0x0800);
        put16(frame, 14, 0x4500);
        put16(frame, 16, total);
        frame[22] = 64;
        frame[23] = 17;
        put16(frame, 26, 0x0a00);
        frame[29] = 1;
        put16(frame, 30, 0x0a00);
        frame[33] = 2;
        put16(frame, 36, 9);
        put16(frame, 38, total - 20);
        Toeplitz toeplitz = new Toeplitz(key);
        int port = 1024;
        do {
            put16(frame, 34, port++);
        } while ((toeplitz.hash(frame, 26, 12) & table - 1) % what.queues() != queue);
        return frame;
    }

    private static void address(byte[] frame, int at, long address) {
        for (int i = 0; i < 6; i++) {
            frame[at + i] = (byte) (address >> 40 - 8 * i);
        }
    }

    private static void put16(byte[] frame, int at, int value) {
        frame[at] = (byte) (value >> 8);
        frame[at + 1] = (byte) value;
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
