package io.manafold.packet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * The frames of a write that stopped somewhere: those that are whole.
 *
 * @param end where the last of them ends
 * @param bytes what they kept of their frames
 */
record PcapngTail(long end, long frames, long bytes) {
    private static final int SIZE = 4;
    private static final int KEPT = 20;
    private static final int HEAD = 24;

    /** Reads blocks from where one begins up to where the writing stopped. */
    static PcapngTail read(FileChannel file, long from, long to) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
        long end = from;
        long frames = 0;
        long bytes = 0;
        while (end + HEAD <= to) {
            head.clear();
            int size = 0;
            while (head.hasRemaining() && size >= 0) {
                size = file.read(head, end + head.position());
            }
            if (head.hasRemaining() || end + head.getInt(SIZE) > to) {
                break;
            }
            end += head.getInt(SIZE);
            bytes += head.getInt(KEPT);
            frames++;
        }
        return new PcapngTail(end, frames, bytes);
    }
}
