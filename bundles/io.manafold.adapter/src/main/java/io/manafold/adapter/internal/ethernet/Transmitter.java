package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.api.fabric.DutyCycle;
import io.manafold.api.fabric.Wire;
import io.manafold.gdma.SendRequest;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import java.util.Arrays;

/**
 * The sending half of a port. Queues whose doorbell was rung take turns by bytes; their frames go out in bursts, and
 * after a burst has been taken over by the link its requests complete in order. Belongs to the agent.
 */
final class Transmitter {
    private static final int BURST = 64;
    private static final int BURST_PIECES = 8 * BURST + Pieces.MOST;
    /** Frames of one cycle: others on the agent want their turn too. */
    private static final int CYCLE = 256;
    /** Bytes of a queue's turn, so that queues share the wire whatever the size of their frames. */
    private static final int TURN = 16384;
    private static final int MOST_STRIKES = 8;

    private final int mtuFrame;
    private final PortCounters counters;
    private final Rejections rejections;
    private final SendQueue[] queues;
    private final FrameMaker frames;
    private final FrameBurst burst = new FrameBurst(BURST, BURST_PIECES);
    private final CompletionBatch completions;
    private final Pacer pacer = new Pacer();

    /** Queues that may have something to do, a bit for each. */
    private long active;
    private int turn;
    private boolean held;
    private int done;
    private SendQueue served;
    /** Whose the frames of the burst are. */
    private final int[] senders = new int[BURST];
    private long cycle;
    private boolean linked;
    private Wire wire;

    /** Whether CONFIG_VPORT_TX was answered, and with what. */
    boolean configured;
    int pd;
    int vportOffset;

    Transmitter(SendQueue[] queues, int mtuFrame, PortCounters counters, Rejections rejections) {
        this.queues = queues;
        this.mtuFrame = mtuFrame;
        this.counters = counters;
        this.rejections = rejections;
        this.frames = new FrameMaker(mtuFrame, BURST);
        this.completions = new CompletionBatch(queues, rejections);
    }

    void limit(long bitsPerSecond) {
        pacer.limit(bitsPerSecond);
        held = false;
    }

    void withholdCompletion() {
        completions.withhold();
    }

    /** Whether there is nothing to do as long as no doorbell is rung. */
    boolean isIdle() {
        if (active != 0) {
            return false;
        }
        pacer.idle();
        return true;
    }

    /** Sends what is there to send, within bounds. */
    int work(long ready, Wire to, boolean isLinked) {
        active |= ready;
        wire = to;
        linked = isLinked;
        done = 0;
        held = false;
        cycle++;
        try {
            if (pacer.limits()) {
                pacer.busy(System.nanoTime());
            }
            while (active != 0 && done < CYCLE && !held) {
                serve(next());
            }
            if (!flush()) {
                RawMemory.settle();
            }
        } catch (InternalError gone) {
            recover();
        } catch (RuntimeException mistake) {
            // no input leads here; if one does, it costs its own queue and nobody else's
            fail(mistake);
        }
        counters.addSent();
        return done;
    }

    /** How long nothing can be done. */
    long restNanos() {
        return held ? Math.max(0, pacer.due() - System.nanoTime()) : active != 0 ? 0 : DutyCycle.UNTIL_WOKEN;
    }

    /** The next active queue in turn; the one whose turn was cut short by the rate goes on. */
    private int next() {
        long after = active & -1L << turn;
        turn = Long.numberOfTrailingZeros(after != 0 ? after : active);
        return turn;
    }

    private void endTurn() {
        turn = turn + 1 & 63;
    }

