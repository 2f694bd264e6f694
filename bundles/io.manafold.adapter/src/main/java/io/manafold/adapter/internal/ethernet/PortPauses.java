package io.manafold.adapter.internal.ethernet;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.PauseFrame;

/** Which classes of frames the link has asked the port not to send, and until when. Belongs to the agent. */
public final class PortPauses {
    private final PauseFrame frame = new PauseFrame();
    private final byte[] head = new byte[PauseFrame.HEAD];
    private final long[] until = new long[PauseFrame.CLASSES];
    /** How long each pause was said to be, in times that depend on the rate of the link. */
    private final int[] quanta = new int[PauseFrame.CLASSES];
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
                quanta[of] = frame.quanta(of);
                until[of] = now + PauseFrame.nanos(quanta[of], rate);
                paused |= 1 << of;
            }
        }
    }

    /**
     * Has what is paused last its time from now on, at another rate: a link may ask for a pause before its port has
     * learnt how fast the link is, and the port sends nothing until then.
     *
     * @param rate of the link, bit/s
     */
    void countAnew(long rate, long now) {
        for (int of = 0; paused != 0 && of < until.length; of++) {
            if ((paused >>> of & 1) != 0) {
                until[of] = now + PauseFrame.nanos(quanta[of], rate);
            }
        }
    }

    /** All pauses are over: the link that has asked for them is not there any more. */
    void forget(long now) {
        for (int of = 0; paused != 0 && of < until.length; of++) {
            if ((paused >>> of & 1) != 0) {
                // queue pairs that wait look at this alone
                until[of] = now;
            }
        }
        paused = 0;
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
