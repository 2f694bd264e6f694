package io.manafold.adapter.internal.queue;

import io.manafold.api.agent.DutyCycle;
import io.manafold.memory.RawMemory;

/**
 * A completion queue: entries of 64 bytes with owner bits, and one event per arming. One thread at a time writes
 * ({@link #begin}, {@link #commit}, {@link #flush}); any thread rings.
 *
 * <p>What is committed but not yet flushed is visible to a driver that polls. So a doorbell may know more than the last
 * flush: an index ahead of it means that nothing is waiting, and the flush to come decides about the event.
 *
 * <p>The file behind the memory may be made shorter at any moment. The writing thread catches {@link InternalError}
 * around a batch, calls {@link RawMemory#settle} at its end, and flushes after that.
 */
public final class CompletionQueue {
    public static final int ENTRY = 64;

    private static final int LAST = 60;
    private static final int SEND_QUEUE = 1 << 24;

    private final int id;
    private final QueueMemory memory;
    private final EventQueue events;
    private final Ring ring;
    private long produced;
    private long slot;
    /** Written by {@link #flush} before it reads {@code armed}; the arming thread writes that before reading this. */
    private volatile long flushed;
    private int consumer;
    private volatile boolean armed;
    /** Whether it was told that the driver did not keep up; guarded by this. */
    private boolean overrun;
    /** How events are held back, or {@code null} if they never are; guarded by this, once it is there. */
    private EventHold hold;

    /**
     * @param events the queue that hears of completions, or {@code null} for none
     * @param armed whether the first completion raises an event without a doorbell
     */
    public CompletionQueue(int id, QueueMemory memory, EventQueue events, boolean armed) {
        this.id = id;
        this.memory = memory;
        this.events = events;
        this.armed = armed;
        this.ring = new Ring(memory.bytes() / ENTRY);
        this.produced = ring.entries();
        this.flushed = produced;
        this.consumer = ring.entries();
    }

    public int id() {
        return id;
    }

    /** Events may be held back from now on, before any thread but the caller knows the queue. */
    public void holdBy(EventHold by) {
        hold = by;
    }

    /** The event queue that hears of completions, or {@code null}. */
    public EventQueue events() {
        return events;
    }

    /** Whether the kernel has something behind the next entry; for its writer. */
    public boolean isThere() {
        long entry = memory.at(ring.slot(produced) * ENTRY);
        return entry == 0 || RawMemory.writable(entry, ENTRY);
    }

    public int entries() {
        return ring.entries();
    }

    /**
     * Begins a completion.
     *
     * @return where its 64 bytes lie, the first 60 zeroed; or 0 if the guest took the memory away
     */
    public long begin() {
        long entry = beginWhole();
        if (entry != 0) {
            for (int offset = 0; offset < 56; offset += 8) {
                RawMemory.put64(entry + offset, 0);
            }
            RawMemory.put32(entry + 56, 0);
        }
        return entry;
    }

    /** As {@link #begin}, for a caller that writes all 60 bytes: they are left as they are. */
    public long beginWhole() {
        slot = memory.at(ring.slot(produced) * ENTRY);
        return slot;
    }

    /**
     * Writes completions, each byte of them once.
     *
     * @param from the first that is meant
     * @return false if the guest took the memory away
     */
    public boolean write(PendingCompletions some, int from, int workQueue, boolean sendQueue) {
        int count = some.count();
        int last = workQueue & 0xffffff | (sendQueue ? SEND_QUEUE : 0);
        long index = produced;
        long entry = 0;
        for (int i = from; i < count; i++, index++, entry += ENTRY) {
            int offset = ring.slot(index) * ENTRY;
            if (entry == 0 || (offset & QueueMemory.PAGE - 1) == 0) {
                entry = memory.at(offset);
                if (entry == 0) {
                    produced = index;
                    return false;
                }
            }
            RawMemory.put64(entry, some.first(i));
            RawMemory.put64(entry + 8, some.second(i));
            RawMemory.put64(entry + 16, some.third(i));
            RawMemory.put64(entry + 24, 0);
            RawMemory.put64(entry + 32, 0);
            RawMemory.put64(entry + 40, 0);
            RawMemory.put64(entry + 48, 0);
            RawMemory.putRelease64(entry + 56, some.word(i) & 0xffff_ffffL
                    | (long) (last | ring.owner(index)) << 32);
        }
        produced = index;
        return true;
    }

