package io.manafold.roce;

import io.manafold.memory.RawMemory;

/**
 * All fields of one packet of RoCEv2, from the Ethernet header to the extension headers; written, read, and used again
 * for the next one. The fields are public and change, as nowhere else here: the ends of a connection, the adapter and
 * the bytes each set or read a dozen of them per packet, and there is no state that an accessor could guard.
 *
 * <p>Addresses have 16 bytes, highest first; an IPv4 address is {@code ::ffff:a.b.c.d}.
 */
public final class Packet {
    /** Headers are never longer than this, from the Ethernet header to the last extension header. */
    public static final int HEAD = 128;
    /** The UDP port of RoCEv2. */
    public static final int PORT = 4791;
    /** The partition that everything is in. */
    public static final int DEFAULT_PARTITION = 0xffff;

    /** Why a frame is not read: no UDP datagram for {@link #PORT}, or a fragment, or with options. */
    public static final int NOT_ROCE = -1;
    /** The headers are longer than the frame or the copy of its head. */
    public static final int TRUNCATED = -2;
    /** A transport header of another version. */
    public static final int BAD_VERSION = -3;
    /** IP, UDP and the frame disagree on a length, or headers, padding and CRC are longer than the datagram. */
    public static final int BAD_LENGTH = -4;
    /**
     * An opcode that is not of {@link Opcode}; reserved ones of the reliable connection are read, for its responder to
     * refuse.
     */
    public static final int UNKNOWN_OPCODE = -5;
    /** A partition other than the default one. */
    public static final int BAD_PARTITION = -6;
    /** The checksum of the IPv4 header is wrong. */
    public static final int BAD_CHECKSUM = -7;

    static final int ETHERNET = 14;
    static final int TAG = 4;
    static final int TYPE_AT = 12;
    static final int VLAN = 0x8100;
    static final int IPV4 = 20;
    static final int IPV6 = 40;
    static final int UDP = 8;
    static final int TRANSPORT = 12;

    private static final int TYPE_IPV4 = 0x0800;
    private static final int TYPE_IPV6 = 0x86dd;
    private static final int PROTOCOL_UDP = 17;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int FRAGMENT = 0x3fff;
    private static final long MAPPED = 0xffff_0000_0000L;
    private static final int ANY_MEMBERSHIP = 0x7fff;
    private static final int CONGESTION = 3;

    /** 48 bits. */
    public long sourceMac;
    /** 48 bits. */
    public long destinationMac;
    public boolean ipv6;
    public long sourceHigh;
    public long sourceLow;
    public long destinationHigh;
    public long destinationLow;
    /** Differentiated services code point in the six high bits, congestion in the two low ones. */
    public int trafficClass;
    /** Or time to live. */
    public int hopLimit;
    /** Of IPv6, 20 bits. */
    public int flowLabel;
    /** Of UDP. */
    public int sourcePort;

    public int opcode;
    public boolean solicited;
    /** Bytes behind the payload that make it a multiple of four; {@link #write} sets it. */
    public int pad;
    public int partitionKey = DEFAULT_PARTITION;
    /** Backward congestion notification. */
    public boolean becn;
    /** Of the destination. */
    public int queuePair;
    public boolean acknowledgeRequest;
    public int psn;

    public long remoteAddress;
    public int remoteKey;
    public int dmaLength;

    public int syndrome;
    public int msn;

    public int immediate;
    public int invalidatedKey;

    public int queueKey;
    public int sourceQueuePair;

    /** From the first byte of the frame to the payload. */
    public int headerBytes;
    public int payloadBytes;

    /** Where the CRC begins in the frame: behind headers, payload and padding. */
    public int icrcOffset() {
        return headerBytes + payloadBytes + pad;
    }

    /** Bytes of the frame, without what Ethernet adds to short ones. */
    public int frameBytes() {
        return icrcOffset() + Icrc.BYTES;
    }

    /** Whether a queue on the way marked the packet. */
    public boolean isCongestionMarked() {
        return (trafficClass & CONGESTION) == CONGESTION;
    }

    /** Source becomes destination, MAC and IP addresses both; for an answer. */
    public void turnAround() {
        long mac = sourceMac;
        long high = sourceHigh;
        long low = sourceLow;
        sourceMac = destinationMac;
        sourceHigh = destinationHigh;
        sourceLow = destinationLow;
        destinationMac = mac;
        destinationHigh = high;
        destinationLow = low;
    }

    /**
     * Writes all headers. Payload, {@link #pad} zeroes and the CRC are for the caller to put behind them.
     *
     * @return {@link #headerBytes}
     */
    public int write(long at) {
        pad = -payloadBytes & 3;
        int datagram = UDP + TRANSPORT + Opcode.extensionBytes(opcode) + payloadBytes + pad + Icrc.BYTES;
        // few wide stores: what computes the CRC loads words, and must not wait for their parts
        RawMemory.putBig64(at, destinationMac << 16 | sourceMac >>> 32);
        RawMemory.putBig32(at + 8, (int) sourceMac);
        long udp = ipv6 ? writeIpv6(at + ETHERNET, datagram) : writeIpv4(at + ETHERNET, datagram);
        RawMemory.putBig64(udp, (long) (sourcePort << 16 | PORT) << 32 | (long) datagram << 16);
        headerBytes = (int) (writeExtensions(writeTransport(udp + UDP)) - at);
        return headerBytes;
    }

