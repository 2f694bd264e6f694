package io.manafold.itests.net;

import static io.manafold.memory.PacketFlags.HASHED;
import static io.manafold.memory.PacketFlags.INSERT_TAG;
import static io.manafold.memory.PacketFlags.IPV4;
import static io.manafold.memory.PacketFlags.IPV6;
import static io.manafold.memory.PacketFlags.IP_CHECKSUM;
import static io.manafold.memory.PacketFlags.IP_GOOD;
import static io.manafold.memory.PacketFlags.TAGGED;
import static io.manafold.memory.PacketFlags.TAG_STRIPPED;
import static io.manafold.memory.PacketFlags.TCP_CHECKSUM;
import static io.manafold.memory.PacketFlags.TRANSPORT_GOOD;
import static io.manafold.memory.PacketFlags.UDP_CHECKSUM;

import io.manafold.packet.InternetChecksum;
import java.util.List;
import java.util.Random;

/**
 * A frame to all stations, what its sender asks of the device, and what a receiver is to be told.
 *
 * @param sent its bytes as they are handed to the device
 * @param arrives its bytes as they arrive, a tag taken out
 * @param asked flags of the packet that is sent
 * @param told flags of the packet that arrives
 * @param tag to be put in
 */
public record FrameKind(String name, byte[] sent, byte[] arrives, int asked, int told, int tag) {
    private static final int ETHERNET = 14;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int ICMP = 1;
    private static final int FRAGMENT = 44;
    private static final int PAYLOAD = 101;
    private static final int TAG = 0xa123;
    private static final int TAG_TOLD = TAGGED | TAG_STRIPPED;

    /** A tag as receivers are told it: of its 16 bits, the 12 that name a VLAN. */
    public int vlan() {
        return (told & TAGGED) == 0 ? 0 : TAG & 0xfff;
    }

    /** One of each. */
    public static List<FrameKind> all() {
        byte[] tcp4 = ip(4, TCP, 0);
        byte[] udp4 = ip(4, UDP, 0);
        byte[] tcp6 = ip(6, TCP, 0);
        byte[] udp6 = ip(6, UDP, 0);
        byte[] other = ip(4, TCP, 0);
        put16(other, 12, 0x88b5);
        int good = IP_GOOD | TRANSPORT_GOOD | HASHED;
        return List.of(
                computed("IPv4 and TCP", tcp4, IPV4 | IP_CHECKSUM | TCP_CHECKSUM, good),
                computed("IPv4 and UDP", udp4, IPV4 | IP_CHECKSUM | UDP_CHECKSUM, good),
                computed("IPv6 and TCP", tcp6, IPV6 | TCP_CHECKSUM, good),
                computed("IPv6 and UDP", udp6, IPV6 | UDP_CHECKSUM, good),
                computed("IPv4 with options, and TCP", ip(4, TCP, 4), IPV4 | IP_CHECKSUM | TCP_CHECKSUM, good),
                computed("checksum of IPv4 alone", udp4, IPV4 | IP_CHECKSUM, IP_GOOD | HASHED),
                plain("checksums by the sender", tcp4, HASHED),
                plain("wrong checksum of IPv4", wrong(tcp4, 24), HASHED),
                plain("wrong checksum of TCP", wrong(tcp4, 50), HASHED),
                plain("UDP without a checksum", none(udp4, 40), HASHED),
                new FrameKind("wrong checksum of UDP, that of IPv4 by the device", wrong(none(udp4, 24), 40),
                        wrong(udp4, 40), IPV4 | IP_CHECKSUM, IP_GOOD | HASHED, 0),
                new FrameKind("wrong checksum of IPv4, that of UDP by the device", none(wrong(udp4, 24), 40),
                        wrong(udp4, 24), IPV4 | UDP_CHECKSUM, TRANSPORT_GOOD | HASHED, 0),
                plain("first fragment of IPv4", fragment(udp4, 0x2000), HASHED),
                plain("later fragment of IPv4", fragment(udp4, 0x0010), HASHED),
                plain("fragment of IPv6", ip(6, FRAGMENT, 0), HASHED),
                plain("ICMP", ip(4, ICMP, 0), HASHED),
                plain("neither IPv4 nor IPv6", other, 0),
                new FrameKind("tag by the device, and TCP", none(none(tcp4, 24), 50), tcp4,
                        IPV4 | IP_CHECKSUM | TCP_CHECKSUM | INSERT_TAG, good | TAG_TOLD, TAG),
                new FrameKind("tag by the device, and IPv6", udp6, udp6, INSERT_TAG, HASHED | TAG_TOLD, TAG),
                new FrameKind("tag by the device, and no IP", other, other, INSERT_TAG, TAG_TOLD, TAG),
                new FrameKind("tag by the sender", tagged(udp4), udp4, 0, HASHED | TAG_TOLD, 0));
    }

