package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.packet.Headers;

/**
 * Whether a frame is a RoCEv2 packet, and what its base transport header says. It reads each byte once, into a copy,
 * and trusts nothing.
 */
final class RocePacket {
    static final int PORT = 4791;
    /** The base transport header. */
    private static final int HEADER = 12;

    private final byte[] head = new byte[Headers.WORTH];
    private final Headers headers = new Headers();
    private int at;
    private int end;

    /** Whether a frame is one. */
    boolean read(Frames frames, int frame) {
        int length = frames.length(frame);
        int count = Pieces.copy(frames, frame, head);
        if (!headers.parse(head, 0, count, length) || !headers.isUdp() || headers.isFragment()
                || u16(headers.transport() + 2) != PORT) {
            return false;
        }
        at = headers.payload();
        end = headers.transport() + headers.transportLength();
        return at + HEADER <= count && at + HEADER <= end;
    }

    int opcode() {
        return head[at] & 0xff;
    }

    /** The number of the queue pair that it is sent to. */
    int queuePair() {
        return u24(at + 5);
    }

    /** The packet sequence number. */
    int sequence() {
        return u24(at + 9);
    }

    /** The ECN bits of its IP header. */
    int ecn() {
        int treatment = u16(headers.network());
        return headers.isIpv4() ? treatment & 3 : treatment >>> 4 & 3;
    }

    /** Where in the frame the bytes behind the base transport header begin. */
    int behind() {
        return at + HEADER;
    }

    /** Where in the frame the packet ends. */
    int end() {
        return end;
    }

    private int u16(int from) {
        return (head[from] & 0xff) << 8 | head[from + 1] & 0xff;
    }

    private int u24(int from) {
        return (head[from] & 0xff) << 16 | u16(from + 1);
    }
}
