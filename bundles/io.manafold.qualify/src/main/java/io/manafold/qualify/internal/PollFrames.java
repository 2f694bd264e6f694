package io.manafold.qualify.internal;

import io.manafold.api.net.MacAddress;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import io.manafold.packet.InternetChecksum;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Frames of UDP from many addresses, so that a device spreads them over its queues. Each ends with the mark of its
 * trial, by which those are told that come late, from others, or not to their end.
 */
final class PollFrames {
    /** Taken in turns. */
    static final int FLOWS = 64;
    private static final int CHECKSUM = 4;
    private static final int MAC = 6;
    private static final int IP = 14;
    private static final int UDP = IP + 20;
    /** The headers, whose last field is the checksum of UDP, 0 for none, and six bytes of payload. */
    private static final int HEAD = UDP + 14;
    private static final int WORDS = HEAD / Long.BYTES;
    private static final int PORT = 9;
    private static final int SOURCE = 198 << 24 | 18 << 16;
    private static final int DESTINATION = 198 << 24 | 19 << 16 | 1;

    private final PacketPool pool;
    private final long mark;
    private final int length;
    /** Where the mark is. */
    private final int last;
    private final long first;
    /** By flow, all words with headers. */
    private final long[] heads = new long[FLOWS * WORDS];

    /**
     * @param size of a frame, its checksum included
     */
    PollFrames(PacketPool pool, MacAddress from, MacAddress to, int size, long mark) {
        this.pool = pool;
        this.mark = mark;
        length = size - CHECKSUM;
        last = length - Long.BYTES;
        first = PacketPool.first(PacketPool.HEADROOM, length, 0);
        for (int flow = 0; flow < FLOWS; flow++) {
            ByteBuffer.wrap(head(from, to, flow)).order(ByteOrder.nativeOrder()).asLongBuffer().get(heads,
                    flow * WORDS, WORDS);
        }
    }

    private byte[] head(MacAddress from, MacAddress to, int flow) {
        byte[] bytes = new byte[HEAD];
        ByteBuffer head = ByteBuffer.wrap(bytes);
        head.putLong(to.value() << 16).position(MAC);
        head.putLong(from.value() << 16).position(2 * MAC);
        head.putShort((short) 0x0800);
        head.putShort((short) 0x4500).putShort((short) (length - IP)).putInt(0).put((byte) 64).put((byte) 17)
                .putShort((short) 0).putInt(SOURCE + 1 + flow).putInt(DESTINATION);
        head.putShort(IP + 10, (short) InternetChecksum.finish(InternetChecksum.add(0, bytes, IP, UDP - IP)));
        head.putShort((short) PORT).putShort((short) PORT).putShort((short) (length - UDP));
        return bytes;
    }

    /** Makes a packet that was taken one of a flow. What is before the mark is whatever its memory holds. */
    void write(int packet, int flow) {
        pool.first(packet, first);
        pool.second(packet, PacketPool.SINGLE);
        long at = pool.data(packet);
        for (int i = 0; i < WORDS; i++) {
            RawMemory.put64(at + (long) Long.BYTES * i, heads[flow * WORDS + i]);
        }
        RawMemory.put64(at + last, mark);
    }

    /** Whether a packet that has come is one of them, whole. */
    boolean isOne(int packet) {
        return PacketPool.length(pool.first(packet)) == length && RawMemory.get64(pool.data(packet) + last) == mark;
    }
}
