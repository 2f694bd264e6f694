package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.Pieces;
import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.api.fabric.Wire;
import io.manafold.gdma.SendRequest;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import java.util.Arrays;

/**
 * Makes frames of requests and gives them to the link in bursts; when that has taken a burst over, its requests
 * complete in order. Which queue's requests, and when, is decided by the {@link Transmitter}. Belongs to the agent.
 */
final class FrameSender {
    private static final int BURST = 64;
    private static final int BURST_PIECES = 8 * BURST + Pieces.MOST;
    private static final int MOST_STRIKES = 8;

    private final int mtuFrame;
    private final PortCounters counters;
    private final Rejections rejections;
    private final SendQueue[] queues;
    private final FrameMaker frames;
    private final FrameBurst burst = new FrameBurst(BURST, BURST_PIECES);
    private final CompletionBatch completions;
    /** Whose the frames of the burst are. */
    private final int[] senders = new int[BURST];
    private final PausedQueues paused;
    private boolean linked;
    private Wire wire;
    /** Whether memory that this cycle has touched may vanish. */
    private boolean mayVanish;

    /** Whether CONFIG_VPORT_TX was answered, and with what. */
    boolean configured;
    int pd;
    int vportOffset;

    /** Frames and mistakes of this cycle. */
    int done;
    /** Frames of this cycle, and their bytes. */
    int sentFrames;
    int sentBytes;

    FrameSender(SendQueue[] queues, int mtuFrame, PortCounters counters, Rejections rejections, PausedQueues paused) {
        this.queues = queues;
        this.paused = paused;
        this.mtuFrame = mtuFrame;
        this.counters = counters;
        this.rejections = rejections;
        this.frames = new FrameMaker(mtuFrame, BURST);
        this.completions = new CompletionBatch(queues, rejections);
    }

    void begin(Wire to, boolean isLinked) {
        wire = to;
        linked = isLinked;
        done = 0;
        sentFrames = 0;
        sentBytes = 0;
        mayVanish = false;
    }

    boolean mayVanish() {
        return mayVanish;
    }

    void withholdCompletion() {
        completions.withhold();
    }

    void close() {
        frames.close();
    }

    /**
     * Sends the plain frames at the head of a queue, as many as there is room for; false if there are none, or if each
     * frame's class matters.
     *
     * @param most frames
     */
    boolean plain(SendQueue queue, int most) {
        if (!configured || queue.pd != pd || paused.classes() != 0) {
            return false;
        }
        if (completions.isFull() || !burst.hasRoom(1)) {
            flush();
        }
        int before = burst.count();
        int room = Math.min(BURST - before, completions.room());
        Arrays.fill(senders, before, BURST, queue.slot);
        int completed = queue.completed();
        queue.take();
        int bytes = queue.takePlain(burst, Math.min(room, most), mtuFrame, vportOffset);
        mayVanish |= queue.mayVanish();
        int sent = burst.count() - before;
        if (sent == 0) {
            queue.taken();
            return false;
        }
        completions.added(queue, queue.completed() - completed);
        queue.taken();
        queue.sentPlain(sent, bytes);
        counters.sentUsual(sent, bytes);
        sentFrames += sent;
        sentBytes += bytes;
        done += sent;
        return true;
    }

    /**
     * Sends the request at the head of a queue, or the first segment of it, unless that has to wait for the end of a
     * pause.
     */
    void request(SendQueue queue, int available) {
        if (!queue.isPlausible(available)) {
            end(queue, "a send queue's doorbell gives a position at most the ring's size ahead, a multiple of 32",
                    "ring with the sum of the sizes of all requests ever written");
            return;
        }
        if (completions.isFull() || !burst.hasRoom(Pieces.MOST + 1)) {
            flush();
        }
        queue.take();
        readAndSend(queue, available);
        mayVanish |= queue.mayVanish();
        queue.taken();
    }

