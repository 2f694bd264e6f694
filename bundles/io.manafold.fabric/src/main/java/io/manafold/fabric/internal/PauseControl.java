package io.manafold.fabric.internal;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Queueing;
import io.manafold.packet.PauseFrame;

/**
 * Which ports are asked to stop sending which classes of frames: those from which too many bytes wait in queues, until
 * few enough do. What a port has to be told is told by {@link #tell}, not in the middle of its sending. Used by the
 * agent alone, except for {@link #sent}.
 */
final class PauseControl {
    private final Queueing queueing;
    /** How long after a pause frame its port is told again: half of the time that the frame says. */
    private final long refreshNanos;
    private final long[] held;
    private final int[] stopped;
    private final int[] changed;
    private final long[] told;
    private final Counter[] sent;
    /** How many jacks are to be told of a change, and how many are stopped. */
    private int changes;
    private int stops;

    /** Tells a port to stop some classes and to go on with others. */
    interface Teller {
        /** False if there is no port that could be told. */
        boolean tell(int place, int stop, int go);
    }

    /** @param places the jacks whose ports are asked; others may send what they like */
    PauseControl(Queueing queueing, int places) {
        this.queueing = queueing;
        refreshNanos = PauseFrame.nanos(PauseFrame.MOST_QUANTA, queueing.rate()) / 2;
        held = new long[places * PauseFrame.CLASSES];
        stopped = new int[places];
        changed = new int[places];
        told = new long[places];
        sent = new Counter[places];
        for (int place = 0; place < places; place++) {
            sent[place] = new Counter();
        }
    }

    /** Bytes of a jack and class, {@code jack * 8 + class}, begin to wait. */
    void arrived(int owner, int bytes) {
        if (owner < held.length && queueing.pauses(owner % PauseFrame.CLASSES)) {
            held[owner] += bytes;
            if (held[owner] > queueing.xoff()) {
                want(owner, true);
            }
        }
    }

    /** They wait no more. */
    void left(int owner, int bytes) {
        if (owner < held.length && queueing.pauses(owner % PauseFrame.CLASSES)) {
            held[owner] -= bytes;
            if (held[owner] <= queueing.xon()) {
                want(owner, false);
            }
        }
    }

    private void want(int owner, boolean stop) {
        int place = owner / PauseFrame.CLASSES;
        int bit = 1 << owner % PauseFrame.CLASSES;
        if ((stopped[place] & bit) != 0 == stop) {
            return;
        }
        int before = stopped[place];
        stopped[place] ^= bit;
        stops += (stopped[place] == 0 ? 0 : 1) - (before == 0 ? 0 : 1);
        change(place, bit);
    }

    private void change(int place, int classes) {
        if (changed[place] == 0) {
            changes++;
        }
        changed[place] |= classes;
    }

    /** Another port is at a place, and has been told nothing of what is stopped there. */
    void plugged(int place) {
        if (place < stopped.length && stopped[place] != 0) {
            change(place, stopped[place]);
        }
    }

    /** Tells ports what is new to them, and what they would forget before long. */
    int tell(Teller teller, long now) {
        if (changes == 0 && stops == 0) {
            return 0;
        }
        int frames = 0;
        for (int place = 0; place < stopped.length; place++) {
            boolean again = stopped[place] != 0 && now - told[place] >= refreshNanos;
            if (changed[place] == 0 && !again) {
                continue;
            }
            int stop = stopped[place];
            int go = changed[place] & ~stopped[place];
            if (changed[place] != 0) {
                changes--;
                changed[place] = 0;
            }
            told[place] = now;
            if (teller.tell(place, stop, go)) {
                sent[place].add(1);
                frames++;
            }
        }
        return frames;
    }

    /** How long until a port has to be told something. */
    long restNanos(long now) {
        if (changes > 0) {
            return 0;
        }
        long rest = DutyCycle.UNTIL_WOKEN;
        for (int place = 0; stops > 0 && place < stopped.length; place++) {
            if (stopped[place] != 0) {
                rest = Math.min(rest, Math.max(0, told[place] + refreshNanos - now));
            }
        }
        return rest;
    }

    /** How many pause frames a port was sent; any thread. */
    long sent(int place) {
        return place < sent.length ? sent[place].get() : 0;
    }
}