    /** Writes one completion: its first 24 bytes, and the four before the last word. */
    public boolean write(long first, long second, long third, int word, int workQueue, boolean sendQueue) {
        long entry = begin();
        if (entry == 0) {
            return false;
        }
        RawMemory.put64(entry, first);
        RawMemory.put64(entry + 8, second);
        RawMemory.put64(entry + 16, third);
        RawMemory.put32(entry + 56, word);
        commit(workQueue, sendQueue);
        return true;
    }

    private int last(int workQueue, boolean sendQueue) {
        return workQueue & 0xffffff | (sendQueue ? SEND_QUEUE : 0) | ring.owner(produced);
    }

    /** Hands the completion that was begun to the driver; the caller is still in the cycle it began it in. */
    public void commit(int workQueue, boolean sendQueue) {
        long entry = slot;
        if (entry == 0) {
            return;
        }
        slot = 0;
        RawMemory.putRelease32(entry + LAST, last(workQueue, sendQueue));
        produced++;
    }

    /** After a batch: tells the driver if it asked to be told. */
    public void flush() {
        flushed = produced;
        if (armed && events != null) {
            act(disarm());
        }
    }

    /** The driver waits for what was flushed: it is told once, at once or later. */
    private synchronized Turn disarm() {
        int pending = ring.distance(flushed, consumer);
        return armed && pending != 0 ? turn(pending) : Turn.NOTHING;
    }

    /** What becomes of an event that is asked for and has something to tell of; with the monitor held. */
    private Turn turn(int pending) {
        if (hold == null || !hold.holds(pending)) {
            armed = false;
            return Turn.SEND;
        }
        return hold.begins() ? Turn.HOLD : Turn.NOTHING;
    }

    private void act(Turn turn) {
        if (turn == Turn.SEND) {
            events.post(EventQueue.COMPLETION, id);
        } else if (turn == Turn.HOLD) {
            hold.tell();
        }
    }

    /** What follows when the monitor has been given back. */
    private enum Turn {
        NOTHING, SEND, HOLD
    }

    /**
     * The driver wants its events held back otherwise. Any thread.
     *
     * @param micros −1 if that stays, as with {@code frames}
     */
    public void moderate(int micros, int frames) {
        Turn turn = Turn.NOTHING;
        synchronized (this) {
            hold.set(micros, frames);
            if (armed && events != null && isPending(consumer)) {
                turn = turn(ring.distance(flushed, consumer));
            }
        }
        act(turn);
    }

    /**
     * Sends the event that was held back, if its time has come.
     *
     * @return in how many nanoseconds that will be, {@link DutyCycle#UNTIL_WOKEN} if nothing waits
     */
    public long release(long now) {
        synchronized (this) {
            if (events == null || !armed || !isPending(consumer)) {
                return hold.none();
            }
            long rest = hold.rest(now);
            if (rest > 0) {
                return rest;
            }
            armed = false;
        }
        events.post(EventQueue.COMPLETION, id);
        return DutyCycle.UNTIL_WOKEN;
    }

    /** Microseconds that events are held back, and 0 if they are not. */
    public synchronized int moderationMicros() {
        return hold == null ? 0 : hold.micros();
    }

    /** Completions for which an event is not held back any longer. */
    public synchronized int moderationFrames() {
        return hold == null ? 0 : hold.frames();
    }

    /** Events that were held back so far. */
    public synchronized long heldEvents() {
        return hold == null ? 0 : hold.held();
    }

    /** The driver rang: it has consumed up to an index, and perhaps wants to hear of the next completion. */
    public void doorbell(int consumerIndex, boolean arm) {
        Turn turn = Turn.NOTHING;
        synchronized (this) {
            consumer = consumerIndex;
            tellOverrun(consumerIndex);
            if (arm) {
                armed = true;
                if (isPending(consumerIndex)) {
                    turn = turn(ring.distance(flushed, consumerIndex));
                }
            }
        }
        if (events != null) {
            act(turn);
        }
    }

    /** A driver that polls never rings, so that only one that rings shows how far behind it is. */
    private void tellOverrun(int consumerIndex) {
        int behind = ring.distance(flushed, consumerIndex);
        if (!overrun && events != null && behind > ring.entries() && ring.laps() - behind > ring.entries()) {
            overrun = true;
            events.tellOverrun(id, behind);
        }
    }

    private boolean isPending(int consumerIndex) {
        int behind = ring.distance(flushed, consumerIndex);
        int ahead = ring.laps() - behind;
        return behind != 0 && ahead > ring.entries();
    }
}
