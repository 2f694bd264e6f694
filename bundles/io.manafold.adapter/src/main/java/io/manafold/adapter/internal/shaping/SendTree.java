package io.manafold.adapter.internal.shaping;

import io.manafold.gdma.message.ShaperValues;
import java.util.List;

/**
 * Whose turn it is to send. Guarantees come first, then the highest priority, then shares by weight; a ceiling that is used up
 * takes its knot, and all below it, out until a time. What has nothing to send is in no heap and costs nothing. Belongs
 * to the agent.
 */
public final class SendTree {
    /** As much of a turn as siblings wait for, besides a frame. */
    private static final long TURN = 4096;
    private static final long LONGEST_TURN = 65536;
    private static final int MOST_FRAMES = 64;

    final Knot root = new Knot(ShaperValues.NETDEV, 0);
    private final KnotHeap times = new KnotHeap(KnotHeap.TIME);
    /** What each place for a send queue is: a named queue or, further on, one without a name. */
    private final Knot[] leaves;
    private final int[] slots;
    private final Knot[] queues;
    private boolean named;
    /** Whether its driver has set no limits: then nothing needs to be held to. */
    private boolean empty = true;
    /** Knots that were changed or added up, to be counted by tests. */
    long visited;
    /** Places of queues that have something to send, a bit for each. */
    private long busy;
    private long bytes;
    private int frames;

