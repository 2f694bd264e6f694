package io.manafold.ethernet.internal;

import io.manafold.api.net.PacketBuffer;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.QueuePair;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.memory.RawMemory;

/**
 * A send queue of a port. Packets wait in the order of their requests until the device has completed them. On the
 * device's thread; nothing is allocated per packet.
 */
final class SendRing {
    private static final int BUDGET = 256;
    private static final int SHORT_OFFSETS = 255;
    /** The device demands a doorbell at least every eight laps of its completion queue. */
    private static final int LAPS = 4;

    private final QueuePair pair;
    private final WorkQueue work;
    private final CompletionQueue completions;
    private final int key;
    private final int vportOffset;
    private final String holder;
    /** The inline part of a packet that nothing is to be done to. */
    private final long plain;
    private final SendCounters counters;
    private final PacketBuffer[] packets;
    private final int[] requestBytes;
    private final Offload offload = new Offload();
    private int head;
    private int tail;
    private int sinceRing;
    private boolean unannounced;
    private boolean stopped;
    private boolean armed;
    private String failure;

    SendRing(Port port, int vportOffset, PortConfig config, int eventQueue, String holder, SendCounters counters) {
        int entries = config.transmitEntries();
        pair = new QueuePair(port.session(), port.vport().vport(), QueueType.SEND, entries * WorkRequest.UNIT,
                entries * CompletionEntry.SIZE, eventQueue);
        work = pair.work();
        completions = pair.completions();
        key = port.session().registration().memoryKey();
        this.vportOffset = vportOffset;
        this.holder = holder;
        plain = SendRequest.flags(0, completions.id()) & 0xffff_ffffL
                | (long) SendRequest.place(0, work.id(), vportOffset) << 32;
        this.counters = counters;
        packets = new PacketBuffer[entries];
        requestBytes = new int[entries];
    }

    /** Whether a packet would be accepted now. */
    boolean hasRoom() {
        return !stopped;
    }

    /**
     * Accepts a packet, with all that are linked to it: it is released when it was sent, or at once if it cannot be. The
     * caller has looked at {@link #hasRoom}.
     */
    void send(PacketBuffer packet) {
        if (vportOffset <= SHORT_OFFSETS && Offload.isPlain(packet)) {
            int length = packet.length();
            packet.holder(holder);
            keep(packet, work.commitPlain(plain, packet.dma(), key, length));
            counters.shortForm++;
            counters.packets++;
            counters.bytes += length;
            return;
        }
        if (!offload.prepare(packet)) {
            counters.refused++;
            release(packet);
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
        keep(packet, work.commit());
        count();
    }

    private void keep(PacketBuffer packet, int bytes) {
        int slot = head++ & packets.length - 1;
        packets[slot] = packet;
        requestBytes[slot] = bytes;
        unannounced = true;
        if (work.free() < WorkRequest.MAX_SEND) {
            stopped = true;
            counters.stopped++;
        }
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

    private void count() {
        counters.packets++;
        counters.bytes += offload.length;
        if (offload.headerBytes > 0) {
            counters.segmentedPackets++;
            counters.segmentedBytes += offload.length - offload.headerBytes;
        } else if (offload.flags != 0) {
            counters.checksums++;
        }
    }

    /** Tells the device of what was sent since. */
    void ring() {
        if (unannounced) {
            unannounced = false;
            work.ring();
        }
    }

    /** Takes completions. Returns how many; when the device lies, {@link #failure} says how. */
    int poll() {
        int count = 0;
        while (count < BUDGET && failure == null) {
            long entry = completions.next();
            if (entry == 0) {
                break;
            }
            int last = completions.last();
            int first = RawMemory.get32(entry + SendCompletion.FIRST);
            if (CompletionEntry.workQueue(last) != work.id() || !CompletionEntry.isSendSide(last)
                    || CompletionEntry.client(first) != 1) {
                failure = "The completion 0x" + Integer.toHexString(last) + " with 0x" + Integer.toHexString(first)
                        + " is not of send queue " + work.id() + ".";
                break;
            }
            if (head == tail) {
                failure = "Send queue " + work.id() + " got a completion more than it has sends under way.";
                break;
            }
            completions.consume();
            complete(CompletionEntry.type(first));
            count++;
        }
        if (completions.isOverrun() && failure == null) {
            failure = "The completions of send queue " + work.id() + " were overwritten before they were read.";
        }
        if (count > 0) {
            consumed(count);
        }
        return count;
    }

    private void complete(int type) {
        int slot = tail++ & packets.length - 1;
        PacketBuffer packet = packets[slot];
        packets[slot] = null;
        work.complete(requestBytes[slot]);
        release(packet);
        if (type < SendCompletion.OK || type > SendCompletion.VLAN) {
            counters.unknown++;
        } else if (type != SendCompletion.OK) {
            counters.failed++;
        }
    }

    private void consumed(int count) {
        sinceRing += count;
        if (sinceRing >= completions.slots() * LAPS) {
            sinceRing = 0;
            completions.ring(false);
        }
        if (stopped && work.free() >= WorkRequest.MAX_SEND) {
            stopped = false;
            counters.woken++;
        }
    }

    static void release(PacketBuffer packet) {
        PacketBuffer piece = packet;
        while (piece != null) {
            PacketBuffer next = piece.next();
            if (next != null) {
                piece.next(null);
            }
            piece.release();
            piece = next;
        }
    }

    /** Asks for an event with the next completion. */
    void arm() {
        if (!armed) {
            armed = true;
            sinceRing = 0;
            completions.ring(true);
        }
    }

    /** The event has come; the next one has to be asked for. */
    boolean disarm(int completionQueue) {
        if (completions.id() != completionQueue) {
            return false;
        }
        armed = false;
        return true;
    }

    /** Whether it has to be looked at: nobody will be told of its completions. */
    boolean isPolled() {
        return !armed;
    }

    boolean hasCompletion() {
        return failure == null && completions.next() != 0;
    }

    /** How many sends were completed ever, modulo 2^32. */
    int completed() {
        return tail;
    }

    int outstanding() {
        return head - tail;
    }

    /** What the device did that it must not, or {@code null}. */
    String failure() {
        return failure;
    }

    SendCounters counters() {
        return counters;
    }

    QueuePair pair() {
        return pair;
    }

    /** Ends it; what was never completed comes home. Nobody else uses the ring any more. */
    void destroy() {
        try {
            pair.destroy();
        } finally {
            counters.abandoned += head - tail;
            while (head != tail) {
                int slot = tail++ & packets.length - 1;
                release(packets[slot]);
                packets[slot] = null;
            }
        }
    }
}
