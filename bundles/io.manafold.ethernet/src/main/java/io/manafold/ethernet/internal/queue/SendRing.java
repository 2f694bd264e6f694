package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.PacketBuffer;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.QueuePair;
import io.manafold.gdma.driver.QueueRights;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.gdma.message.CreateWqObject.EventHolding;
import io.manafold.memory.MemoryBorrower;
import io.manafold.memory.RawMemory;

/**
 * A send queue of a port. Packets wait in the order of their requests until the device has completed them; of plain
 * ones that it is told of together, it is asked to complete the last only. On the device's thread; nothing is allocated
 * per packet.
 */
public final class SendRing {
    static final int BUDGET = 256;
    private static final int SHORT_OFFSETS = 255;
    /**
     * So many completions are asked for at least while a ring goes by, or as many bytes as may be under way: the fewer,
     * the more has to be under way to keep the device busy.
     */
    private static final int COMPLETIONS = 4;

    private final QueuePair pair;
    private final WorkQueue work;
    private final CompletionQueue completions;
    private final int key;
    private final int vportOffset;
    private final String holder;
    /** The inline part of a packet that nothing is to be done to. */
    private final long plain;
    /** The same, and no completion is wanted. */
    private final long silent;
    private final SendCounters counters;
    private final Sends sends;
    private final ByteLimit limit;
    private final int queue;
    /** Requests that may go by without a completion being asked for. */
    private final int stride;
    /** Those since one was asked for, and their packets' bytes. */
    private int silentRequests;
    private int silentBytes;
    private final Offload offload = new Offload();
    private boolean unannounced;
    /** Whether no completion was asked for of the last request. */
    private boolean lastSilent;
    /** The ring is full. */
    private boolean stopped;
    /** As many bytes are under way as may be. */
    private boolean held;

    /** @param pair of {@link #shape} */
    SendRing(QueuePair pair, int queue, int vportOffset, PortConfig config, String holder, SendCounters counters) {
        int entries = config.transmitEntries();
        this.pair = pair;
        work = pair.work();
        completions = pair.completions();
        key = pair.rights().memoryKey();
        this.vportOffset = vportOffset;
        this.holder = holder;
        plain = SendRequest.flags(0, completions.id()) & 0xffff_ffffL
                | (long) SendRequest.place(0, work.id(), vportOffset) << 32;
        silent = plain | SendRequest.SUPPRESS_COMPLETION;
        this.counters = counters;
        sends = new Sends(work, entries);
        this.queue = queue;
        stride = entries / COMPLETIONS;
        limit = new ByteLimit(config.bounds(queue), System.nanoTime());
    }

    /** What is to be made for a ring. */
    static QueuePair.Shape shape(QueueRights rights, long vport, PortConfig config, int eventQueue,
            EventHolding holding) {
        int entries = config.transmitEntries();
        return new QueuePair.Shape(rights, vport, QueueType.SEND, entries * WorkRequest.UNIT,
                entries * CompletionEntry.SIZE, eventQueue, holding);
    }

    /** Whether a packet would be accepted now. */
    public boolean hasRoom() {
        return !stopped && !held;
    }

    /**
     * Accepts packets from the first on, as long as they are for the same queue, nothing is to be done to them and the
     * function reaches them where they are. Returns how many.
     */
    public int sendPlain(PacketBuffer[] several, int from, int count, MemoryBorrower memory) {
        int most = !hasRoom() || vportOffset > SHORT_OFFSETS ? 0 : Math.min(count, room());
        int many = Offload.plain(several, from, most, memory);
        int done = 0;
        while (done < many && !held) {
            done += sendStride(several, from + done, many - done);
        }
        return done;
    }

    /** Up to a packet whose completion is asked for. */
    private int sendStride(PacketBuffer[] several, int from, int count) {
        int most = Math.min(limit.left(), limit.limit() / COMPLETIONS - silentBytes);
        int requests = Math.min(count, stride - silentRequests);
        int bytes = 0;
        int length;
        int done = 0;
        do {
            length = commitPlain(several[from + done++]);
            bytes += length;
        } while (done < requests && bytes <= most);
        sends.addSilent(several, from, done, WorkRequest.UNIT, limit.queued());
        countPlain(done, bytes, length);
        return done;
    }

    private int commitPlain(PacketBuffer packet) {
        int length = packet.length();
        packet.holder(holder);
        work.commitPlain(silent, packet.dma(), key, length);
        return length;
    }

    private void countPlain(int count, int bytes, int ofLast) {
        unannounced = true;
        lastSilent = true;
        silentRequests += count;
        silentBytes += bytes;
        if (silentRequests >= stride || silentBytes > limit.limit() / COMPLETIONS) {
            wantLast();
        }
        limit.queue(bytes, ofLast);
        counters.shortForm += count;
        counters.packets += count;
        counters.bytes += bytes;
        kept();
    }

    /** How many plain packets there is room for, with which it is full. */
    private int room() {
        return (work.free() - WorkRequest.MAX_SEND) / WorkRequest.UNIT + 1;
    }

