package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.packet.InternetChecksum;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** Packets as bytes, and bytes as frames in memory of the test's. */
final class Packets implements AutoCloseable {
    static final int ECT = 2;
    private static final int MEMORY = 1 << 20;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(MEMORY, 64);
    private final FrameBurst burst = new FrameBurst(256, 4096);
    private long used;

    /** A RoCEv2 packet of an IPv4 or IPv6 flow; its payload are zeros, and its last four bytes are no real CRC. */
    static byte[] roce(int version, int dscp, int ecn, int opcode, int queuePair, int sequence, int payload) {
        int udp = 8 + 12 + payload + 4;
        ByteBuffer frame = ByteBuffer.allocate(14 + (version == 4 ? 20 : 40) + udp);
        frame.putShort((short) 0x0200).putInt(2).putShort((short) 0x0200).putInt(1);
        int treatment = dscp << 2 | ecn;
        if (version == 4) {
            frame.putShort((short) 0x0800).put((byte) 0x45).put((byte) treatment).putShort((short) (20 + udp));
            frame.putInt(0x1234_4000).put((byte) 64).put((byte) 17).putShort((short) 0).putInt(0x0a00_0001)
                    .putInt(0x0a00_0002);
            frame.putShort(24, (short) InternetChecksum.finish(InternetChecksum.add(0, frame.array(), 14, 20)));
        } else {
            frame.putShort((short) 0x86dd).putInt(6 << 28 | treatment << 20).putShort((short) udp).put((byte) 17)
                    .put((byte) 64).putLong(0xfd77L << 48).putLong(1).putLong(0xfd77L << 48).putLong(2);
        }
        frame.putShort((short) 50_000).putShort((short) 4791).putShort((short) udp).putShort((short) 0);
        frame.put((byte) opcode).put((byte) 0).putShort((short) 0xffff).putInt(queuePair).putInt(sequence);
        return frame.array();
    }

    /** The same frame behind a tag. */
    static byte[] tagged(byte[] frame, int priority) {
        ByteBuffer tagged = ByteBuffer.allocate(frame.length + 4).put(frame, 0, 12).putShort((short) 0x8100)
                .putShort((short) (priority << 13 | 5));
        return tagged.put(frame, 12, frame.length - 12).array();
    }

    static int ecn(byte[] frame) {
        return frame[12] == 8 ? frame[15] & 3 : frame[15] >>> 4 & 3;
    }

    /** Whether the checksum of an IPv4 header at a place is right. */
    static boolean isGood(byte[] frame, int header) {
        return InternetChecksum.isGood(InternetChecksum.add(0, frame, header, 20));
    }

    /** Bytes as a frame in memory, in so many pieces. */
    Packets add(byte[] frame, int marks, int pieces) {
        long at = memory.address() + used;
        MemorySegment.copy(frame, 0, memory, ValueLayout.JAVA_BYTE, used, frame.length);
        burst.begin(marks);
        int done = 0;
        for (int piece = 0; piece < pieces; piece++) {
            int length = piece == pieces - 1 ? frame.length - done : frame.length / pieces;
            burst.add(at + done, length);
            done += length;
        }
        used += frame.length + 63 & -64;
        return this;
    }

    /** All that were added; the next one that is added begins anew. */
    FrameBurst all() {
        used = 0;
        return burst;
    }

    Packets clear() {
        burst.clear();
        used = 0;
        return this;
    }

    /** The memory after a frame was sent becomes something else. */
    void overwrite() {
        memory.fill((byte) 0x55);
    }

    static byte[] bytes(Frames frames, int frame) {
        byte[] bytes = new byte[frames.length(frame)];
        int done = 0;
        for (int piece = 0; piece < frames.pieces(frame); piece++) {
            RawMemory.copy(frames.address(frame, piece), bytes, done, frames.length(frame, piece));
            done += frames.length(frame, piece);
        }
        return bytes;
    }

    @Override
    public void close() {
        arena.close();
    }
}
