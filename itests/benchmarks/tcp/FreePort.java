package io.manafold.benchmark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A port that nothing listens at, for programs that are told where to listen. */
final class FreePort {
    private FreePort() {
    }

    static String find() throws IOException {
        try (ServerSocket found = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return String.valueOf(found.getLocalPort());
        }
    }
}
