package io.manafold.traffic.internal;

import io.manafold.api.net.PacketBuffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** What stands behind the headers of a made-up packet: its numbers, and a payload that follows from them. */
final class TestFrame {
    private static final int RUN = 4;
    private static final int FLOW = 8;
    private static final int NUMBER = 10;
    private static final int LENGTH = 18;
    private static final int PAYLOAD = 20;
    private static final int IS_OURS = 0x4d61_6e61;
    private static final int SHIFTS = 256;
    private static final byte[] PATTERN = new byte[0x10000 + SHIFTS];

    static {
        new Random(1).nextBytes(PATTERN);
    }

    private TestFrame() {
    }

    /** Writes all but the payload, from a place in the packet on. */
    static void head(PacketBuffer packet, int at, int run, int flow, long number) {
        packet.put32(at, IS_OURS);
        packet.put32(at + RUN, run);
        packet.put16(at + FLOW, flow);
        packet.put64(at + NUMBER, number);
        packet.put16(at + LENGTH, packet.length() - at);
    }

    static void payload(PacketBuffer packet, int at, int flow, long number) {
        int from = at + PAYLOAD;
        packet.put(from, PATTERN, shift(flow, number), packet.length() - from);
    }

    /**
     * Writes what belongs behind the headers of a segment.
     *
     * @param bytes of the segment, the numbers included
     * @param filled whether the payload is written as well
     * @return how many bytes were written
     */
    static int segment(ByteBuffer to, int run, int flow, long number, int bytes, boolean filled) {
        to.clear().putInt(IS_OURS).putInt(run).putShort((short) flow).putLong(number).putShort((short) bytes);
        if (filled) {
            to.put(PATTERN, shift(flow, number), bytes - PAYLOAD);
        }
        return to.position();
    }

    /** Whether there are numbers at a place. */
    static boolean isAt(PacketBuffer packet, int at) {
        return packet.length() >= at + PAYLOAD && packet.get32(at) == IS_OURS;
    }

    /** The number of the run it belongs to. */
    static int run(PacketBuffer packet, int at) {
        return packet.get32(at + RUN);
    }

    static int flow(PacketBuffer packet, int at) {
        return packet.get16(at + FLOW);
    }

    static long number(PacketBuffer packet, int at) {
        return packet.get64(at + NUMBER);
    }

    /** Whether it is as long as it was. */
    static boolean isWhole(PacketBuffer packet, int at) {
        return packet.get16(at + LENGTH) == packet.length() - at;
    }

    /** Whether the payload is what was written. */
    static boolean isRight(PacketBuffer packet, int at, byte[] scratch) {
        int from = at + PAYLOAD;
        int bytes = packet.length() - from;
        packet.get(from, scratch, 0, bytes);
        int shift = shift(flow(packet, at), number(packet, at));
        return Arrays.mismatch(scratch, 0, bytes, PATTERN, shift, shift + bytes) < 0;
    }

    private static int shift(int flow, long number) {
        return (int) (number * 31 + flow) & SHIFTS - 1;
    }
}
