package io.manafold.roce;

import io.manafold.memory.Crc32;
import io.manafold.memory.RawMemory;

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

    private final byte[] masked = new byte[LEADING + Packet.HEAD];
    private final Crc32 crc = new Crc32();

    /**
     * Begins with the headers of a packet.
     *
     * @param headers where its Ethernet header begins, or that of a copy
     * @param bytes Ethernet to extension headers, as in {@link Packet#headerBytes}
     */
    public void begin(long headers, int bytes) {
        int network = RawMemory.getBig16(headers + Packet.TYPE_AT) == Packet.VLAN ? Packet.ETHERNET + Packet.TAG : Packet.ETHERNET;
        int length = bytes - network;
        for (int i = 0; i < LEADING; i++) {
            masked[i] = -1;
        }
        RawMemory.copy(headers + network, masked, LEADING, length);
        int transport;
        if (masked[LEADING] >> 4 == 4) {
            transport = maskIpv4();
        } else {
            transport = maskIpv6();
        }
        mask(transport + 6);
        mask(transport + 7);
        mask(transport + Packet.UDP + 4);
        crc.reset();
        crc.update(masked, 0, LEADING + length);
    }

    private int maskIpv4() {
        mask(1);
        mask(8);
        mask(10);
        mask(11);
        return Packet.IPV4;
    }

    private int maskIpv6() {
        masked[LEADING] |= 0x0f;
        mask(1);
        mask(2);
        mask(3);
        mask(7);
        return Packet.IPV6;
    }

    private void mask(int offset) {
        masked[LEADING + offset] = -1;
    }

    /** Adds payload or padding, in memory of our own that cannot be shortened. */
    public void update(long address, int length) {
        crc.update(address, length);
    }

    /** Adds so many bytes of padding, 0 to 3. */
    public void pad(int bytes) {
        for (int i = 0; i < bytes; i++) {
            masked[i] = 0;
        }
        crc.update(masked, 0, bytes);
    }

    /** The number of all that was added. */
    public int value() {
        return crc.value();
    }
}
