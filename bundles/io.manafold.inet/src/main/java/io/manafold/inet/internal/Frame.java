package io.manafold.inet.internal;

import io.manafold.api.net.PacketBuffer;
import io.manafold.packet.Headers;
import io.manafold.packet.InternetChecksum;

/**
 * A packet that has come in: a copy of its first bytes, which no guest can change any more, and what they say. Used
 * again for the next one.
 */
final class Frame {
    /** The longest packet there is, and a tag. */
    static final int LONGEST = 9216;

    final byte[] bytes = new byte[LONGEST];
    final Headers headers = new Headers();
    PacketBuffer packet;
    int length;
    /** It never was on the wire: the host sent it to itself. */
    boolean own;
    long toMac;
    long fromMac;
    int version;
    long fromHigh;
    long fromLow;
    long toHigh;
    long toLow;
    private int copied;

    /** False if it is not even an Ethernet frame. */
    boolean load(PacketBuffer from, boolean ownFrame) {
        packet = from;
        own = ownFrame;
        length = from.length();
        version = 0;
        if (length < Headers.ETHERNET || length > LONGEST) {
            return false;
        }
        copied = Math.min(length, Headers.WORTH);
        from.get(0, bytes, 0, copied);
        toMac = BigEndian.get48(bytes, 0);
        fromMac = BigEndian.get48(bytes, 6);
        if (!headers.parse(bytes, 0, copied, length)) {
            return false;
        }
        if (headers.isIp()) {
            addresses();
        }
        return true;
    }

    private void addresses() {
        int at = headers.addresses();
        if (headers.isIpv4()) {
            version = 4;
            fromHigh = 0;
            fromLow = BigEndian.get32(bytes, at) & 0xffff_ffffL;
            toHigh = 0;
            toLow = BigEndian.get32(bytes, at + 4) & 0xffff_ffffL;
        } else {
            version = 6;
            fromHigh = BigEndian.get64(bytes, at);
            fromLow = BigEndian.get64(bytes, at + 8);
            toHigh = BigEndian.get64(bytes, at + 16);
            toLow = BigEndian.get64(bytes, at + 24);
        }
    }

    /** Has all of it copied. */
    void whole() {
        if (copied < length) {
            packet.get(copied, bytes, copied, length - copied);
            copied = length;
        }
    }

    boolean has(int flag) {
        return (packet.flags() & flag) != 0;
    }

    boolean isIpChecksumGood() {
        if (own || has(PacketBuffer.IP_CHECKSUM_GOOD)) {
            return true;
        }
        int at = headers.network();
        return InternetChecksum.isGood(InternetChecksum.add(0, bytes, at, (bytes[at] & 0xf) * 4));
    }

    /** Whether the checksum over so many bytes from the transport header on and a pseudo header is right. */
    boolean isTransportChecksumGood(int protocol, int bytesFromTransport) {
        if (own || has(PacketBuffer.TRANSPORT_CHECKSUM_GOOD)) {
            return true;
        }
        whole();
        long sum = InternetChecksum.pseudoHeader(bytes, headers.addresses(), headers.addressBytes(), protocol,
                bytesFromTransport);
        return InternetChecksum.isGood(InternetChecksum.add(sum, bytes, headers.transport(), bytesFromTransport));
    }

    /** Whether the checksum over the transport header and what follows is right: that of ICMP over IPv4. */
    boolean isPlainChecksumGood() {
        if (own) {
            return true;
        }
        whole();
        return InternetChecksum
                .isGood(InternetChecksum.add(0, bytes, headers.transport(), headers.transportLength()));
    }

    /** The hop limit or time to live that was left. */
    int ttl() {
        return BigEndian.get8(bytes, headers.network() + (version == 4 ? 8 : 7));
    }

    /** Whether the sender's address is one that a station of its own can have. */
    boolean isFromStation() {
        if (version == 4) {
            int first = (int) (fromLow >>> 24);
            return first != 0 && first != 127 && first < 224;
        }
        return fromHigh >>> 56 != 0xff && !(fromHigh == 0 && (fromLow == 0 || fromLow == 1));
    }

    boolean isToGroup() {
        return version == 4 ? toLow >>> 28 == 0xe : toHigh >>> 56 == 0xff;
    }
}