    /**
     * Accepts a packet, with all that are linked to it: it is released when it was sent, or at once if it cannot be.
     * The caller has looked at {@link #hasRoom}.
     */
    public void send(PacketBuffer packet) {
        if (vportOffset <= SHORT_OFFSETS && Offload.isPlain(packet)) {
            int length = commitPlain(packet);
            sends.addSilent(packet, WorkRequest.UNIT, limit.queued() + length);
            countPlain(1, length, length);
            return;
        }
        if (!offload.prepare(packet)) {
            counters.refused++;
            Sends.release(packet);
            return;
        }
        boolean wide = offload.tagged || vportOffset > SHORT_OFFSETS;
        int inline = wide ? WorkRequest.INLINE_LONG : WorkRequest.INLINE_SHORT;
        work.begin(WorkRequest.word0(offload.headerBytes),
                WorkRequest.word1(offload.pieces, inline, offload.headerBytes > 0, offload.segment));
        work.put32(SendRequest.FLAGS, SendRequest.flags(offload.flags | (wide ? SendRequest.LONG_FORM : 0),
                completions.id()));
        work.put32(SendRequest.PLACE, SendRequest.place(offload.transportOffset, work.id(), vportOffset));
        if (wide) {
            work.put32(SendRequest.TAG, offload.tagged ? SendRequest.tag(packet.tag()) : 0);
            work.put32(SendRequest.WIDE, SendRequest.wide(vportOffset));
            work.put32(SendRequest.WIDE + 4, 0);
            work.put32(SendRequest.WIDE + 8, 0);
            counters.longForm++;
        } else {
            counters.shortForm++;
        }
        pieces(packet);
        sends.add(packet, work.commit(), limit.queued() + offload.length);
        limit.queue(offload.length, offload.length);
        unannounced = true;
        askedForLast();
        kept();
        counters.sent(offload);
    }

    private void kept() {
        if (work.free() < WorkRequest.MAX_SEND) {
            stopped = true;
            counters.stopped++;
        }
        if (limit.isReached()) {
            held = true;
            counters.held++;
        }
    }

    /** Asks for the completion of the plain request that was written last. */
    private void wantLast() {
        work.amendPlain(plain);
        sends.wantLast();
        askedForLast();
    }

    private void askedForLast() {
        lastSilent = false;
        silentRequests = 0;
        silentBytes = 0;
    }

    private void pieces(PacketBuffer packet) {
        int index = 0;
        int headers = offload.headerBytes;
        for (PacketBuffer piece = packet; piece != null; piece = piece.next()) {
            int length = piece.length();
            if (length > headers) {
                if (headers > 0) {
                    work.piece(index++, piece.dma(), key, headers);
                }
                work.piece(index++, piece.dma() + headers, key, length - headers);
                headers = 0;
            } else if (length > 0) {
                // all of the first piece is headers
                work.piece(index++, piece.dma(), key, length);
                headers = 0;
            }
            piece.holder(holder);
        }
    }

    /** Whether the device does not know of all that was sent. */
    boolean isUnannounced() {
        return unannounced;
    }

    /** Tells the device of what was sent since. */
    void ring() {
        if (unannounced) {
            unannounced = false;
            if (lastSilent) {
                wantLast();
            }
            work.ring();
        }
    }

    /** Takes completions. Returns how many; when the device lies, {@link #failure} says how. */
    int poll() {
        int count = 0;
        while (count < BUDGET) {
            long entry = pair.next();
            if (entry == 0) {
                break;
            }
            int first = RawMemory.get32(entry + SendCompletion.FIRST);
            if (CompletionEntry.client(first) != 1) {
                completions.fail("The completion 0x" + Integer.toHexString(first) + " is not of send queue " + work.id()
                        + ".");
                break;
            }
            int unit = SendCompletion.unit(RawMemory.get32(entry + SendCompletion.REQUEST));
            int done = sends.until(unit);
            if (done == 0) {
                completions.fail("Send queue " + work.id() + " got a completion of a request at unit " + unit
                        + ", which is not the one to come.");
                break;
            }
            completions.consume();
            sends.complete(done);
            counters.ended(CompletionEntry.type(first));
            if (done > 1) {
                counters.coalesced++;
            }
            count++;
        }
        completions.polled(count);
        if (count > 0) {
            limit.complete(sends.completedBytes(), System.nanoTime());
            held = limit.isReached();
        }
        if (stopped && work.free() >= WorkRequest.MAX_SEND) {
            stopped = false;
            counters.woken++;
        }
        return count;
    }

    /** Changes what the limit of bytes under way may be. */
    void features(PortConfig now) {
        limit.use(now.bounds(queue));
        held = limit.isReached();
    }

    ByteLimit limit() {
        return limit;
    }

    CompletionQueue completions() {
        return completions;
    }

    /** What is under way. */
    public Sends sends() {
        return sends;
    }

    /** What the device did that it must not, or {@code null}. */
    String failure() {
        return completions.failure();
    }

    public SendCounters counters() {
        return counters;
    }

    public QueuePair pair() {
        return pair;
    }

    /** The device has forgotten it: what was not completed is given up. */
    void end() {
        counters.abandoned += sends.outstanding();
        sends.complete(sends.outstanding());
    }
}
