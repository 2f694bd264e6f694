package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.PacketBuffer;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.WorkQueue;

/** The buffers that a receive queue has with the device, in the order of their requests. */
final class Posted {
    private final WorkQueue work;
    /** As many as a power of two. */
    private final PacketBuffer[] buffers;
    private final int key;
    private final int size;
    private int next;

    /**
     * Posts all buffers; the device does not know of it yet.
     *
     * @param taken one for each request, now this one's
     * @param size what the device may write to each
     */
    Posted(WorkQueue work, PacketBuffer[] taken, int key, int size) {
        this.work = work;
        this.buffers = taken;
        this.key = key;
        this.size = size;
        post(taken.length);
    }

    int entries() {
        return buffers.length;
    }

    /** One of the next that the device fills, counted from 0. */
    PacketBuffer at(int ahead) {
        return buffers[next + ahead & buffers.length - 1];
    }

    /**
     * So many requests are over: what they are posted with once more are fresh buffers in place of packets, and
     * otherwise the same.
     *
     * @param packets some of those that were {@link #at} the first places, in their order
     * @param fresh as many
     */
    void renew(int requests, PacketBuffer[] packets, PacketBuffer[] fresh, int count) {
        if (requests == count) {
            int straight = Math.min(count, buffers.length - next);
            System.arraycopy(fresh, 0, buffers, next, straight);
            System.arraycopy(fresh, straight, buffers, 0, count - straight);
        } else {
            replace(requests, packets, fresh, count);
        }
        work.complete(requests * WorkRequest.UNIT);
        post(requests);
    }

    private void replace(int requests, PacketBuffer[] packets, PacketBuffer[] fresh, int count) {
        for (int ahead = 0, done = 0; ahead < requests && done < count; ahead++) {
            if (at(ahead) == packets[done]) {
                buffers[next + ahead & buffers.length - 1] = fresh[done++];
            }
        }
    }

    private void post(int requests) {
        for (int i = next; i < next + requests; i++) {
            work.commitPlain(0, buffers[i & buffers.length - 1].dma(), key, size);
        }
        next = next + requests & buffers.length - 1;
    }

    /** All go home. */
    void release() {
        PacketBuffer.release(buffers, 0, buffers.length);
    }
}
