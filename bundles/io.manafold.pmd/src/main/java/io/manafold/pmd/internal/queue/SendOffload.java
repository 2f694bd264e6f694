package io.manafold.pmd.internal.queue;

import io.manafold.gdma.SendRequest;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;

/**
 * What the device is asked to do with a packet, by the packet's flags. The device wants the sum of the pseudo header in
 * the checksum of TCP and UDP. Used again for each packet.
 */
final class SendOffload {
    private static final int TRANSPORTS = PacketFlags.TCP_CHECKSUM | PacketFlags.UDP_CHECKSUM;
    private static final int CHECKSUMS = PacketFlags.IP_CHECKSUM | TRANSPORTS;
    private static final int ETHERNET = 14;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int VLAN = 0x8100;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int MOST_OFFSET = 0x3ff;

    /** Of {@link SendRequest}. */
    int flags;
    int transportOffset;
    boolean tagged;
    int tag;

    /**
     * Finds out; false if the packet cannot be sent as it is.
     *
     * @param headersPool the pool of the segment with the headers, of so many bytes
     */
    boolean prepare(PacketPool pool, int packet, PacketPool headersPool, int headers, int length) {
        int wanted = PacketPool.flags(pool.first(packet));
        flags = 0;
        transportOffset = 0;
        tagged = (wanted & PacketFlags.INSERT_TAG) != 0;
        tag = tagged ? PacketPool.tag(pool.second(packet)) : 0;
        if ((wanted & TRANSPORTS) != 0
                && (PacketPool.isElsewhere(headersPool.first(headers))
                || PacketPool.references(headersPool.second(headers)) > 1)) {
            // the sum of a pseudo header is written neither into memory of the application nor into bytes of others
            return false;
        }
        return (wanted & CHECKSUMS) == 0 || headers(headersPool.data(headers), length, wanted);
    }

    private boolean headers(long data, int length, int wanted) {
        int ip = ETHERNET;
        int type = length < ip + 20 ? 0 : RawMemory.getBig16(data + 12);
        if (type == VLAN) {
            type = RawMemory.getBig16(data + 16);
            ip += 4;
        }
        if (type == IPV4 && length >= ip + 20) {
            int bytes = (RawMemory.get8(data + ip) & 0xf) * 4;
            if (bytes < 20 || length < ip + bytes) {
                return false;
            }
            flags = SendRequest.IPV4;
            if ((wanted & PacketFlags.IP_CHECKSUM) != 0) {
                flags |= SendRequest.IP_CHECKSUM;
            }
            return transport(data, ip + bytes, length, wanted, RawMemory.get8(data + ip + 9), sum(data + ip + 12, 8),
                    RawMemory.getBig16(data + ip + 2) - bytes);
        }
        if (type == IPV6 && length >= ip + 40) {
            flags = SendRequest.IPV6;
            return transport(data, ip + 40, length, wanted, RawMemory.get8(data + ip + 6), sum(data + ip + 8, 32),
                    RawMemory.getBig16(data + ip + 4));
        }
        return false;
    }

    private boolean transport(long data, int at, int length, int wanted, int protocol, int addresses, int bytes) {
        if ((wanted & PacketFlags.TCP_CHECKSUM) != 0) {
            if (protocol != TCP || length < at + 20 || at > MOST_OFFSET) {
                return false;
            }
            flags |= SendRequest.TCP_CHECKSUM;
            transportOffset = at;
            RawMemory.putBig16(data + at + 16, fold(addresses + TCP + bytes));
        } else if ((wanted & PacketFlags.UDP_CHECKSUM) != 0) {
            if (protocol != UDP || length < at + 8) {
                return false;
            }
            flags |= SendRequest.UDP_CHECKSUM;
            RawMemory.putBig16(data + at + 6, fold(addresses + UDP + bytes));
        }
        return true;
    }

    private static int sum(long from, int bytes) {
        int sum = 0;
        for (int i = 0; i < bytes; i += 2) {
            sum += RawMemory.getBig16(from + i);
        }
        return sum;
    }

    private static int fold(int sum) {
        int once = (sum & 0xffff) + (sum >>> 16);
        return (once & 0xffff) + (once >>> 16);
    }
}
