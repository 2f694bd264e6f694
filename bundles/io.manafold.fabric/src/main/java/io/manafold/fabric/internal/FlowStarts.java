package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.packet.Headers;
import java.util.Arrays;

/**
 * Which flows of TCP and UDP a place with a companion has had a packet of: the first one of each goes to the companion,
 * as with hosts that hand a flow to the virtual function once they have looked at it. Flows that share a bit are taken
 * for one: a packet in the middle of a flow never changes its way. On the agent.
 */
final class FlowStarts {
    private static final int BITS = 1 << 16;
    /** With more flows than this, most new ones would share a bit with another; then all are forgotten. */
    private static final int MOST = BITS / 4;

    /** That of the hash of Fowler, Noll and Vo. */
    private static final int SPREAD = 0x01000193;

    private final long[] seen = new long[BITS / Long.SIZE];
    private final byte[] head = new byte[Headers.WORTH];
    private final Headers headers = new Headers();
    private int flows;
    private int since;

    /**
     * Whether a frame is the first of its flow. RoCE has no flows that a host would look at: its packets are not.
     *
     * @param steering how often this place has been steered; each time flows begin anew
     */
    boolean isFirst(Frames frames, int frame, int steering) {
        if (steering != since || flows >= MOST) {
            since = steering;
            flows = 0;
            Arrays.fill(seen, 0);
        }
        int count = Pieces.copy(frames, frame, head);
        if (!headers.parse(head, 0, count, frames.length(frame)) || headers.isFragment()
                || !headers.isTcp() && !headers.isUdp() || isRoce()) {
            return false;
        }
        int hash = headers.protocol();
        int end = headers.addresses() + headers.addressBytes();
        for (int at = headers.addresses(); at < end; at++) {
            hash = (hash ^ head[at]) * SPREAD;
        }
        for (int at = headers.transport(); at < headers.transport() + 4; at++) {
            hash = (hash ^ head[at]) * SPREAD;
        }
        int bit = hash * 0x9e3779b9 >>> 16;
        if ((seen[bit >>> 6] & 1L << bit) != 0) {
            return false;
        }
        seen[bit >>> 6] |= 1L << bit;
        flows++;
        return true;
    }

    private boolean isRoce() {
        int at = headers.transport() + 2;
        return headers.isUdp() && ((head[at] & 0xff) << 8 | head[at + 1] & 0xff) == RocePacket.PORT;
    }
}
