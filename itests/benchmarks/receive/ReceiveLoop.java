package io.manafold.benchmark;

import io.manafold.adapter.internal.LoopAdapter;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PoolStatus;
import io.manafold.api.net.Spreading;
import io.manafold.ethernet.internal.function.LoopDriver;
import io.manafold.fabric.internal.LoopLink;
import io.manafold.packet.Toeplitz;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Receives through the real adapter and the real driver: a port of the same switch sends, and switch, adapter, driver
 * and the user above take turns on the link's thread.
 */
final class ReceiveLoop implements Receiving {
    private static final int QUEUES = 8;
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final ReceiveCase what;
    private final LoopAdapter adapter;
    private final NetDevice device;
    private final FrameSource source;
    private final FrameSink sink;
    private final double bytes;

    ReceiveLoop(ReceiveCase what) {
        this.what = what;
        try {
            String name = "rx" + NUMBERS.incrementAndGet();
            LoopLink link = keep(new LoopLink(name, List.of(name + "/1", FrameSource.PORT)));
            adapter = keep(new LoopAdapter(name, 1, QUEUES));
            adapter.plug(link.link(), name + "/1");
            device = keep(new LoopDriver(adapter.function(), link.agent())).device(0);
            bytes = shape(device, what);
            sink = new FrameSink(what.frame());
            PacketPort port = device.attach(sink);
            keep(port::close);
            source = keep(new FrameSource(frames(device, what), sink));
            source.plugged(link.link().plug(source));
            port.execute(() -> hello(port, device.mac().value()));
            source.meet();
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.push(one);
        return one;
    }

    private static void hello(PacketPort port, long mac) {
        PacketBuffer[] one = new PacketBuffer[1];
        if (port.take(one, 0, 1) != 1) {
            throw new IllegalStateException("there is no buffer to send");
        }
        one[0].place(one[0].headroom(), 60);
        one[0].put64(0, -1);
        one[0].put16(6, (int) (mac >>> 32));
        one[0].put32(8, (int) mac);
        one[0].put16(12, 0x88b5);
        one[0].queue(0);
        if (port.send(one, 0, 1) != 1) {
            one[0].release();
        }
    }

    /** Makes the device what is asked for; bytes of memory for each posted buffer. */
    private static double shape(NetDevice device, ReceiveCase what) {
        device.setUp(false);
        device.setPages(what.policy(), what.page(), what.mapping());
        device.setMtu(what.mtu());
        device.setRings(what.ring(), 128);
        device.setChannels(what.queues());
        device.setUp(true);
        long pages = device.pools().stream().mapToLong(PoolStatus::pages).sum();
        KnownLayouts.check(device.pools().getFirst().plan(), what.queues(), what.ring(), pages);
        return (double) pages * what.plan().allocation() / what.posted();
    }

    /** UDP, full frames, one whose hash leads to each queue. */
    private static byte[][] frames(NetDevice device, ReceiveCase what) {
        byte[][] frames = new byte[what.queues()][];
        Spreading spreading = device.spreading();
        Toeplitz toeplitz = new Toeplitz(spreading.key());
        int found = 0;
        for (int port = 1024; found < frames.length; port++) {
            byte[] frame = frame(device.mac().value(), what.frame(), port);
            int queue = spreading.table()[toeplitz.hash(frame, 26, 12) & spreading.table().length - 1];
            if (frames[queue] == null) {
                frames[queue] = frame;
                found++;
            }
        }
        return frames;
    }

    private static byte[] frame(long to, int length, int port) {
        byte[] frame = new byte[length];
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (to >> 40 - 8 * i);
        }
        frame[6] = 2;
        put16(frame, 12, 0x0800);
        put16(frame, 14, 0x4500);
        put16(frame, 16, length - 14);
        frame[22] = 64;
        frame[23] = 17;
        put16(frame, 26, 0x0a00);
        frame[29] = 1;
        put16(frame, 30, 0x0a00);
        frame[33] = 2;
        put16(frame, 34, port);
        put16(frame, 36, 9);
        put16(frame, 38, length - 34);
        return frame;
    }

    private static void put16(byte[] frame, int at, int value) {
        frame[at] = (byte) (value >> 8);
        frame[at + 1] = (byte) value;
    }

    @Override
    public double run(long nanos) {
        try {
            source.run(nanos);
        } catch (IllegalStateException stuck) {
            throw new IllegalStateException(stuck.getMessage() + ". " + what + ": "
                    + device.statistics().stream().filter(one -> one.value() != 0).toList() + ", " + device.pools()
                    .stream().map(pool -> pool.posted() + " posted, " + pool.statistics()).toList(), stuck);
        }
        return source.cpuEach();
    }

    @Override
    public double allocated() {
        return source.allocatedEach();
    }

    @Override
    public double bytesPerPacket() {
        return bytes;
    }

    @Override
    public void close() {
        String fault = source == null ? null : fault();
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }
        if (fault != null) {
            throw new IllegalStateException(fault);
        }
    }

    private String fault() {
        if (!adapter.refused().isEmpty()) {
            return "the adapter refused: " + adapter.refused();
        }
        if (sink.sum() != source.sum()) {
            return "what arrived is not what was sent";
        }
        return sink.wrong() > 0 ? sink.wrong() + " packets are not as long as they were sent" : null;
    }
}