    private void serve(int slot) {
        SendQueue queue = slot < queues.length ? queues[slot] : null;
        if (queue == null || queue.ended) {
            active &= ~(1L << slot);
            endTurn();
            return;
        }
        served = queue;
        if (queue.credit <= 0) {
            queue.credit += TURN;
        }
        if (queue.newCycle(cycle) && queue.underWay && !queue.work.refresh(queue)) {
            queue.underWay = false;
            refuse(queue, SendFault.RANGE);
            return;
        }
        boolean paced = pacer.limits();
        while (queue.credit > 0 && done < CYCLE) {
            if (paced && pacer.holds(System.nanoTime())) {
                held = true;
                return;
            }
            if (queue.underWay) {
                sendSegment(queue);
            } else {
                int available = queue.available();
                if (available == 0) {
                    queue.credit = 0;
                    active &= ~(1L << slot);
                    endTurn();
                    return;
                }
                if (!paced && sendPlain(queue)) {
                    continue;
                }
                begin(queue, available);
                if (queue.ended) {
                    return;
                }
            }
        }
        if (queue.credit <= 0) {
            endTurn();
        }
    }

    /** Sends the plain frames at the head of a queue, as many as there is room for; false if there are none. */
    private boolean sendPlain(SendQueue queue) {
        if (!configured || queue.pd != pd) {
            return false;
        }
        if (completions.isFull() || !burst.hasRoom(1)) {
            flush();
        }
        int before = burst.count();
        int room = Math.min(BURST - before, completions.room());
        Arrays.fill(senders, before, BURST, queue.slot);
        int bytes = queue.takePlain(burst, Math.min(room, CYCLE - done), mtuFrame, vportOffset);
        int sent = burst.count() - before;
        if (sent == 0) {
            return false;
        }
        completions.added(queue, sent);
        queue.sentPlain(sent, bytes);
        counters.sentUsual(sent, bytes);
        done += sent;
        return true;
    }

    private void begin(SendQueue queue, int available) {
        SendWork work = queue.work;
        if (!queue.isPlausible(available)) {
            end(queue, "a send queue's doorbell gives a position at most the ring's size ahead, a multiple of 32",
                    "ring with the sum of the sizes of all requests ever written");
            return;
        }
        if (completions.isFull() || !burst.hasRoom(Pieces.MOST)) {
            flush();
        }
        SendFault fault = configured ? queue.pd == pd ? null : SendFault.PROTECTION_DOMAIN : SendFault.NOT_CONFIGURED;
        SendFault broken = work.read(queue, available, vportOffset);
        fault = broken != null && (fault == null || broken.endsQueue) ? broken : fault;
        if (fault == null) {
            fault = frames.check(work);
        }
        if (fault != null) {
            // what was read from vanished memory is nobody's mistake but that
            RawMemory.settle();
            refuse(queue, fault);
            return;
        }
        queue.requests++;
        if (work.longForm) {
            queue.longForms++;
        } else {
            queue.shortForms++;
        }
        if (work.segmented) {
            queue.underWay = true;
            queue.segmentsSent = 0;
            queue.segmentedRequests++;
            queue.segmentedBytes += work.pieces.total - work.headerBytes;
            sendSegment(queue);
            return;
        }
        if (work.wants(SendRequest.TCP_CHECKSUM | SendRequest.UDP_CHECKSUM)) {
            queue.checksums++;
        }
        sent(queue, frames.whole(work, burst));
        complete(queue);
    }

    private void sendSegment(SendQueue queue) {
        SendWork work = queue.work;
        if (!burst.hasRoom(Pieces.MOST + 1) || completions.isFull()) {
            flush();
        }
        sent(queue, frames.segment(work, queue.segmentsSent, burst));
        if (++queue.segmentsSent == work.segmentation.count()) {
            queue.underWay = false;
            complete(queue);
        }
    }

    private void sent(SendQueue queue, int bytes) {
        senders[burst.count() - 1] = queue.slot;
        queue.packets++;
        queue.bytes += bytes;
        queue.credit -= bytes;
        queue.strikes = 0;
        counters.sent(frames.destination, bytes, frames.trafficClass);
        if (pacer.limits()) {
            pacer.sent(bytes);
        }
        done++;
    }