    private void readAndSend(SendQueue queue, int available) {
        SendWork work = queue.work;
        SendFault fault = configured ? queue.pd == pd ? null : SendFault.PROTECTION_DOMAIN : SendFault.NOT_CONFIGURED;
        SendFault broken = work.read(queue, available, vportOffset);
        fault = broken != null && (fault == null || broken.endsQueue) ? broken : fault;
        if (fault == null) {
            fault = frames.check(work);
        }
        if (fault != null) {
            // what was read from vanished memory is no mistake of the driver's but that
            RawMemory.settle();
            refuse(queue, fault);
            return;
        }
        if (work.segmented || paused.classes() != 0) {
            work.pauseClass = frames.pauseClass(work);
            if (paused.isPaused(work.pauseClass)) {
                // read anew when the pause is over
                queue.paused = true;
                return;
            }
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
            nextSegment(queue);
            return;
        }
        if (work.wants(SendRequest.TCP_CHECKSUM | SendRequest.UDP_CHECKSUM)) {
            queue.checksums++;
        }
        sent(queue, frames.whole(work, burst));
        complete(queue);
    }

    /**
     * Sends the next segment of the large send at the head of a queue, unless it has to wait for the end of a pause.
     */
    void segment(SendQueue queue) {
        if (paused.isPaused(queue.work.pauseClass)) {
            queue.paused = true;
            return;
        }
        if (!burst.hasRoom(Pieces.MOST + 1) || completions.isFull()) {
            flush();
        }
        queue.take();
        nextSegment(queue);
        mayVanish |= queue.mayVanish();
        queue.taken();
    }

    private void nextSegment(SendQueue queue) {
        SendWork work = queue.work;
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
        sentFrames++;
        sentBytes += bytes;
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

    void refuse(SendQueue queue, SendFault fault) {
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
        rejections.note(queue.where, head(queue), fault.rule, fault.right, fault.endsQueue
                ? "the request completed with an error and the queue takes no more"
                : "the request completed with an error and nothing was sent");
        mayVanish |= queue.mayVanish();
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

    private static void stop(SendQueue queue) {
        queue.ended = true;
        queue.underWay = false;
    }

    /** The first unit of the request at the head, for people. */
    private static byte[] head(SendQueue queue) {
        byte[] bytes = new byte[32];
        long at = queue.ring.at(queue.position());
        if (at != 0) {
            RawMemory.copy(at, bytes, 0, bytes.length);
        }
        return bytes;
    }

    /** Hands the burst to the link, then completes what was sent; whether errors have been waited for at the end. */
    boolean flush() {
        if (!burst.isEmpty()) {
            // before anyone sees a frame of it
            counters.addSent();
            burst.mayVanish(mayVanish);
            if (linked) {
                int before = VanishedMemoryCounter.count();
                wire.send(burst);
                if (VanishedMemoryCounter.count() != before) {
                    blame();
                }
            } else {
                counters.sendDropped(burst.count());
            }
            burst.clear();
        }
        return completions.write(mayVanish);
    }

    /** Memory of a frame has vanished, and it may have been one of ours; whether it was. */
    private boolean blame() {
        boolean found = false;
        for (int frame = 0; frame < burst.count(); frame++) {
            for (int piece = 0; piece < burst.pieces(frame); piece++) {
                SendQueue sender = queues[senders[frame]];
                if (sender != null && !sender.ended && !RawMemory.readable(burst.address(frame, piece),
                        burst.length(frame, piece))) {
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

    /**
     * Memory has vanished under us: whose queues it was end, all others go on.
     *
     * @param served the queue whose turn it was, or {@code null}
     */
    void recover(SendQueue served, long cycle) {
        counters.vanished += burst.count();
        rollBack();
        boolean found = blame();
        burst.clear();
        for (SendQueue queue : queues) {
            if (queue != null && !queue.ended && !queue.isReachable(cycle)) {
                endVanished(queue);
                found = true;
            }
        }
        if (!found && served != null && ++served.strikes >= MOST_STRIKES) {
            endVanished(served);
        }
        completions.writeWhatCan();
    }

    private void rollBack() {
        for (SendQueue queue : queues) {
            if (queue != null) {
                queue.rollBack();
            }
        }
    }

    void fail(SendQueue served, RuntimeException mistake) {
        rollBack();
        burst.clear();
        if (served != null) {
            end(served, "an internal error: " + mistake, "this is a mistake of the adapter; please report it");
        }
        completions.writeWhatCan();
    }
}