    private long writeIpv4(long at, int datagram) {
        int length = IPV4 + datagram;
        int first = 0x4500 | trafficClass;
        int ttl = hopLimit << 8 | PROTOCOL_UDP;
        int source = (int) sourceLow;
        int destination = (int) destinationLow;
        int checksum = ~folded(first + length + DONT_FRAGMENT + ttl + halves(source) + halves(destination)) & 0xffff;
        RawMemory.putBig16(at - 2, TYPE_IPV4);
        RawMemory.putBig64(at, (long) (first << 16 | length) << 32 | DONT_FRAGMENT);
        RawMemory.putBig64(at + 8, (long) (ttl << 16 | checksum) << 32 | source & 0xffff_ffffL);
        RawMemory.putBig32(at + 16, destination);
        return at + IPV4;
    }

    private static int halves(int word) {
        return (word >>> 16) + (word & 0xffff);
    }

    private static int folded(int sum) {
        int once = halves(sum);
        return halves(once);
    }

    private long writeIpv6(long at, int datagram) {
        RawMemory.putBig16(at - 2, TYPE_IPV6);
        RawMemory.putBig64(at, (long) (6 << 28 | trafficClass << 20 | flowLabel) << 32
                | (long) datagram << 16 | PROTOCOL_UDP << 8 | hopLimit);
        RawMemory.putBig64(at + 8, sourceHigh);
        RawMemory.putBig64(at + 16, sourceLow);
        RawMemory.putBig64(at + 24, destinationHigh);
        RawMemory.putBig64(at + 32, destinationLow);
        return at + IPV6;
    }

    private long writeTransport(long at) {
        int first = (opcode & 0xff) << 24 | (solicited ? 0x80_0000 : 0) | pad << 20 | partitionKey & 0xffff;
        int second = (becn ? 0x4000_0000 : 0) | queuePair & Psn.MASK;
        RawMemory.putBig64(at, (long) first << 32 | second & 0xffff_ffffL);
        RawMemory.putBig32(at + 8, (acknowledgeRequest ? 0x8000_0000 : 0) | psn & Psn.MASK);
        return at + TRANSPORT;
    }

    private long writeExtensions(long start) {
        long at = start;
        if (Opcode.hasDeth(opcode)) {
            RawMemory.putBig32(at, queueKey);
            RawMemory.putBig32(at + 4, sourceQueuePair & Psn.MASK);
            at += 8;
        }
        if (Opcode.hasReth(opcode)) {
            RawMemory.putBig64(at, remoteAddress);
            RawMemory.putBig64(at + 8, (long) remoteKey << 32 | dmaLength & 0xffff_ffffL);
            at += 16;
        }
        if (Opcode.hasAeth(opcode)) {
            RawMemory.putBig32(at, syndrome << 24 | msn & Psn.MASK);
            at += 4;
        }
        if (Opcode.hasImmediate(opcode)) {
            RawMemory.putBig32(at, immediate);
            at += 4;
        }
        if (Opcode.hasInvalidate(opcode)) {
            RawMemory.putBig32(at, invalidatedKey);
            at += 4;
        }
        long end = start + Opcode.extensionBytes(opcode);
        if (at < end) {
            RawMemory.clear(at, end - at);
        }
        return end;
    }

    /**
     * Reads the headers of a frame, at most one VLAN tag among them. The CRC is not looked at.
     *
     * @param at a copy of the head of the frame in memory of our own
     * @param available bytes of the copy; {@link #HEAD} are always enough
     * @param frameLength bytes of the whole frame
     * @return 0, or one of the negative constants; then the fields hold whatever had been read, and with any but
     *     {@link #NOT_ROCE} those of the Ethernet and IP headers are this frame's
     */
    public int read(long at, int available, int frameLength) {
        int end = Math.min(available, frameLength);
        if (end < ETHERNET + TAG) {
            return NOT_ROCE;
        }
        // few wide loads, here and below
        long first = RawMemory.getBig64(at);
        long second = RawMemory.getBig64(at + 8);
        destinationMac = first >>> 16;
        sourceMac = (first & 0xffff) << 32 | second >>> 32;
        int network = ETHERNET;
        int type = (int) second >>> 16;
        if (type == VLAN) {
            type = RawMemory.getBig16(at + TYPE_AT + TAG);
            network += TAG;
        }
        int udp = network + (type == TYPE_IPV6 ? IPV6 : IPV4);
        if (type != TYPE_IPV4 && type != TYPE_IPV6 || end < udp + UDP) {
            return NOT_ROCE;
        }
        int inside = type == TYPE_IPV4 ? readIpv4(at + network) : readIpv6(at + network);
        if (inside < 0) {
            return inside;
        }
        long ports = RawMemory.getBig64(at + udp);
        if ((int) (ports >>> 32 & 0xffff) != PORT) {
            return NOT_ROCE;
        }
        sourcePort = (int) (ports >>> 48);
        int datagram = (int) ports >>> 16;
        if (datagram != inside || udp + datagram > frameLength || datagram < UDP + TRANSPORT + Icrc.BYTES) {
            return BAD_LENGTH;
        }
        int transport = udp + UDP;
        if (end < transport + TRANSPORT) {
            return TRUNCATED;
        }
        int refused = readTransport(at + transport);
        if (refused != 0) {
            return refused;
        }
        headerBytes = transport + TRANSPORT + Opcode.extensionBytes(opcode);
        payloadBytes = udp + datagram - Icrc.BYTES - pad - headerBytes;
        if (payloadBytes < 0) {
            return BAD_LENGTH;
        }
        if (end < headerBytes) {
            return TRUNCATED;
        }
        readExtensions(at + transport + TRANSPORT);
        return 0;
    }

