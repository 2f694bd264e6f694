package io.manafold.pmd.internal.queue;

import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;

/**
 * Packets that wait, in the order of their requests, until the device has sent them. Of a burst it is asked to complete
 * the last one alone, with which those before it are complete; what fails is completed by itself. For one thread.
 */
abstract class SendRing {
    /** Packets that are posted before the next ones are looked at. */
    static final int STAGE = 64;

    final DirectQueue direct;
    final Keys keys;
    final int descriptors;
    /** Units of the ring less one. */
    final int mask;
    /** The inline part of a plain request without a completion. */
    final long silent;
    final int[] packets;
    final SendCount count;
    private final CompletionQueue completions;
    private final int workId;
    /** Requests that will be completed by themselves: after how many requests, packets and bytes. */
    private final int[] loud;
    private final long[] loudBytes;
    private final long[] loudPackets;
    private int loudHead;
    private int loudTail;
    /** Requests ever posted, and completed, modulo 2^32. */
    int head;
    int tail;
    long postedPackets;
    long postedBytes;
    private long countedPackets;
    private long countedBytes;
    /** Packets that failed before the last of their burst, with which they would be counted as sent. */
    private long spoiled;
    private int announced;

    SendRing(DirectQueue direct, Keys keys, int descriptors, SendCount count) {
        this.direct = direct;
        this.keys = keys;
        this.descriptors = descriptors;
        this.count = count;
        completions = direct.completions();
        workId = direct.work().id();
        mask = direct.work().bytes() / WorkRequest.UNIT - 1;
        packets = new int[mask + 1];
        loud = new int[mask + 1];
        loudBytes = new long[mask + 1];
        loudPackets = new long[mask + 1];
        silent = SendRequest.flags(SendRequest.SUPPRESS_COMPLETION, completions.id()) & 0xffff_ffffL
                | (long) SendRequest.place(0, workId, direct.vportOffset()) << 32;
    }

    /** Takes packets as far as there is room. */
    final int burst(int[] burst, int from, int wanted) {
        reap();
        int taken = 0;
        while (taken < wanted && completions.failure() == null) {
            int stage = post(burst, from + taken, Math.min(STAGE, wanted - taken));
            if (stage == 0) {
                break;
            }
            taken += stage;
        }
        if (head != announced) {
            int slot = loudHead++ & mask;
            loud[slot] = head;
            loudBytes[slot] = postedBytes;
            loudPackets[slot] = postedPackets;
            speakUp();
            announced = head;
            ring();
        }
        return taken;
    }

    /**
     * Posts packets up to the first one that is of no pool, those that cannot be sent aside, which are dropped. Returns
     * how many were taken, 0 if there is no room.
     */
    abstract int post(int[] burst, int from, int wanted);

    /** The request that was posted last is to be completed. */
    abstract void speakUp();

    /** A request that was to be completed has been. */
    abstract void fallSilent(int request);

    abstract void ring();

    /**
     * How many requests end with the one at a unit of the ring, the oldest being 1; above the number under way if there
     * is none.
     */
    abstract int until(int unit);

    /** Requests have ended, whose units are free. */
    abstract void free(int requests);

    final int underWay() {
        return head - tail;
    }

    final String failure() {
        return completions.failure();
    }

    /** A packet that cannot be sent. */
    final void drop(int[] burst, int at) {
        PacketPool.tryRelease(burst, at, 1);
        count.errors++;
    }

    /** Takes completions. */
    final void reap() {
        int seen = 0;
        while (seen <= descriptors) {
            long entry = completions.next(workId, QueueType.SEND);
            if (entry == 0) {
                break;
            }
            int first = RawMemory.get32(entry + SendCompletion.FIRST);
            int unit = SendCompletion.unit(RawMemory.get32(entry + SendCompletion.REQUEST));
            int ended = unit > mask || CompletionEntry.client(first) != 1 ? Integer.MAX_VALUE : until(unit);
            int expected = loudHead == loudTail ? underWay() : loud[loudTail & mask] - tail;
            if (ended > expected) {
                completions.fail("Send queue " + workId + " got a completion of a request at unit " + unit
                        + ", which is not under way.");
                break;
            }
            completions.consume();
            seen++;
            end(ended, ended == expected && loudHead != loudTail, CompletionEntry.type(first) == SendCompletion.OK);
        }
        if (seen > 0) {
            completions.polled(seen);
        }
    }

    private void end(int requests, boolean wasLoud, boolean good) {
        home(requests);
        if (!good) {
            spoiled++;
            count.errors++;
        }
        if (wasLoud) {
            int slot = loudTail++ & mask;
            fallSilent(tail - 1);
            count.packets += loudPackets[slot] - countedPackets - spoiled;
            spoiled = 0;
            // of those that failed, too: DPDK's driver for this adapter counts so
            count.bytes += loudBytes[slot] - countedBytes;
            countedPackets = loudPackets[slot];
            countedBytes = loudBytes[slot];
        }
    }

    /** The oldest go back to their pools. */
    private void home(int requests) {
        int from = tail & mask;
        int straight = Math.min(requests, mask + 1 - from);
        PacketPool.tryRelease(packets, from, straight);
        PacketPool.tryRelease(packets, 0, requests - straight);
        free(requests);
        tail += requests;
    }

    /** The device has forgotten the queue: all go back to their pools. */
    final void end() {
        home(underWay());
    }
}
