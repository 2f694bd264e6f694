package io.manafold.sockets.rdma.internal;

import java.nio.ByteBuffer;

/**
 * What each end says of itself when a connection is made, in the private data of the connection manager: that it speaks
 * this protocol, and what it has posted for its peer.
 *
 * @param window how many messages with data the peer may send before it hears of more
 * @param bytes that each of them has at most
 * @param isAskable whether its queue pair takes writes without bytes, by which the peer asks if it is there
 */
record Hello(int window, int bytes, boolean isAskable) {
    private static final int MAGIC = 0x4d53_5452;
    private static final int VERSION = 1;
    private static final int SIZE = 16;
    private static final int WITH_FLAGS = SIZE + 4;
    private static final int ASKABLE = 1;
    private static final int LEAST_WINDOW = 2;
    private static final int MOST_WINDOW = 4096;
    private static final int LEAST_BYTES = 256;
    private static final int MOST_BYTES = 1 << 20;

    byte[] encode() {
        return ByteBuffer.allocate(WITH_FLAGS).putInt(MAGIC).putInt(VERSION).putInt(window).putInt(bytes)
                .putInt(isAskable ? ASKABLE : 0).array();
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
        int window = buffer.getInt();
        int bytes = buffer.getInt();
        // peers of before say nothing of it
        boolean isAskable = buffer.remaining() >= Integer.BYTES && (buffer.getInt() & ASKABLE) != 0;
        Hello said = new Hello(window, bytes, isAskable);
        return said.window >= LEAST_WINDOW && said.window <= MOST_WINDOW && said.bytes >= LEAST_BYTES
                && said.bytes <= MOST_BYTES ? said
                : null;
    }
}