    /** The length of what is inside, or why not. */
    private int readIpv4(long at) {
        long head = RawMemory.getBig64(at);
        long middle = RawMemory.getBig64(at + 8);
        int first = (int) (head >>> 48);
        int ttl = (int) (middle >>> 48);
        int fragment = (int) head & 0xffff;
        if (first >>> 8 != 0x45 || (ttl & 0xff) != PROTOCOL_UDP || (fragment & FRAGMENT) != 0) {
            return NOT_ROCE;
        }
        int length = (int) (head >>> 32) & 0xffff;
        int source = (int) middle;
        int destination = RawMemory.getBig32(at + 16);
        ipv6 = false;
        trafficClass = first & 0xff;
        hopLimit = ttl >>> 8;
        flowLabel = 0;
        sourceHigh = 0;
        sourceLow = MAPPED | source & 0xffff_ffffL;
        destinationHigh = 0;
        destinationLow = MAPPED | destination & 0xffff_ffffL;
        int sum = halves((int) (head >>> 32)) + halves((int) head) + halves((int) (middle >>> 32)) + halves(source)
                + halves(destination);
        if (folded(sum) != 0xffff) {
            return BAD_CHECKSUM;
        }
        return length < IPV4 ? BAD_LENGTH : length - IPV4;
    }

    private int readIpv6(long at) {
        int first = RawMemory.getBig32(at);
        int next = RawMemory.getBig16(at + 6);
        if (first >>> 28 != 6 || next >>> 8 != PROTOCOL_UDP) {
            return NOT_ROCE;
        }
        ipv6 = true;
        trafficClass = first >>> 20 & 0xff;
        flowLabel = first & 0xf_ffff;
        hopLimit = next & 0xff;
        sourceHigh = RawMemory.getBig64(at + 8);
        sourceLow = RawMemory.getBig64(at + 16);
        destinationHigh = RawMemory.getBig64(at + 24);
        destinationLow = RawMemory.getBig64(at + 32);
        return RawMemory.getBig16(at + 4);
    }

    private int readTransport(long at) {
        long word = RawMemory.getBig64(at);
        opcode = (int) (word >>> 56);
        int flags = (int) (word >>> 48) & 0xff;
        if ((flags & 0xf) != 0) {
            return BAD_VERSION;
        }
        solicited = (flags & 0x80) != 0;
        pad = flags >>> 4 & 3;
        partitionKey = (int) (word >>> 32) & 0xffff;
        int destination = (int) word;
        becn = (destination & 0x4000_0000) != 0;
        queuePair = destination & Psn.MASK;
        int sequence = RawMemory.getBig32(at + 8);
        acknowledgeRequest = sequence < 0;
        psn = sequence & Psn.MASK;
        if (!Opcode.isKnown(opcode) && !Opcode.isRequest(opcode)) {
            return UNKNOWN_OPCODE;
        }
        return (partitionKey & ANY_MEMBERSHIP) == ANY_MEMBERSHIP ? 0 : BAD_PARTITION;
    }

    private void readExtensions(long start) {
        long at = start;
        if (Opcode.hasDeth(opcode)) {
            queueKey = RawMemory.getBig32(at);
            sourceQueuePair = RawMemory.getBig32(at + 4) & Psn.MASK;
            at += 8;
        }
        if (Opcode.hasReth(opcode)) {
            remoteAddress = RawMemory.getBig64(at);
            long word = RawMemory.getBig64(at + 8);
            remoteKey = (int) (word >>> 32);
            dmaLength = (int) word;
            at += 16;
        }
        if (Opcode.hasAeth(opcode)) {
            int word = RawMemory.getBig32(at);
            syndrome = word >>> 24;
            msn = word & Psn.MASK;
            at += 4;
        }
        if (Opcode.hasImmediate(opcode)) {
            immediate = RawMemory.getBig32(at);
            at += 4;
        }
        if (Opcode.hasInvalidate(opcode)) {
            invalidatedKey = RawMemory.getBig32(at);
        }
    }
}