    /** @param places for send queues, as many as there are numbers of queues */
    SendTree(int places) {
        leaves = new Knot[places];
        slots = new int[2 * places];
        queues = new Knot[2 * places];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new Knot(ShaperValues.QUEUE, i);
            queues[i].place(root, 0);
        }
        unname();
    }

    /** Whether there is nothing to be kept to. */
    public boolean isEmpty() {
        return empty;
    }

    Knot queue(int number) {
        return queues[number];
    }

    int places() {
        return leaves.length;
    }

    /** Queues are counted by their places. */
    void unname() {
        named = false;
        for (int slot = 0; slot < leaves.length; slot++) {
            leaves[slot] = queues[slot];
            slots[slot] = slot;
        }
    }

    /** @param numbers of the queues at each place; −1 for one without */
    void name(int[] numbers, long now) {
        rest(now);
        named = true;
        for (int slot = 0; slot < leaves.length; slot++) {
            int number = numbers[slot] >= 0 ? numbers[slot] : leaves.length + slot;
            leaves[slot] = queues[number];
            slots[number] = slot;
        }
    }

    Knot leaf(int slot) {
        return leaves[slot];
    }

    /**
     * Takes over what its driver has said.
     *
     * @param limits whether there is any shaper then
     */
    void change(List<ShaperEdit> edits, boolean limits, long now) {
        if (edits.size() > 1 || !limits) {
            // places change one by one: nothing is in a heap until all have theirs
            rest(now);
        }
        for (ShaperEdit edit : edits) {
            visited++;
            detach(edit.knot(), now);
            edit.apply(now);
            attach(edit.knot(), now);
        }
        empty = !limits;
    }

    // ---- coming and going of what there is to send

    /** Queues at these places have something to send, a bit for each. */
    public void begin(long places, long now) {
        for (long left = places & ~busy; left != 0; left &= left - 1) {
            Knot leaf = leaves[Long.numberOfTrailingZeros(left)];
            resume(leaf, now);
            leaf.waiting = 1;
            attach(leaf, now);
        }
        busy |= places;
    }

    /** A queue has nothing to send. */
    public void end(int slot, long now) {
        if ((busy & 1L << slot) != 0) {
            busy &= ~(1L << slot);
            detach(leaves[slot], now);
            leaves[slot].waiting = 0;
        }
    }

    /** No queue has anything to send, or nobody asks. */
    void rest(long now) {
        for (long left = busy; left != 0; left &= left - 1) {
            end(Long.numberOfTrailingZeros(left), now);
        }
    }

    /**
     * A queue is gone, and its name with it.
     *
     * @param waited what it still had to send
     * @param last whether there is none left
     */
    public void forget(int slot, int waited, boolean last, long now) {
        end(slot, now);
        leaves[slot].dropped += waited;
        if (last) {
            rest(now);
            unname();
        } else if (named) {
            leaves[slot] = queues[leaves.length + slot];
            slots[leaves.length + slot] = slot;
        }
    }

    private static void resume(Knot knot, long now) {
        knot.ceiling.resume(now);
        knot.pledge.resume(now);
    }

    /** Takes a knot out of everything, with all that waits below it, to be changed. */
    void detach(Knot knot, long now) {
        release(knot, now);
        if (knot.isIn(KnotHeap.SHARE)) {
            withdraw(knot);
        }
        for (Knot up = knot.waiting > 0 ? knot.parent : null; up != null && --up.waiting == 0; up = up.parent) {
            release(up, now);
        }
    }

    /** Puts it back. */
    void attach(Knot knot, long now) {
        if (knot.waiting == 0) {
            return;
        }
        hold(knot, now);
        for (Knot up = knot.parent; up != null && up.waiting++ == 0; up = up.parent) {
            resume(up, now);
            hold(up, now);
        }
        offer(knot);
    }

    private void hold(Knot knot, long now) {
        if (!knot.held && knot.ceiling.holds(now)) {
            knot.held = true;
            knot.heldSince = now;
            times.add(knot);
        }
    }

    private void release(Knot knot, long now) {
        if (knot.held) {
            knot.heldNanos = knot.heldNanos(now);
            knot.held = false;
            times.remove(knot);
        }
    }

    /** It may send: so may all above it that could not for want of something. */
    private void offer(Knot from) {
        for (Knot knot = from; knot.parent != null && knot.isOpen() && !knot.isIn(KnotHeap.SHARE); knot = knot.parent) {
            knot.join();
            knot.parent.shares.add(knot);
            if (knot.pledge.limits()) {
                knot.parent.pledges.add(knot);
            }
        }
    }

    private void withdraw(Knot from) {
        Knot knot = from;
        do {
            knot.parent.shares.remove(knot);
            if (knot.isIn(KnotHeap.PLEDGE)) {
                knot.parent.pledges.remove(knot);
            }
            knot = knot.parent;
        } while (knot.isIn(KnotHeap.SHARE) && knot.shares.isEmpty());
    }

    // ---- whose turn it is

    /** The place of the queue whose turn it is, or −1 if none may send now. */
    public int next(long now) {
        wake(now);
        if (root.held || root.shares.isEmpty()) {
            return -1;
        }
        bytes = Math.min(LONGEST_TURN, root.ceiling.bytes(now));
        frames = (int) Math.min(MOST_FRAMES, root.ceiling.packets(now));
        Knot knot = root;
        while (knot.shares != null) {
            if (knot.shares.size() > 1) {
                bytes = Math.min(bytes, TURN);
            }
            Knot first = knot.pledges.isEmpty() ? null : knot.pledges.first();
            boolean pledged = first != null && !first.pledge.holds(now);
            knot = pledged ? first : knot.shares.first();
            knot.pledged = pledged;
            bound(knot.ceiling, now);
            if (pledged) {
                bound(knot.pledge, now);
            }
        }
        return slots[knot.id];
    }

    private void bound(Schedule schedule, long now) {
        if (schedule.limits()) {
            bytes = Math.min(bytes, schedule.bytes(now));
            frames = (int) Math.min(frames, schedule.packets(now));
        }
    }

    /** Bytes that may begin to leave in the turn given by {@link #next}. */
    public int bytes() {
        return (int) bytes;
    }

    /** Frames of that turn. */
    public int frames() {
        return frames;
    }

    private void wake(long now) {
        while (!times.isEmpty() && !times.first().ceiling.holds(now)) {
            Knot knot = times.first();
            release(knot, now);
            knot.ceiling.renew(now);
            if (knot.parent != null) {
                offer(knot);
            }
        }
    }

    /** A queue has used its turn. */
    public void sent(int slot, int sentBytes, int sentFrames, long now) {
        for (Knot knot = leaves[slot]; knot != null; knot = knot.parent) {
            knot.sentPackets += sentFrames;
            knot.sentBytes += sentBytes;
            if (knot.pledged) {
                knot.pledge.renew(now);
                knot.pledge.charge(sentBytes, sentFrames, now);
                if (knot.isIn(KnotHeap.PLEDGE)) {
                    knot.parent.pledges.later(knot);
                }
            } else if (knot.parent != null) {
                knot.share(sentBytes);
                if (knot.isIn(KnotHeap.SHARE)) {
                    knot.parent.shares.later(knot);
                }
            }
            if (knot.ceiling.limits()) {
                knot.ceiling.renew(now);
                knot.ceiling.charge(sentBytes, sentFrames, now);
                hold(knot, now);
                if (knot.held && knot.isIn(KnotHeap.SHARE)) {
                    withdraw(knot);
                }
            }
        }
    }

    /** When the next frame is to leave; now if there is one that may, without end if there is none at all. */
    public long due(long now) {
        if (root.held) {
            return root.ceiling.due();
        }
        return !root.shares.isEmpty() ? now : times.isEmpty() ? Long.MAX_VALUE : times.first().ceiling.due();
    }
}
