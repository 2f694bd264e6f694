package io.manafold.sockets.internal.steering;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The ports that the kernel gives to sockets that are connected without one.
 *
 * @param most included
 */
record LocalPorts(int least, int most) {
    private static final Path FILE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    /** As the kernel has it where no administrator changed it. */
    private static final LocalPorts USUAL = new LocalPorts(32768, 60999);

    static LocalPorts ofThisMachine() {
        byte[] text = new byte[64];
        try (InputStream in = Files.newInputStream(FILE)) {
            // the kernel says it all to the first read, and nothing to those behind it
            return of(new String(text, 0, Math.max(0, in.read(text)), StandardCharsets.US_ASCII));
        } catch (IOException hidden) {
            return USUAL;
        }
    }

    /** @param text two numbers */
    static LocalPorts of(String text) {
        String[] words = text.trim().split("\\s+");
        if (words.length != 2) {
            return USUAL;
        }
        try {
            LocalPorts read = new LocalPorts(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
            return read.least > 0 && read.least <= read.most && read.most < 1 << 16 ? read : USUAL;
        } catch (NumberFormatException other) {
            return USUAL;
        }
    }

    /** The address that the kernel would send from to a peer; empty if it knows no way. Sends nothing. */
    static Optional<InetAddress> source(InetSocketAddress peer) {
        try (DatagramChannel asked = DatagramChannel.open()) {
            // a port is needed, and nothing is sent to it
            asked.connect(new InetSocketAddress(peer.getAddress(), Math.max(1, peer.getPort())));
            return Optional.of(((InetSocketAddress) asked.getLocalAddress()).getAddress());
        } catch (IOException | UnresolvedAddressException | UnsupportedAddressTypeException unreachable) {
            return Optional.empty();
        }
    }
}
