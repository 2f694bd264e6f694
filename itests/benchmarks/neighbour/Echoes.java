package io.manafold.benchmark;

import io.manafold.api.device.PciFunction;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.DmaArena;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.util.Arrays;

/**
 * A driver with two ports: a frame goes from the first to the second and is answered, and the next goes when the answer
 * is there.
 */
final class Echoes implements AutoCloseable {
    private static final int FRAME = 60;
    private static final int MOST = 1 << 22;

    private final EthernetSession session;
    private final PortSession left;
    private final PortSession right;
    private final byte[] there;
    private final byte[] back;
    private final long[] nanos = new long[MOST];
    private int asked;
    private int answered;

    /** @param longest of all echoes of the run, in nanoseconds */
    record Run(long longest, long median, int count) {
    }

    Echoes(PciFunction function, DmaArena memory) {
        session = EthernetSession.open(function, memory, ChannelLimits.USUAL, (type, data) -> { });
        left = new PortSession(session, 0, PortSettings.small(1), (at, length, flags, hash) -> answered++);
        right = new PortSession(session, 1, PortSettings.small(1), (at, length, flags, hash) -> asked++);
        there = frame(right.mac().value(), left.mac().value());
        back = frame(left.mac().value(), right.mac().value());
    }

    private static byte[] frame(long to, long from) {
        byte[] frame = new byte[FRAME];
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (to >> 40 - 8 * i);
            frame[6 + i] = (byte) (from >> 40 - 8 * i);
        }
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xb5;
        return frame;
    }

    Run run(long nanosEach) {
        int count = 0;
        long end = System.nanoTime() + nanosEach;
        long now = System.nanoTime();
        while (now - end < 0 && count < MOST) {
            echo();
            long after = System.nanoTime();
            nanos[count++] = after - now;
            now = after;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return new Run(sorted[count - 1], sorted[count / 2], count);
    }

    private void echo() {
        int asks = asked;
        int answers = answered;
        send(left, there);
        while (asked == asks) {
            poll();
        }
        send(right, back);
        while (answered == answers) {
            poll();
        }
    }

    private static void send(PortSession port, byte[] frame) {
        port.send(0).send(frame, frame.length);
        port.send(0).ring();
    }

    private void poll() {
        left.poll();
        right.poll();
        Thread.onSpinWait();
    }

    @Override
    public void close() {
        left.close();
        right.close();
        session.close();
    }
}
