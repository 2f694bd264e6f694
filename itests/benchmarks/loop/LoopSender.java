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

/** Sends frames that lie in memory of its own, one for each place in the ring; only a number in them changes. */
final class LoopSender {
    private final WorkQueue work;
    private final CompletionQueue completions;
    private final DmaPiece buffers;
    private final int key;
    private final long inline;
    private final int entries;
    private final int stride;
    private final int length;
    private int next;

    LoopSender(QueuePair pair, DmaPiece buffers, int key, int vportOffset, byte[] frame) {
        this.work = pair.work();
        this.completions = pair.completions();
        this.buffers = buffers;
        this.key = key;
        this.length = frame.length;
        this.stride = stride(length);
        this.entries = work.bytes() / WorkRequest.UNIT;
        this.inline = SendRequest.flags(0, completions.id()) & 0xffff_ffffL
                | (long) SendRequest.place(0, work.id(), vportOffset) << 32;
        for (int i = 0; i < entries; i++) {
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
            long into = (long) next * stride;
            RawMemory.put64(buffers.pointer() + into + length - 8, number + i);
            work.commitPlain(inline, buffers.dma() + into, key, length);
            next = next + 1 & entries - 1;
        }
        work.ring();
    }

    /** Takes completions; how many. */
    int reap() {
        int count = 0;
        for (long entry = completions.next(); entry != 0; entry = completions.next()) {
            if (CompletionEntry.workQueue(completions.last()) != work.id()
                    || CompletionEntry.type(RawMemory.get32(entry + SendCompletion.FIRST)) != SendCompletion.OK) {
                throw new IllegalStateException("a send did not complete well");
            }
            completions.consume();
            work.complete(WorkRequest.UNIT);
            count++;
        }
        return count;
    }
}
