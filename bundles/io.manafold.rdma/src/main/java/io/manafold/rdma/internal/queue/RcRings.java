package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.gdma.RollbackTrailer;
import io.manafold.gdma.driver.RcReceiveRing;
import io.manafold.gdma.driver.RcSendRing;
import io.manafold.gdma.message.CreateRcQp;
import io.manafold.memory.DmaPiece;
import java.util.List;

/**
 * The rings of a reliable connection's queue pair, and what the device calls them.
 *
 * @param memory that they lie in
 */
record RcRings(CreateRcQp.Result made, RcSendRing sends, RcReceiveRing receives, List<DmaPiece> memory) {
    /**
     * Has the device make them.
     *
     * @param domain the handle of its protection domain
     */
    static RcRings make(RdmaQueueDevice home, long domain, QueuePairPlan plan, RingSizes sizes) {
        RingMemory rings = new RingMemory(home, sizes.sendBytes() + RollbackTrailer.SIZE, RcSendRing.FIXED_RING,
                RcSendRing.FIXED_RING, sizes.receiveBytes());
        RcSendRing.prepare(rings.piece(0), sizes.sendBytes());
        long sent = ((SharedCompletionQueue) plan.sendQueue()).handle();
        long received = ((SharedCompletionQueue) plan.receiveQueue()).handle();
        CreateRcQp.Result made = rings.use(() -> home.client()
                .call(new CreateRcQp(home.adapter(), domain, sent, received, rings.region(0), rings.region(1), 0,
                rings.region(2), rings.region(3), CreateRcQp.NO_MEMORY_MANAGEMENT, home.page().number(), plan.sends(),
                plan.receives(), plan.sendPieces(), plan.receivePieces())));
        return new RcRings(made, new RcSendRing(rings.piece(0), rings.piece(2), sizes.sendBytes(), plan.sends(),
                home.page(), made), new RcReceiveRing(rings.piece(3), sizes.receiveBytes(), plan.receives(),
                home.page(), made.receiveResponder()), rings.pieces());
    }
}
