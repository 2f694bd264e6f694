package io.manafold.failover.internal;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.packet.FrameRing;

/**
 * The synthetic device's end at the link: frames are copied between the link's agent and the pair's, whatever they are.
 */
final class SyntheticPlug implements Plug {
    private static final int BURST = 64;

    private final String name;
    private final PairCounters counters;
    /** The pair has something to do. */
    private final Runnable wakePair;
    private final FrameRing incoming = new FrameRing();
    private final FrameRing outgoing = new FrameRing();
    private final FrameBurst burst = new FrameBurst(BURST, BURST);
    private volatile Wire wire;
    /** Whether another than the pair takes frames out, who is not woken for them. */
    private volatile boolean polled;

    SyntheticPlug(String name, PairCounters counters, Runnable wakePair) {
        this.name = name;
        this.counters = counters;
        this.wakePair = wakePair;
    }

    void wire(Wire plugged) {
        wire = plugged;
    }

    void polled(boolean now) {
        polled = now;
    }

    /** Frames from the link, for the pair's thread to take out. */
    FrameRing incoming() {
        return incoming;
    }

    /** Frames for the link, for the pair's thread to put in. */
    FrameRing outgoing() {
        return outgoing;
    }

    /** There are frames for the link. */
    void wake() {
        Wire to = wire;
        if (to != null) {
            to.wake();
        }
    }

    @Override
    public String name() {
        return name;
    }

    // ---- on the link's agent

    @Override
    public void receive(Frames frames, int from, int to) {
        int taken = 0;
        for (int frame = from; frame < to; frame++) {
            taken += take(frames, frame) ? 1 : 0;
        }
        counters.missed.add(to - from - taken);
        if (taken > 0 && !polled) {
            wakePair.run();
        }
    }

    private boolean take(Frames frames, int frame) {
        int length = frames.length(frame);
        long at = length > FrameRing.LONGEST ? 0 : incoming.reserve();
        if (at == 0) {
            return false;
        }
        int copied = 0;
        int pieces = frames.pieces(frame);
        for (int piece = 0; piece < pieces; piece++) {
            // a guest may change its frame meanwhile, but not how long the link says it is
            int bytes = Math.min(frames.length(frame, piece), length - copied);
            RawMemory.copy(frames.address(frame, piece), at + copied, bytes);
            copied += bytes;
        }
        // memory that is gone is found here, and not when the frame is handed on
        RawMemory.settle();
        incoming.commit(copied);
        return true;
    }

    @Override
    public int doWork() {
        Wire to = wire;
        if (to == null || outgoing.isEmpty()) {
            return 0;
        }
        outgoing.fill(burst);
        int count = burst.count();
        to.send(burst);
        outgoing.free(count);
        return count;
    }

    @Override
    public long restNanos() {
        return outgoing.isEmpty() ? DutyCycle.UNTIL_WOKEN : 0;
    }

    /** Once neither agent comes here any more. */
    void free() {
        incoming.close();
        outgoing.close();
    }
}