    private void complete(SendQueue queue) {
        SendWork work = queue.work;
        int unit = queue.position() >>> 5;
        queue.advance(work.size);
        if (!work.wants(SendRequest.SUPPRESS_COMPLETION)) {
            completions.add(queue, unit, null);
        }
    }

    private void refuse(SendQueue queue, SendFault fault) {
        counters.count(fault.counter);
        queue.errors++;
        queue.credit -= 64;
        done++;
        if (queue.work.ringGone) {
            queue.work.ringGone = false;
            end(queue, "the memory of a send queue stays reachable as long as the queue lives",
                    "destroy the queue before its memory is unmapped");
            return;
        }
        byte[] request = request(queue);
        rejections.note(queue.where, request, fault.rule, fault.right, fault.endsQueue
                ? "the request completed with an error and the queue takes no more"
                : "the request completed with an error and nothing was sent");
        int unit = queue.position() >>> 5;
        queue.advance(queue.work.size);
        completions.add(queue, unit, fault);
        if (fault.endsQueue) {
            stop(queue);
        }
    }

    private void end(SendQueue queue, String rule, String right) {
        queue.errors++;
        rejections.note(queue.where, new byte[0], rule, right, "the queue takes no more requests");
        stop(queue);
    }

    private void stop(SendQueue queue) {
        queue.ended = true;
        queue.underWay = false;
        active &= ~(1L << queue.slot);
        endTurn();
    }

    /** The first unit of the request at the head, for people. */
    private static byte[] request(SendQueue queue) {
        byte[] bytes = new byte[32];
        long at = queue.ring.at(queue.position());
        if (at != 0) {
            RawMemory.copy(at, bytes, 0, bytes.length);
        }
        return bytes;
    }

    /** Hands the burst to the link, then completes what was sent; whether errors have been waited for at the end. */
    private boolean flush() {
        if (!burst.isEmpty()) {
            if (linked) {
                int before = VanishedFrames.count();
                wire.send(burst);
                if (VanishedFrames.count() != before) {
                    blame();
                }
            } else {
                counters.sendDropped(burst.count());
            }
            burst.clear();
        }
        return completions.write();
    }

    /** Memory of a frame has vanished, and it may have been one of ours; whether it was. */
    private boolean blame() {
        boolean found = false;
        for (int frame = 0; frame < burst.count(); frame++) {
            for (int piece = 0; piece < burst.pieces(frame); piece++) {
                SendQueue sender = queues[senders[frame]];
                if (sender != null && !sender.ended && !RawMemory.readable(burst.address(frame, piece), burst.length(frame, piece))) {
                    endVanished(sender);
                    found = true;
                }
            }
        }
        return found;
    }

    private void endVanished(SendQueue queue) {
        counters.count(SendFault.RANGE.counter);
        end(queue, "the file behind memory that a queue uses keeps its length",
                "destroy the queue, then shorten the file");
    }

    /** Memory has vanished under us: whose queues it was end, all others go on. */
    private void recover() {
        counters.vanished += burst.count();
        boolean found = blame();
        burst.clear();
        for (SendQueue queue : queues) {
            if (queue != null && !queue.ended && !queue.isReachable(cycle)) {
                endVanished(queue);
                found = true;
            }
        }
        SendQueue suspect = served;
        if (!found && suspect != null && ++suspect.strikes >= MOST_STRIKES) {
            endVanished(suspect);
        }
        completions.writeWhatCan();
    }

    private void fail(RuntimeException mistake) {
        burst.clear();
        if (served != null) {
            end(served, "an internal error: " + mistake, "this is a mistake of the adapter; please report it");
        }
        completions.writeWhatCan();
    }

    /** A queue is gone; nothing of it is left in a burst between two cycles. */
    void forget(int slot) {
        active &= ~(1L << slot);
        if (served != null && served.slot == slot) {
            served = null;
        }
    }

    void close() {
        frames.close();
    }
}
