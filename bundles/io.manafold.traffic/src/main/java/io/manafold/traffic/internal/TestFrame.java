package io.manafold.traffic.internal;

import io.manafold.api.net.PacketBuffer;
import java.util.Arrays;
import java.util.Random;

/** How a made-up packet looks, from its first byte to its last. */
final class TestFrame {
    /** The one that is free for experiments. */
    static final int ETHER_TYPE = 0x88b5;
    static final int LEAST = 60;

    private static final int SOURCE = 6;
    private static final int TYPE = 12;
    private static final int MARK = 14;
    private static final int RUN = 18;
    private static final int FLOW = 22;
    private static final int NUMBER = 24;
    private static final int LENGTH = 32;
    private static final int PAYLOAD = 34;
    private static final int IS_OURS = 0x4d61_6e61;
    private static final int SHIFTS = 256;
    private static final byte[] PATTERN = new byte[0x10000 + SHIFTS];

    static {
        new Random(1).nextBytes(PATTERN);
    }

    private TestFrame() {
    }

    /** Writes all but the payload. */
    static void head(PacketBuffer packet, long destination, long source, int run, int flow, long number) {
        packet.put32(0, (int) (destination >>> 16));
        packet.put16(4, (int) destination);
        packet.put32(SOURCE, (int) (source >>> 16));
        packet.put16(SOURCE + 4, (int) source);
        packet.put16(TYPE, ETHER_TYPE);
        packet.put32(MARK, IS_OURS);
        packet.put32(RUN, run);
        packet.put16(FLOW, flow);
        packet.put64(NUMBER, number);
        packet.put16(LENGTH, packet.length());
    }

    static void payload(PacketBuffer packet, int flow, long number) {
        packet.put(PAYLOAD, PATTERN, shift(flow, number), packet.length() - PAYLOAD);
    }

    /** The number of the run it belongs to, 0 if it is nothing that was made here. */
    static int run(PacketBuffer packet) {
        return packet.length() >= LEAST && packet.get32(MARK) == IS_OURS ? packet.get32(RUN) : 0;
    }

    static int flow(PacketBuffer packet) {
        return packet.get16(FLOW);
    }

    static long number(PacketBuffer packet) {
        return packet.get64(NUMBER);
    }

    /** Whether it is as long as it was. */
    static boolean isWhole(PacketBuffer packet) {
        return packet.get16(LENGTH) == packet.length();
    }

    /** Whether the payload is what was written. */
    static boolean isRight(PacketBuffer packet, byte[] scratch) {
        int bytes = packet.length() - PAYLOAD;
        packet.get(PAYLOAD, scratch, 0, bytes);
        int shift = shift(flow(packet), number(packet));
        return Arrays.mismatch(scratch, 0, bytes, PATTERN, shift, shift + bytes) < 0;
    }

    private static int shift(int flow, long number) {
        return (int) (number * 31 + flow) & SHIFTS - 1;
    }
}
