package io.manafold.fabric.internal;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Does to single packets what the first rule that fits them says, before frames are impaired without regard to what
 * they are. Used by the agent alone.
 */
final class PacketRules {
    private static final ActiveRule[] NO_RULES = {};
    private static final int MOST_PER_CYCLE = 64;

    private final Jack[] jacks;
    private final Impairing onward;
    private final Counters counters;
    private final LongSupplier nanoTime;
    private final RocePacket packet = new RocePacket();
    private final FrameBurst out = new FrameBurst(1, 1);
    /** By jack: which of the late frames waits for its successor. */
    private final int[] swapped;
    private ActiveRule[] rules = NO_RULES;
    private LateFrames late;
    private AlteredFrame altered;
    /** Whether frames pass as they are. */
    private boolean idle = true;

    PacketRules(Jack[] jacks, Impairing onward, Counters counters, LongSupplier nanoTime) {
        this.jacks = jacks;
        this.onward = onward;
        this.counters = counters;
        this.nanoTime = nanoTime;
        swapped = new int[jacks.length];
        Arrays.fill(swapped, LateFrames.NONE);
    }

    /** What holds from now on; with rules there are places for late frames and for one that is changed. */
    void use(ActiveRule[] newRules, LateFrames newLate, AlteredFrame newAltered) {
        rules = newRules;
        late = newLate;
        altered = newAltered;
        look();
    }

    private void look() {
        idle = rules.length == 0 && (late == null || late.isEmpty());
    }

    void pass(Jack from, Frames frames, int count) {
        if (idle) {
            onward.pass(from, frames, 0, count);
            return;
        }
        frames.complete(0, count);
        int start = 0;
        for (int frame = 0; frame < count; frame++) {
            ActiveRule rule;
            try {
                rule = match(frames, frame);
            } catch (InternalError gone) {
                counters.vanished.add(1);
                onward.pass(from, frames, start, frame);
                start = frame + 1;
                continue;
            }
            int predecessor = swapped[from.place];
            if (rule == null && predecessor == LateFrames.NONE) {
                continue;
            }
            onward.pass(from, frames, start, frame);
            start = frame + 1;
            if (rule == null) {
                onward.pass(from, frames, frame, start);
            } else {
                apply(rule, from, frames, frame);
            }
            if (predecessor != LateFrames.NONE) {
                letGo(predecessor);
            }
        }
        onward.pass(from, frames, start, count);
        look();
    }

    private ActiveRule match(Frames frames, int frame) {
        if (frames.length(frame) > LateFrames.LONGEST || !packet.read(frames, frame)) {
            return null;
        }
        // no rule is spent by memory that is gone
        RawMemory.settle();
        for (ActiveRule rule : rules) {
            if (rule.fits(packet)) {
                return rule;
            }
        }
        return null;
    }

    private void apply(ActiveRule rule, Jack from, Frames frames, int frame) {
        rule.matched.add(1);
        try {
            switch (rule.rule.action()) {
                case DROP -> counters.lost.add(1);
                case DUPLICATE -> {
                    counters.duplicated.add(1);
                    onward.pass(from, frames, frame, frame + 1);
                    onward.pass(from, frames, frame, frame + 1);
                }
                case REORDER -> swap(from, frames, frame);
                case DELAY -> {
                    counters.delayed.add(1);
                    wait(from, frames, frame, rule.rule.delayNanos());
                }
                case MARK_CE -> onward.pass(from, altered.congested(frames, frame), 0, 1);
                case CORRUPT -> onward.pass(from, altered.damaged(frames, frame, packet), 0, 1);
            }
        } catch (InternalError gone) {
            counters.vanished.add(1);
        }
    }

    private void swap(Jack from, Frames frames, int frame) {
        if (swapped[from.place] != LateFrames.NONE) {
            // it is a successor itself
            onward.pass(from, frames, frame, frame + 1);
            return;
        }
        counters.reordered.add(1);
        swapped[from.place] = wait(from, frames, frame, Impairing.LONGEST_HOLD_NANOS);
    }

    private int wait(Jack from, Frames frames, int frame, long nanos) {
        int slot = late.add(from.place, frames, frame, nanoTime.getAsLong() + nanos);
        if (slot == LateFrames.NONE) {
            counters.overflow.add(1);
        } else {
            counters.copied.add(1);
        }
        return slot;
    }

    private void letGo(int slot) {
        Jack jack = jacks[late.take(slot, out)];
        if (swapped[jack.place] == slot) {
            swapped[jack.place] = LateFrames.NONE;
        }
        onward.pass(jack, out, 0, 1);
    }

    /** Lets go what is due; how many frames that was. */
    int release() {
        if (idle) {
            return 0;
        }
        int released = 0;
        if (late != null && !late.isEmpty()) {
            long time = nanoTime.getAsLong();
            for (int slot = late.first(); slot != LateFrames.NONE && late.due(slot) - time <= 0
                    && released < MOST_PER_CYCLE; slot = late.first()) {
                letGo(slot);
                released++;
            }
        }
        look();
        return released;
    }

    /** How long until something is due. */
    long restNanos() {
        if (idle || late == null || late.isEmpty()) {
            return DutyCycle.UNTIL_WOKEN;
        }
        return Math.max(0, late.due(late.first()) - nanoTime.getAsLong());
    }
}
