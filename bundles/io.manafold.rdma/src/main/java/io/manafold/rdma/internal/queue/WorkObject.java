package io.manafold.rdma.internal.queue;

import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.Limits;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.gdma.message.CreateWqObject;
import io.manafold.gdma.message.DestroyWqObject;
import io.manafold.memory.DmaPiece;
import java.util.List;

/**
 * A work queue of a port with the completion queue that it has for itself, as the device knows them: one object.
 *
 * @param type of {@link QueueType}
 * @param handle of the two
 * @param memory of the work queue and of the completion queue
 */
record WorkObject(int type, WorkQueue work, CompletionQueue completions, long handle, List<DmaPiece> memory) {
    /**
     * Has the device make it.
     *
     * @param workBytes of the requests at least
     * @param completions as many, which is not rounded
     */
    static WorkObject make(QueueDevice device, PortInUse port, int type, int workBytes, int completions) {
        int ring = Math.max(Limits.MIN_QUEUE, Integer.highestOneBit(2 * workBytes - 1));
        int bytes = Math.max(Limits.MIN_QUEUE, completions * CompletionEntry.SIZE);
        RingMemory rings = new RingMemory(device, ring, bytes);
        CreateWqObject.Result made = rings.use(() -> device.client()
                .call(new CreateWqObject(port.vport(), type, rings.region(0), rings.region(1), ring, bytes, 0,
                port.eventQueue())));
        int slot = type == QueueType.SEND ? Doorbell.SEND : Doorbell.RECEIVE;
        return new WorkObject(type, new WorkQueue(rings.piece(0), ring, slot, port.page(), made.workQueue()),
                new CompletionQueue(rings.piece(1), bytes, port.page(), made.completionQueue()), made.object(),
                rings.pieces());
    }

    /** Has the device forget it; its memory goes then. */
    DestroyWqObject destroyRequest() {
        return new DestroyWqObject(type, handle);
    }
}
