package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.PacketBuffer;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.MemoryBorrower;
import io.manafold.memory.PagePool;

/**
 * What the device is asked to do with a packet. The device gets the fields of the headers as it expects them: in the
 * transport checksum the sum of the pseudo header, and for segments no lengths at all. Used again for each packet.
 */
final class Offload {
    private static final int WANTED = PacketBuffer.FILL_IP_CHECKSUM | PacketBuffer.FILL_TRANSPORT_CHECKSUM
            | PacketBuffer.CUT;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int VLAN = 0x8100;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int MOST_HEADERS = 255;
    private static final int MOST_SEGMENT = 0x3fff;
    private static final int MOST_OFFSET = 0x3ff;
    private static final int MOST_BYTES = 524_280;

    int pieces;
    int length;
    /** Of {@link SendRequest}. */
    int flags;
    int transportOffset;
    /** More than 0 for a packet that is to be cut. */
    int headerBytes;
    int segment;
    boolean tagged;

    /** Whether a packet is in one piece, of a length that can be sent, and nothing is to be done to it. */
    static boolean isPlain(PacketBuffer packet) {
        int length = packet.length();
        return packet.next() == null && (packet.flags() & (WANTED | PacketBuffer.TAGGED)) == 0
                && length >= PortConfig.HEADER && length <= MOST_BYTES;
    }

    /**
     * How many packets, from the first on, are for the same queue and plain, and the function reaches them where they
     * are.
     */
    static int plain(PacketBuffer[] several, int from, int most, MemoryBorrower memory) {
        int queue = several[from].queue();
        PagePool known = null;
        int many = 0;
        while (many < most) {
            PacketBuffer packet = several[from + many];
            PagePool pool = PagePool.of(packet);
            if (pool == null || pool != known && !memory.reaches(pool) || packet.queue() != queue
                    || !isPlain(packet)) {
                break;
            }
            known = pool;
            many++;
        }
        return many;
    }

    /** Finds out; false if the packet cannot be sent as it is. */
    boolean prepare(PacketBuffer packet) {
        measure(packet);
        int wanted = packet.flags();
        flags = 0;
        transportOffset = 0;
        headerBytes = 0;
        segment = 0;
        tagged = (wanted & PacketBuffer.TAGGED) != 0;
        if (packet.length() < PortConfig.HEADER || length > MOST_BYTES) {
            return false;
        }
        if ((wanted & WANTED) != 0 && !headers(packet, wanted)) {
            return false;
        }
        return pieces <= WorkRequest.MAX_SEND_PIECES;
    }

    private void measure(PacketBuffer packet) {
        pieces = 0;
        length = 0;
        for (PacketBuffer piece = packet; piece != null && pieces <= WorkRequest.MAX_SEND_PIECES;
                piece = piece.next()) {
            if (piece.length() > 0) {
                pieces++;
                length += piece.length();
            }
        }
    }

    private boolean headers(PacketBuffer packet, int wanted) {
        int limit = packet.length();
        int ip = PortConfig.HEADER;
        int type = packet.get16(12);
        if (type == VLAN) {
            ip += 4;
            type = limit >= ip ? packet.get16(16) : 0;
        }
        if (type == IPV4 && limit >= ip + 20) {
            return ipv4(packet, wanted, ip, limit);
        }
        return type == IPV6 && limit >= ip + 40 && ipv6(packet, wanted, ip, limit);
    }

    private boolean ipv4(PacketBuffer packet, int wanted, int ip, int limit) {
        int bytes = (packet.get8(ip) & 0xf) * 4;
        if (bytes < 20 || limit < ip + bytes) {
            return false;
        }
        boolean cut = isCut(packet, wanted);
        int total = packet.get16(ip + 2);
        if (cut) {
            packet.put16(ip + 2, 0);
            packet.put16(ip + 10, 0);
        } else if ((wanted & PacketBuffer.FILL_IP_CHECKSUM) != 0) {
            packet.put16(ip + 10, 0);
            packet.put16(ip + 10, ~fold(sum(packet, ip, bytes)) & 0xffff);
        }
        flags = SendRequest.IPV4;
        return transport(packet, wanted, ip + bytes, packet.get8(ip + 9), sum(packet, ip + 12, 8), total - bytes,
                limit, cut);
    }

    private boolean ipv6(PacketBuffer packet, int wanted, int ip, int limit) {
        boolean cut = isCut(packet, wanted);
        int payload = packet.get16(ip + 4);
        if (cut) {
            packet.put16(ip + 4, 0);
        }
        flags = SendRequest.IPV6;
        return transport(packet, wanted, ip + 40, packet.get8(ip + 6), sum(packet, ip + 8, 32), payload, limit, cut);
    }

    /** A packet that fits one segment is sent as one. */
    private boolean isCut(PacketBuffer packet, int wanted) {
        return (wanted & PacketBuffer.CUT) != 0 && length - packet.headerBytes() > packet.segment();
    }

    private boolean transport(PacketBuffer packet, int wanted, int at, int protocol, int addresses, int bytes,
            int limit, boolean cut) {
        if ((wanted & (PacketBuffer.FILL_TRANSPORT_CHECKSUM | PacketBuffer.CUT)) == 0) {
            flags = 0;
            return true;
        }
        if (protocol == TCP && limit >= at + 20 && at <= MOST_OFFSET) {
            flags |= SendRequest.TCP_CHECKSUM;
            transportOffset = at;
            packet.put16(at + 16, fold(addresses + TCP + (cut ? 0 : bytes)));
            return !cut || cuts(packet, limit);
        }
        if (protocol == UDP && limit >= at + 8 && !cut) {
            flags |= SendRequest.UDP_CHECKSUM;
            packet.put16(at + 6, fold(addresses + UDP + bytes));
            return true;
        }
        return false;
    }

    private boolean cuts(PacketBuffer packet, int limit) {
        headerBytes = packet.headerBytes();
        segment = packet.segment();
        if (headerBytes < transportOffset + 20 || headerBytes > MOST_HEADERS || headerBytes > limit || segment < 1
                || segment > MOST_SEGMENT) {
            return false;
        }
        flags |= SendRequest.IP_CHECKSUM;
        if (limit > headerBytes) {
            // headers and the payload behind them become two pieces
            pieces++;
        }
        return true;
    }

    private static int sum(PacketBuffer packet, int from, int bytes) {
        int sum = 0;
        for (int i = from; i < from + bytes; i += 2) {
            sum += packet.get16(i);
        }
        return sum;
    }

    private static int fold(int sum) {
        int once = (sum & 0xffff) + (sum >>> 16);
        return (once & 0xffff) + (once >>> 16);
    }
}
