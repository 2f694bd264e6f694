package io.manafold.adapter.internal.ethernet;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.PauseFrame;

/** Which classes of frames the link has asked the port not to send, and until when. Belongs to the agent. */
public final class PortPauses {
    private final PauseFrame frame = new PauseFrame();
    private final byte[] head = new byte[PauseFrame.HEAD];
    private final long[] until = new long[PauseFrame.CLASSES];
    /** A bit for each class that may be paused. */
    private int paused;
    private long received;

    /**
     * Takes a frame that is addressed to the next device.
     *
     * @param rate of the link, bit/s
     */
    void take(Frames frames, int which, long rate, long now) {
        int have = 0;
        for (int piece = 0; piece < frames.pieces(which) && have < head.length; piece++) {
            int part = Math.min(frames.length(which, piece), head.length - have);
            RawMemory.copy(frames.address(which, piece), head, have, part);
            have += part;
        }
        if (!frame.parse(head, 0, have)) {
            return;
        }
        received++;
        for (int of = 0; of < PauseFrame.CLASSES; of++) {
            if (frame.tells(of)) {
                until[of] = now + PauseFrame.nanos(frame.quanta(of), rate);
                paused |= 1 << of;
            }
        }
    }

    /** Whether frames of any class may have to wait. */
    public boolean any() {
        return paused != 0;
    }

    /** Whether frames of a class have to wait. */
    public boolean holds(int of, long now) {
        if ((paused >>> of & 1) == 0) {
            return false;
        }
        if (until[of] - now > 0) {
            return true;
        }
        paused &= ~(1 << of);
        return false;
    }

    /** The classes whose frames have to wait, a bit each. */
    int held(long now) {
        for (int of = 0; paused != 0 && of < until.length; of++) {
            holds(of, now);
        }
        return paused;
    }

    /** Until when frames of a class have to wait that {@link #holds} has named. */
    public long until(int of) {
        return until[of];
    }

    /** Pause frames that have come. */
    long received() {
        return received;
    }
}
