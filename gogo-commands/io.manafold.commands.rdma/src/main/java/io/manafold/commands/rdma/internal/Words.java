package io.manafold.commands.rdma.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** Words that several commands have in common. */
final class Words {
    static final String FAMILY = "rdma";
    static final String DEVICE = "-d";
    static final String DEVICE_HELP = "the RDMA device, as 'ibv_devices' shows it";
    static final int MOST_PORTS = 255;

    private Words() {
    }

    /** A port of a device, which has it. */
    static int port(RdmaDevice device, int port) {
        int ports = device.attributes().ports();
        if (port > ports) {
            throw new Refusal(Errno.EINVAL, device.name() + " has " + (ports == 1 ? "one port, 1" : "the ports 1 to " + ports)
                    + ", and none with the number " + port + ".");
        }
        return port;
    }

    /** An address as it is usually written, with its zeroes left out. */
    static String gid(Gid gid) {
        return gid.high() == 0 ? gid.toString() : IpAddress.ipv6(gid.high(), gid.low()).toString();
    }

    /** Eight bytes as four groups of digits. */
    static String guid(long guid) {
        return "%04x:%04x:%04x:%04x".formatted(guid >>> 48, guid >>> 32 & 0xffff, guid >>> 16 & 0xffff, guid & 0xffff);
    }
}
