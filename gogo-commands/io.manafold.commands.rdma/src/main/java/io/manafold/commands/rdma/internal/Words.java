package io.manafold.commands.rdma.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.UsageError;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** Words that several commands have in common. */
final class Words {
    static final String FAMILY = "rdma";
    static final String DEVICE = "-d";
    static final String DEVICE_HELP = "the RDMA device, as 'ibv_devices' shows it";
    static final int MOST_PORTS = 255;
    static final int FIRST_PORT = 1;

    private Words() {
    }

    /** A port of a device, which has it. */
    static int port(RdmaDevice device, int port) {
        int ports = device.attributes().ports();
        if (port > ports) {
            throw new Refusal(Errno.EINVAL, device.name() + " has "
                    + (ports == 1 ? "one port, 1" : "the ports 1 to " + ports) + ", and none with the number " + port
                    + ".");
        }
        return port;
    }

    /** Refuses a port without a connection manager: a device has one, at its first port. */
    static void connecting(RdmaDevice device, int port) {
        if (port != FIRST_PORT) {
            throw new Refusal(Errno.EOPNOTSUPP, "Port " + port + " of " + device.name()
                    + " has no connection manager, only port " + FIRST_PORT
                    + " has; connect from that one, or name the other end with --to, without -R.");
        }
    }

    /** Which port of a device has an address; the first if none has it any more. */
    static int portOf(RdmaDevice device, InetAddress local) {
        for (int port = 1; port <= device.attributes().ports(); port++) {
            if (device.gids(port).contains(Gid.of(local))) {
                return port;
            }
        }
        return 1;
    }

    /** An address of IP, which is never looked up anywhere. */
    static InetAddress address(String text) {
        IpAddress address = UsageError.reading(text, IpAddress::parse);
        try {
            byte[] bytes = address.isIpv4() ? ByteBuffer.allocate(Integer.BYTES).putInt((int) address.low()).array()
                    : ByteBuffer.allocate(2 * Long.BYTES).putLong(address.high()).putLong(address.low()).array();
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What a port's address is to those who connect by address. */
    static InetAddress address(Gid gid) {
        try {
            return InetAddress.getByAddress(ByteBuffer.allocate(2 * Long.BYTES).putLong(gid.high()).putLong(gid.low())
                    .array());
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether a place in a table of addresses is empty. */
    static boolean isNone(Gid gid) {
        return gid.high() == 0 && gid.low() == 0;
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
