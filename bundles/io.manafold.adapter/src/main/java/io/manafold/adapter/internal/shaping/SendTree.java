package io.manafold.adapter.internal.shaping;

import io.manafold.gdma.message.ShaperValues;
import java.util.List;

/**
 * Whose turn it is to send. Guarantees come first, then the highest priority, then shares by weight; a ceiling that is
 * used up takes its node, and all below it, out until a time. What has nothing to send is in no heap and costs nothing.
 * Belongs to the agent.
 */
public final class SendTree {
    /** As much of a turn as siblings wait for, besides a frame. */
    private static final long TURN = 4096;
    private static final long LONGEST_TURN = 65536;
    private static final int MOST_FRAMES = 64;

    final ScheduleNode root = new ScheduleNode(ShaperValues.NETDEV, 0);
    private final ScheduleHeap times = new ScheduleHeap(ScheduleHeap.TIME);
    /** What each place for a send queue is: a named queue or, further on, one without a name. */
    private final ScheduleNode[] leaves;
    private final int[] slots;
    private final ScheduleNode[] queues;
    private boolean named;
    /** Whether its driver has set no limits: then nothing needs to be held to. */
    private boolean empty = true;
    /** Nodes that were changed or added up, to be counted by tests. */
    long visited;
    /** Places of queues that have something to send, a bit for each. */
    private long busy;
    private long bytes;
    private int frames;

    /** @param places for send queues, as many as there are numbers of queues */
    SendTree(int places) {
        leaves = new ScheduleNode[places];
        slots = new int[2 * places];
        queues = new ScheduleNode[2 * places];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new ScheduleNode(ShaperValues.QUEUE, i);
            queues[i].place(root, 0);
        }
        unname();
    }

    /** Whether there is nothing to be kept to. */
    public boolean isEmpty() {
        return empty;
    }

    ScheduleNode queue(int number) {
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

    ScheduleNode leaf(int slot) {
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
            detach(edit.node(), now);
            edit.apply(now);
            attach(edit.node(), now);
        }
        empty = !limits;
    }

    // ---- coming and going of what there is to send

    /** Queues at these places have something to send, a bit for each. */
    public void begin(long places, long now) {
        for (long left = places & ~busy; left != 0; left &= left - 1) {
            ScheduleNode leaf = leaves[Long.numberOfTrailingZeros(left)];
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

    /** No queue has anything to send, or no shaper is asked. */
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

    /** No queue has a name of its driver's any more. */
    public void forgetNames(long now) {
        rest(now);
        unname();
    }

    private static void resume(ScheduleNode node, long now) {
        node.ceiling.resume(now);
        node.pledge.resume(now);
    }

    /** Takes a node out of everything, with all that waits below it, to be changed. */
    void detach(ScheduleNode node, long now) {
        release(node, now);
        if (node.isIn(ScheduleHeap.SHARE)) {
            withdraw(node);
        }
        for (ScheduleNode up = node.waiting > 0 ? node.parent : null; up != null && --up.waiting == 0; up = up.parent) {
            release(up, now);
        }
    }

    /** Puts it back. */
    void attach(ScheduleNode node, long now) {
        if (node.waiting == 0) {
            return;
        }
        hold(node, now);
        for (ScheduleNode up = node.parent; up != null && up.waiting++ == 0; up = up.parent) {
            resume(up, now);
            hold(up, now);
        }
        offer(node);
    }

    private void hold(ScheduleNode node, long now) {
        if (!node.held && node.ceiling.holds(now)) {
            node.held = true;
            node.heldSince = now;
            times.add(node);
        }
    }

    private void release(ScheduleNode node, long now) {
        if (node.held) {
            node.heldNanos = node.heldNanos(now);
            node.held = false;
            times.remove(node);
        }
    }

    /** It may send: so may all above it that could not for want of something. */
    private void offer(ScheduleNode from) {
        for (ScheduleNode node = from; node.parent != null && node.isOpen() && !node.isIn(ScheduleHeap.SHARE);
                node = node.parent) {
            node.join();
            node.parent.shares.add(node);
            if (node.pledge.limits()) {
                node.parent.pledges.add(node);
            }
        }
    }

    private void withdraw(ScheduleNode from) {
        ScheduleNode node = from;
        do {
            node.parent.shares.remove(node);
            if (node.isIn(ScheduleHeap.PLEDGE)) {
                node.parent.pledges.remove(node);
            }
            node = node.parent;
        } while (node.isIn(ScheduleHeap.SHARE) && node.shares.isEmpty());
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
        ScheduleNode node = root;
        while (node.shares != null) {
            if (node.shares.size() > 1) {
                bytes = Math.min(bytes, TURN);
            }
            ScheduleNode first = node.pledges.isEmpty() ? null : node.pledges.first();
            boolean pledged = first != null && !first.pledge.holds(now);
            node = pledged ? first : node.shares.first();
            node.pledged = pledged;
            bound(node.ceiling, now);
            if (pledged) {
                bound(node.pledge, now);
            }
        }
        return slots[node.id];
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
            ScheduleNode node = times.first();
            release(node, now);
            node.ceiling.renew(now);
            if (node.parent != null) {
                offer(node);
            }
        }
    }

    /** A queue has used its turn. */
    public void sent(int slot, int sentBytes, int sentFrames, long now) {
        for (ScheduleNode node = leaves[slot]; node != null; node = node.parent) {
            node.sentPackets += sentFrames;
            node.sentBytes += sentBytes;
            if (node.pledged) {
                node.pledge.renew(now);
                node.pledge.charge(sentBytes, sentFrames, now);
                if (node.isIn(ScheduleHeap.PLEDGE)) {
                    node.parent.pledges.later(node);
                }
            } else if (node.parent != null) {
                node.share(sentBytes);
                if (node.isIn(ScheduleHeap.SHARE)) {
                    node.parent.shares.later(node);
                }
            }
            if (node.ceiling.limits()) {
                node.ceiling.renew(now);
                node.ceiling.charge(sentBytes, sentFrames, now);
                hold(node, now);
                if (node.held && node.isIn(ScheduleHeap.SHARE)) {
                    withdraw(node);
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
