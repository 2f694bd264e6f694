package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.message.SetQpState;
import io.manafold.rdma.internal.connection.AddressPair;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.roce.cm.CmEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** What the queue pair of a connection goes through: INIT, ready for its peer, and ERR at the end. */
final class ConnectedPair {
    /** 4.096 µs × 2^18, about a second: how long an acknowledgement is awaited. */
    static final int ACK_TIMEOUT = 18;
    private static final int PORT = 1;
    private static final int PSNS = 1 << 24;

    private final VerbsDevice device;
    private final RcQueuePair pair;
    private final AddressPair ends;
    private final int receivePsn = ThreadLocalRandom.current().nextInt(PSNS);
    private ConnectionPlan plan;
    /** Whether it has still to be brought to INIT. */
    private boolean isNew;

    ConnectedPair(VerbsDevice device, RcQueuePair pair, AddressPair ends) {
        this.device = device;
        this.pair = pair;
        this.ends = ends;
    }

    /**
     * Takes the wishes of the user.
     *
     * @param reset whether the pair is in RESET; else it is in INIT
     */
    void begin(ConnectionPlan wanted, boolean reset) {
        plan = wanted;
        isNew = reset;
    }

    /** Brings the pair to INIT, if it is not there. */
    void init(Runnable meanwhile) {
        if (isNew) {
            isNew = false;
            pair.advance(List.of(initially()), meanwhile);
        } else {
            meanwhile.run();
        }
    }

    private QueuePairAttributes initially() {
        return QueuePairAttributes.init(Access.LOCAL_WRITE | Access.REMOTE_WRITE
                | (plan.inboundReads() > 0 ? Access.REMOTE_READ : 0));
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

    /** Brings the pair to RTS, by INIT if it is not there yet. */
    void makeReady(Path path, int code, CmEndpoint peer, int inbound, int outbound, int retries, int ackTimeout) {
        List<QueuePairAttributes> all = new ArrayList<>();
        if (isNew) {
            isNew = false;
            all.add(initially());
        }
        all.add(new QueuePairAttributes().state(QueuePairState.RTR).path(path).peer(peer.queuePair())
                .receivePsn(receivePsn)
                .mtu(SetQpState.mtuBytes(code)).inboundReads(inbound).rnrTimer(0));
        all.add(new QueuePairAttributes().state(QueuePairState.RTS).sendPsn(peer.startingPsn()).outboundReads(outbound)
                .ackTimeout(ackTimeout).retries(retries).rnrRetries(peer.rnrRetries()));
        pair.advance(all, () -> { });
    }

    void fail() {
        try {
            pair.fail();
        } catch (Refusal ended) {
            // it has been closed, or its device has gone
        }
    }
}
