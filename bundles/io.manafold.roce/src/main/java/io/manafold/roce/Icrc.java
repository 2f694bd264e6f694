package io.manafold.roce;

import io.manafold.memory.Crc32;
import io.manafold.memory.RawMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The invariant CRC of a packet: over all that no router changes, from the IP header to the padding. For one thread.
 *
 * <p>It is written behind the padding, lowest byte first: {@code RawMemory.put32(at, icrc.value())}.
 */
public final class Icrc {
    /** Bytes of it. */
    public static final int BYTES = 4;

    /** Stands for the header of a link layer that Ethernet does not have. */
    private static final int LEADING = 8;
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle HALF = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    /**
     * What routers may change, from the IP header on: type of service, time to live, checksums of IP and UDP, a byte of
     * the transport's.
     */
    private static final long[] CHANGED_IPV4 = {0xff00L, 0xffff_00ffL, 0, 0xffff_0000L, 0xffL};
    /** The same with IPv6: traffic class, flow label, hop limit. */
    private static final long[] CHANGED_IPV6 = {0xff00_0000_ffff_ff0fL, 0, 0, 0, 0, 0xffffL << 48, 0xffL << 32};

    private final byte[] masked = new byte[LEADING + Packet.HEAD];
    private final Crc32 crc = new Crc32();

    /**
     * Begins with the headers of a packet.
     *
     * @param headers where its Ethernet header begins, or that of a copy
     * @param bytes Ethernet to extension headers, as in {@link Packet#headerBytes}
     */
    public void begin(long headers, int bytes) {
        int network = RawMemory.getBig16(headers + Packet.TYPE_AT) == Packet.VLAN ? Packet.ETHERNET + Packet.TAG
                : Packet.ETHERNET;
        long from = headers + network;
        int length = bytes - network;
        long[] changed = RawMemory.get8(from) >> 4 == 4 ? CHANGED_IPV4 : CHANGED_IPV6;
        WORD.set(masked, 0, -1L);
        int at = 0;
        for (int word = 0; word < changed.length; word++) {
            WORD.set(masked, LEADING + at, RawMemory.get64(from + at) | changed[word]);
            at += 8;
        }
        for (; at + 8 <= length; at += 8) {
            WORD.set(masked, LEADING + at, RawMemory.get64(from + at));
        }
        if (at < length) {
            // all headers are multiples of four bytes
            HALF.set(masked, LEADING + at, RawMemory.get32(from + at));
        }
        crc.reset();
        crc.update(masked, 0, LEADING + length);
    }

    /** Adds payload or padding, in memory of our own that cannot be shortened. */
    public void update(long address, int length) {
        crc.update(address, length);
    }

    /** Adds so many bytes of padding, 0 to 3. */
    public void pad(int bytes) {
        if (bytes > 0) {
            HALF.set(masked, 0, 0);
            crc.update(masked, 0, bytes);
        }
    }

    /** The number of all that was added. */
    public int value() {
        return crc.value();
    }
}
