package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** Addresses as users write them and as ports have them. */
final class Sockets {
    private Sockets() {
    }

    /** As people write it: {@code 10.77.0.1:7471}, {@code [fd77::1]:7471}. */
    static String text(InetSocketAddress address) {
        String host = address.isUnresolved() ? address.getHostString() : address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    static InetSocketAddress of(Gid gid, int port) {
        try {
            // a mapped address is one of IPv4 to Java, too
            return new InetSocketAddress(InetAddress.getByAddress(ByteBuffer.allocate(16).putLong(gid.high())
                    .putLong(gid.low())
                    .array()), port);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
