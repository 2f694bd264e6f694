package io.manafold.sockets.rdma.internal;

import java.nio.ByteBuffer;

/**
 * What each end says of itself when a connection is made, in the private data of the connection manager: that it speaks
 * this protocol, and what it has posted for its peer.
 *
 * @param window how many messages with data the peer may send before it hears of more
 * @param bytes that each of them has at most
 */
record Hello(int window, int bytes) {
    private static final int MAGIC = 0x4d53_5452;
    private static final int VERSION = 1;
    private static final int SIZE = 16;
    private static final int LEAST_WINDOW = 2;
    private static final int MOST_WINDOW = 4096;
    private static final int LEAST_BYTES = 256;
    private static final int MOST_BYTES = 1 << 20;

    byte[] encode() {
        return ByteBuffer.allocate(SIZE).putInt(MAGIC).putInt(VERSION).putInt(window).putInt(bytes).array();
    }

    /** Of private data of a stranger; {@code null} if it is none. */
    static Hello decode(byte[] data) {
        if (data.length < SIZE) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(data);
        if (buffer.getInt() != MAGIC || buffer.getInt() != VERSION) {
            return null;
        }
        Hello said = new Hello(buffer.getInt(), buffer.getInt());
        return said.window >= LEAST_WINDOW && said.window <= MOST_WINDOW && said.bytes >= LEAST_BYTES
                && said.bytes <= MOST_BYTES ? said
                : null;
    }
}
