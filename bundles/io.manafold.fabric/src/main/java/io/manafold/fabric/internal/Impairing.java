package io.manafold.fabric.internal;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Impairments;
import io.manafold.packet.FrameBurst;
import java.util.function.LongSupplier;

/**
 * Loses, doubles, swaps and delays frames before they are forwarded. Three dice are thrown for every frame that enters,
 * whatever the outcome, and each jack has its own: so the same seed does the same to the same frames. Used by the agent
 * alone.
 */
final class Impairing {
    /** A frame without a successor is held no longer than this. */
    static final long LONGEST_HOLD_NANOS = 10_000_000;
    private static final int BURST = 64;
    private static final int MOST_PER_CYCLE = 256;

    private final Jack[] jacks;
    private final Forwarding forwarding;
    private final Counters counters;
    private final LongSupplier nanoTime;
    private final FrameBurst out = new FrameBurst(BURST, BURST);
    private final FrameBurst held = new FrameBurst(1, 1);
    private Impairments now = Impairments.NONE;
    private DelayLine line;
    private ReorderBuffer hold;
    /** Whether frames pass as they are. */
    private boolean clear = true;

    Impairing(Jack[] jacks, Forwarding forwarding, Counters counters, LongSupplier nanoTime) {
        this.jacks = jacks;
        this.forwarding = forwarding;
        this.counters = counters;
        this.nanoTime = nanoTime;
    }

    /** Changes what is done; random numbers start anew. Line and hold are there if what is to be done needs them. */
    void use(Impairments impairments, DelayLine newLine, ReorderBuffer newHold) {
        now = impairments;
        line = newLine;
        hold = newHold;
        for (Jack jack : jacks) {
            jack.random.start(impairments.seed(), jack.place);
        }
        look();
    }

    /** Nothing is plugged into a jack any more. What it has sent is still on its way. */
    void forget(Jack jack) {
        forwarding.forget(jack);
    }

    private void look() {
        clear = now.isNone() && (line == null || line.isEmpty()) && (hold == null || hold.isEmpty());
    }

    /** Passes on the frames from {@code begin} to {@code end} exclusive, or what becomes of them. */
    void pass(Jack from, Frames frames, int begin, int end) {
        if (begin == end) {
            return;
        }
        if (clear) {
            forwarding.forward(from, frames, begin, end);
            return;
        }
        frames.complete(begin, end);
        int start = begin;
        for (int frame = begin; frame < end; frame++) {
            boolean lost = from.random.happens(now.loss());
            boolean twice = from.random.happens(now.duplicate());
            boolean late = from.random.happens(now.reorder());
            if (lost) {
                counters.lost.add(1);
                onward(from, frames, start, frame);
                start = frame + 1;
                continue;
            }
            if (late && mayHold(from, frames, frame)) {
                onward(from, frames, start, frame);
                start = frame + 1;
                hold(from, frames, frame, twice);
                continue;
            }
            if (twice) {
                counters.duplicated.add(1);
                onward(from, frames, start, frame + 1);
                onward(from, frames, frame, frame + 1);
                start = frame + 1;
            }
            if (hold != null && hold.holds(from.place)) {
                onward(from, frames, start, frame + 1);
                start = frame + 1;
                letGo(from);
            }
        }
        onward(from, frames, start, end);
        look();
    }

    private boolean mayHold(Jack from, Frames frames, int frame) {
        int length = frames.length(frame);
        return hold != null && !hold.holds(from.place) && length > 0 && length <= ReorderBuffer.LONGEST;
    }

    private void hold(Jack from, Frames frames, int frame, boolean twice) {
        try {
            hold.put(from.place, frames, frame, twice, nanoTime.getAsLong());
            counters.reordered.add(1);
            counters.copied.add(1);
        } catch (InternalError gone) {
            counters.vanished.add(1);
        }
    }

    private void letGo(Jack from) {
        boolean twice = hold.twice(from.place);
        hold.take(from.place, held);
        onward(from, held, 0, 1);
        if (twice) {
            counters.duplicated.add(1);
            onward(from, held, 0, 1);
        }
    }

    /** Forwards, now or later. What comes after frames that wait waits as well. */
    private void onward(Jack from, Frames frames, int begin, int end) {
        if (begin == end) {
            return;
        }
        if (now.delayNanos() == 0 && (line == null || line.isEmpty())) {
            forwarding.forward(from, frames, begin, end);
            return;
        }
        long due = nanoTime.getAsLong() + now.delayNanos();
        for (int frame = begin; frame < end; frame++) {
            try {
                if (line.add(from.place, frames, frame, due)) {
                    counters.delayed.add(1);
                    counters.copied.add(1);
                } else {
                    counters.overflow.add(1);
                }
            } catch (InternalError gone) {
                counters.vanished.add(1);
            }
        }
    }

    /** Lets go what is due; how many frames that was. */
    int release() {
        if (clear) {
            return 0;
        }
        int released = 0;
        long time = nanoTime.getAsLong();
        if (hold != null && !hold.isEmpty()) {
            for (Jack jack : jacks) {
                if (hold.holds(jack.place) && time - hold.since(jack.place) >= LONGEST_HOLD_NANOS) {
                    letGo(jack);
                    released++;
                }
            }
        }
        while (line != null && released < MOST_PER_CYCLE) {
            int place = line.due(time, out);
            if (place == DelayLine.NO_PLACE) {
                break;
            }
            int frames = out.count();
            try {
                forwarding.forward(jacks[place], out, 0, frames);
            } finally {
                line.free(frames);
            }
            released += frames;
        }
        look();
        return released;
    }

    /** How long until something is due. */
    long restNanos() {
        if (clear) {
            return DutyCycle.UNTIL_WOKEN;
        }
        long time = nanoTime.getAsLong();
        long rest = DutyCycle.UNTIL_WOKEN;
        if (line != null && !line.isEmpty()) {
            rest = Math.max(0, line.due() - time);
        }
        if (hold != null && !hold.isEmpty()) {
            for (Jack jack : jacks) {
                if (hold.holds(jack.place)) {
                    rest = Math.min(rest, Math.max(0, hold.since(jack.place) + LONGEST_HOLD_NANOS - time));
                }
            }
        }
        return rest;
    }
}
