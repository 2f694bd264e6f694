package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.QueuePair;
import io.manafold.gdma.driver.QueueRights;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.gdma.message.CreateWqObject.EventHolding;
import io.manafold.memory.PagePool;
import io.manafold.memory.RawMemory;
import java.util.concurrent.Semaphore;

/**
 * A receive queue of a port: each request is one buffer of the queue's pool, and a packet leaves the ring only when
 * another buffer has taken its place. On the device's thread; nothing is allocated per packet.
 */
public final class ReceiveRing {
    /** Who has a buffer that the device may write. */
    static final String POSTED = "adapter";
    /** Packets taken in one poll, but for those of the last completion. */
    public static final int BUDGET = 64;
    /** Room that a burst needs. */
    public static final int BURST = BUDGET + ReceiveCompletion.MOST_PACKETS - 1;

    private final QueuePair pair;
    private final WorkQueue work;
    private final CompletionQueue completions;
    private final PagePool pool;
    private final Posted posted;
    private final PacketBuffer[] fresh = new PacketBuffer[BURST];
    private final ReceiveMarks marks;
    private final int queue;
    private final int size;
    private final int headroom;
    private final ReceiveCounters counters;
    private final Semaphore fences = new Semaphore(0);
    /** Requests that the completions of this poll have used. */
    private int used;
    private int count;
    private long bytes;

    /**
     * Posts its buffers, which its pool has given already.
     *
     * @param pair of {@link #shape}
     * @param taken one buffer for each request, now the ring's
     */
    ReceiveRing(QueuePair pair, int queue, PortConfig config, PagePool pool, PacketBuffer[] taken,
            ReceiveCounters counters) {
        this.pair = pair;
        this.queue = queue;
        this.pool = pool;
        this.counters = counters;
        size = pool.plan().data();
        headroom = pool.plan().headroom();
        marks = new ReceiveMarks(queue, config);
        work = pair.work();
        completions = pair.completions();
        posted = new Posted(work, taken, pair.rights().memoryKey(), size);
        work.ring();
    }

    /** What is to be made for a ring. */
    static QueuePair.Shape shape(QueueRights rights, long vport, int entries, int eventQueue, EventHolding holding) {
        // twice as many completions: one more than buffers for the fence, and a power of two
        return new QueuePair.Shape(rights, vport, QueueType.RECEIVE, entries * WorkRequest.UNIT,
                2 * entries * CompletionEntry.SIZE, eventQueue, holding);
    }

    /** Takes the buffers for a ring out of its pool. */
    static PacketBuffer[] take(PagePool pool, int entries) {
        PacketBuffer[] taken = new PacketBuffer[entries];
        int count = pool.take(taken, 0, entries, POSTED);
        if (count < entries) {
            PacketBuffer.release(taken, 0, count);
            throw new Refusal(Errno.ENOMEM, "There is memory for " + count + " of " + entries
                    + " receive buffers of a queue; choose smaller rings or fewer channels.");
        }
        return taken;
    }

    /** What is told of packets from now on. */
    void features(PortConfig config) {
        marks.want(config);
    }

    /**
     * Takes packets, at least {@link #BURST} if there is room for them.
     *
     * @return how many completions there were; {@link #count} says how many packets
     */
    int poll(PacketBuffer[] burst) {
        count = 0;
        used = 0;
        bytes = 0;
        int seen = 0;
        // no request twice in a poll, whatever the device says
        while (count < BUDGET && seen < BUDGET && used + ReceiveCompletion.MOST_PACKETS <= posted.entries()) {
            long entry = pair.next();
            if (entry == 0) {
                break;
            }
            completion(entry, burst);
            completions.consume();
            seen++;
        }
        if (used > 0) {
            refill(burst);
            work.ring();
        }
        completions.polled(seen);
        return seen;
    }

    private void completion(long entry, PacketBuffer[] burst) {
        int flags = RawMemory.get32(entry + ReceiveCompletion.FLAGS);
        switch (CompletionEntry.type(RawMemory.get32(entry + ReceiveCompletion.FIRST))) {
            case ReceiveCompletion.OK -> {
                if (packets(entry, 1, false, flags, burst) == 0) {
                    counters.withoutLength++;
                }
            }
            case ReceiveCompletion.COALESCED -> coalesced(
                    packets(entry, ReceiveCompletion.MAX_PACKETS, false, flags, burst));
            case ReceiveCompletion.COALESCED_8 -> coalesced(
                    packets(entry, ReceiveCompletion.MOST_PACKETS, true, flags, burst));
            case ReceiveCompletion.TRUNCATED -> {
                counters.truncated++;
                again();
            }
            case ReceiveCompletion.FENCE -> fences.release();
            default -> counters.unknown++;
        }
    }

    private void coalesced(int packets) {
        if (packets == 0) {
            counters.withoutLength++;
        } else if (packets > 1) {
            counters.coalesced[packets]++;
        }
    }

    /**
     * Takes the packets that a completion tells of; returns how many requests it used up.
     *
     * @param paired whether two of them share an entry
     */
    private int packets(long entry, int most, boolean paired, int flags, PacketBuffer[] burst) {
        int known = marks.known(flags);
        int found = count;
        long sum = 0;
        int k = 0;
        for (; k < most; k++) {
            int length = RawMemory.get16(entry
                    + (paired ? ReceiveCompletion.pairedLengthAt(k) : ReceiveCompletion.lengthAt(k)));
            if (length == 0) {
                break;
            }
            if (length > size) {
                counters.truncated++;
                continue;
            }
            PacketBuffer packet = posted.at(used + k);
            packet.place(headroom, length);
            marks.describe(packet, known, flags, RawMemory.get32(entry
                    + (paired ? ReceiveCompletion.pairedHashAt(k) : ReceiveCompletion.hashAt(k))));
            burst[found++] = packet;
            sum += length;
        }
        used += k;
        count = found;
        bytes += sum;
        return k;
    }

    /** The next buffer stays, to be posted once more. */
    private void again() {
        used++;
    }

    /** Puts other buffers in the places of packets; those that there are none for are dropped, and stay. */
    private void refill(PacketBuffer[] burst) {
        int packets = count;
        count = pool.take(fresh, 0, packets, POSTED);
        for (int i = count; i < packets; i++) {
            counters.withoutBuffer++;
            bytes -= burst[i].length();
            fresh[i] = burst[i];
        }
        posted.renew(used, burst, fresh, packets);
        if (pool.mapping().isRepeated()) {
            for (int i = 0; i < count; i++) {
                pool.received(burst[i]);
            }
        }
        counters.packets += count;
        counters.bytes += bytes;
    }

    /** How many packets the last poll found. */
    public int count() {
        return count;
    }

    int queue() {
        return queue;
    }

    public ReceiveCounters counters() {
        return counters;
    }

    CompletionQueue completions() {
        return completions;
    }

    /** Fences seen and not waited for yet. */
    Semaphore fences() {
        return fences;
    }

    /** What the device did that it must not, or {@code null}. */
    String failure() {
        return completions.failure();
    }

    public QueuePair pair() {
        return pair;
    }

    PagePool pool() {
        return pool;
    }

    int entries() {
        return posted.entries();
    }

    /** The device has forgotten it: buffers come home. */
    void end() {
        posted.release();
    }
}
