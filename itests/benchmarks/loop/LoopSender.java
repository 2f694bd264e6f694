package io.manafold.benchmark;

import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.QueuePair;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/**
 * Sends frames that lie in memory of its own; only a number in them changes. As fast drivers do, it takes the buffer
 * next that came back last, and wants one completion for each burst.
 */
final class LoopSender {
    private final WorkQueue work;
    private final CompletionQueue completions;
    private final DmaPiece buffers;
    private final int key;
    private final long suppressed;
    private final long signalled;
    private final int mask;
    private final int length;
    /** Buffers that are free, by where they begin; the last is taken first. */
    private final int[] idle;
    private int idles;
    /** Whose buffer each place in the ring has. */
    private final int[] used;
    private int posted;
    private int retired;

    LoopSender(QueuePair pair, DmaPiece buffers, int key, int vportOffset, byte[] frame) {
        this.work = pair.work();
        this.completions = pair.completions();
        this.buffers = buffers;
        this.key = key;
        this.length = frame.length;
        int entries = work.bytes() / WorkRequest.UNIT;
        this.mask = entries - 1;
        long place = (long) SendRequest.place(0, work.id(), vportOffset) << 32;
        this.signalled = SendRequest.flags(0, completions.id()) & 0xffff_ffffL | place;
        this.suppressed = signalled | SendRequest.SUPPRESS_COMPLETION;
        this.idle = new int[entries];
        this.used = new int[entries];
        int stride = stride(length);
        for (int i = entries - 1; i >= 0; i--) {
            idle[idles++] = i * stride;
            RawMemory.copy(frame, 0, buffers.pointer() + (long) i * stride, length);
        }
    }

    /** One line more than needed, so that buffers of a usual size do not lie on each other's places in the cache. */
    static int stride(int length) {
        return (length + 63 & -64) + 64;
    }

    boolean hasRoom(int frames) {
        return work.free() >= frames * WorkRequest.UNIT;
    }

    /** Posts frames numbered from one on. */
    void post(int frames, long number) {
        for (int i = 0; i < frames; i++) {
            int into = idle[--idles];
            used[posted++ & mask] = into;
            RawMemory.put64(buffers.pointer() + into + length - 8, number + i);
            work.commitPlain(i + 1 < frames ? suppressed : signalled, buffers.dma() + into, key, length);
        }
        work.ring();
    }

    /** Takes completions, each of which tells of all requests up to its own; how many of them are over. */
    int reap() {
        int before = retired;
        for (long entry = completions.next(); entry != 0; entry = completions.next()) {
            if (CompletionEntry.workQueue(completions.last()) != work.id()
                    || CompletionEntry.type(RawMemory.get32(entry + SendCompletion.FIRST)) != SendCompletion.OK) {
                throw new IllegalStateException("a send did not complete well");
            }
            int behind = (RawMemory.get32(entry + SendCompletion.REQUEST) >>> 5) + 1;
            completions.consume();
            int over = behind - retired & mask;
            for (int i = 0; i < over; i++) {
                idle[idles++] = used[retired++ & mask];
            }
            work.complete(over * WorkRequest.UNIT);
        }
        return retired - before;
    }
}
