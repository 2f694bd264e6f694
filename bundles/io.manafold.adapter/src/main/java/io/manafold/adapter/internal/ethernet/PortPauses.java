package io.manafold.adapter.internal.ethernet;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.PauseFrame;

/** Which classes of frames the link has asked the port not to send, and until when. Belongs to the agent. */
public final class PortPauses {
    private final PauseFrame frame = new PauseFrame();
    private final byte[] head = new byte[PauseFrame.HEAD];
    /** When each pause was asked for. */
    private final long[] since = new long[PauseFrame.CLASSES];
    private final long[] until = new long[PauseFrame.CLASSES];
    /** How long each pause was said to be, in times that depend on the rate of the link. */
    private final int[] quanta = new int[PauseFrame.CLASSES];
    /** A bit for each class that may be paused. */
    private int paused;
    /** Whether the port has learnt how fast its link is. */
    private boolean rated;
    /** A bit for each class whose pause came before that, and was counted at another rate than the link's. */
    private int unrated;
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
                since[of] = now;
                until[of] = now + PauseFrame.nanos(quanta[of], rate);
                paused |= 1 << of;
                unrated = rated ? unrated & ~(1 << of) : unrated | 1 << of;
            }
        }
    }

    /**
     * Has what is paused last its time at another rate, from when it was asked for: a link may ask for a pause before
     * its port has learnt how fast the link is, and the port sends nothing until then. A pause that is over at the rate
     * of its link stays over.
     *
     * @param rate of the link, bit/s
     */
    void countAnew(long rate, long now) {
        for (int of = 0; paused != 0 && of < until.length; of++) {
            if ((paused >>> of & 1) != 0 && ((unrated >>> of & 1) != 0 || until[of] - now > 0)) {
                until[of] = since[of] + PauseFrame.nanos(quanta[of], rate);
            }
        }
        rated = true;
        unrated = 0;
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
        rated = false;
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