    /** The sender leaves checksums that it asks for empty. */
    private static FrameKind computed(String name, byte[] frame, int asked, int told) {
        byte[] empty = (asked & IP_CHECKSUM) != 0 ? none(frame, 24) : frame;
        if ((asked & (TCP_CHECKSUM | UDP_CHECKSUM)) != 0) {
            empty = none(empty, transport(frame) + ((asked & TCP_CHECKSUM) != 0 ? 16 : 6));
        }
        return new FrameKind(name, empty, frame, asked, told, 0);
    }

    private static FrameKind plain(String name, byte[] frame, int told) {
        return new FrameKind(name, frame, frame, 0, told, 0);
    }

    private static byte[] ip(int version, int protocol, int options) {
        int network = version == 4 ? 20 + options : 40;
        int transport = protocol == TCP ? 20 : 8;
        byte[] frame = new byte[ETHERNET + network + transport + PAYLOAD];
        new Random(version * 31 + protocol).nextBytes(frame);
        for (int i = 0; i < 6; i++) {
            frame[i] = -1;
        }
        frame[6] = 2;
        int at = ETHERNET + network;
        int length = transport + PAYLOAD;
        if (protocol == TCP) {
            put16(frame, at + 12, 0x5010);
            put16(frame, at + 16, 0);
        } else if (protocol == UDP) {
            put16(frame, at + 4, length);
            put16(frame, at + 6, 0);
        }
        put16(frame, 12, version == 4 ? 0x0800 : 0x86dd);
        if (version == 4) {
            frame[14] = (byte) (0x40 | network / 4);
            put16(frame, 16, network + length);
            put16(frame, 20, 0x4000);
            frame[23] = (byte) protocol;
            for (int i = 34; i < at; i++) {
                // an option that does nothing
                frame[i] = 1;
            }
            put16(frame, 24, 0);
            put16(frame, 24, InternetChecksum.finish(InternetChecksum.add(0, frame, 14, network)));
        } else {
            put16(frame, 14, 0x6000);
            put16(frame, 18, length);
            frame[20] = (byte) protocol;
            if (protocol == FRAGMENT) {
                frame[at] = UDP;
                put16(frame, at + 2, 0x0011);
            }
        }
        if (protocol == TCP || protocol == UDP) {
            long sum = InternetChecksum.pseudoHeader(frame, version == 4 ? 26 : 22, version == 4 ? 8 : 32, protocol,
                    length);
            put16(frame, at + (protocol == TCP ? 16 : 6),
                    InternetChecksum.finish(InternetChecksum.add(sum, frame, at, length)));
        }
        return frame;
    }

    private static int transport(byte[] frame) {
        return frame[14] >>> 4 == 4 ? ETHERNET + (frame[14] & 0xf) * 4 : ETHERNET + 40;
    }

    private static byte[] fragment(byte[] frame, int word) {
        byte[] made = none(frame, 24);
        put16(made, 20, word);
        put16(made, 24, InternetChecksum.finish(InternetChecksum.add(0, made, 14, 20)));
        return made;
    }

    private static byte[] tagged(byte[] frame) {
        byte[] made = new byte[frame.length + 4];
        System.arraycopy(frame, 0, made, 0, 12);
        put16(made, 12, 0x8100);
        put16(made, 14, TAG);
        System.arraycopy(frame, 12, made, 16, frame.length - 12);
        return made;
    }

    private static byte[] wrong(byte[] frame, int at) {
        byte[] made = frame.clone();
        made[at] ^= 0x55;
        return made;
    }

    private static byte[] none(byte[] frame, int at) {
        byte[] made = frame.clone();
        put16(made, at, 0);
        return made;
    }

    private static void put16(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >> 8);
        bytes[at + 1] = (byte) value;
    }
}
