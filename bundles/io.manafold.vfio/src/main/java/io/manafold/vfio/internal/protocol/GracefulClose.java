package io.manafold.vfio.internal.protocol;

import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;

/**
 * Closes the connection to a client so that it sees an end, not an error: what it has sent is received first. QEMU 11.1
 * ends with its virtual machine when a connection is reset under it.
 */
public final class GracefulClose {
    private static final int PIECE = 1 << 16;

    private GracefulClose() {
    }

    /** Ends the connection and closes it. To be called when no thread receives any more. */
    public static void close(UnixSocket client) {
        client.shutdown();
        try {
            byte[] unread = new byte[PIECE];
            int count;
            do {
                count = client.receive(unread, 0, PIECE);
            } while (count > 0);
        } catch (SystemCallException gone) {
            // the other side has closed first
        }
        client.close();
    }
}
