package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.message.SetQpState;
import io.manafold.rdma.internal.connection.Ends;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.roce.cm.CmEndpoint;
import java.util.concurrent.ThreadLocalRandom;

/** What the queue pair of a connection goes through: INIT, ready for its peer, and ERR at the end. */
final class ConnectedPair {
    private static final int PORT = 1;
    private static final int PSNS = 1 << 24;

    private final VerbsDevice device;
    private final RcQueuePair pair;
    private final Ends ends;
    private final int receivePsn = ThreadLocalRandom.current().nextInt(PSNS);
    private ConnectionPlan plan;

    ConnectedPair(VerbsDevice device, RcQueuePair pair, Ends ends) {
        this.device = device;
        this.pair = pair;
        this.ends = ends;
    }

    /** @param wanted what the user asks for */
    void plan(ConnectionPlan wanted) {
        plan = wanted;
    }

    void init() {
        pair.modify(QueuePairAttributes.init(Access.LOCAL_WRITE | Access.REMOTE_WRITE
                | (plan.inboundReads() > 0 ? Access.REMOTE_READ : 0)));
    }

    CmEndpoint endpoint(int inbound, int outbound) {
        return new CmEndpoint(pair.number(), receivePsn, inbound, outbound, plan.rnrRetries(), false, false);
    }

    int inbound() {
        return Math.min(plan.inboundReads(), device.attributes().maxInboundReads());
    }

    int outbound() {
        return Math.min(plan.outboundReads(), device.attributes().maxOutboundReads());
    }

    /** The path as this end knows it, without the place on the link. */
    Path path(int trafficClass, int flowLabel, int hopLimit) {
        int index = device.gids(PORT).indexOf(ends.local());
        if (index < 0) {
            throw new Refusal(Errno.EADDRNOTAVAIL, ends.local() + " is no address of " + device.name() + " any more.");
        }
        return new Path(index, ends.remote(), null, trafficClass, flowLabel, Math.max(1, hopLimit));
    }

    /** Brings the pair to RTS. */
    void makeReady(Path path, int code, CmEndpoint peer, int inbound, int outbound, int retries, int ackTimeout) {
        pair.modify(new QueuePairAttributes().state(QueuePairState.RTR).path(path).peer(peer.queuePair()).receivePsn(receivePsn)
                .mtu(SetQpState.mtuBytes(code)).inboundReads(inbound).rnrTimer(0));
        pair.modify(new QueuePairAttributes().state(QueuePairState.RTS).sendPsn(peer.startingPsn()).outboundReads(outbound)
                .ackTimeout(ackTimeout).retries(retries).rnrRetries(peer.rnrRetries()));
    }

    void fail() {
        try {
            if (pair.state() != QueuePairState.RESET) {
                pair.modify(QueuePairAttributes.to(QueuePairState.ERR));
            }
        } catch (Refusal ended) {
            // it has been closed, or its device has gone
        }
    }
}
