package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.rdma.internal.connection.Backlog;
import io.manafold.rdma.internal.connection.PassiveSide;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.roce.cm.CmAddresses;
import io.manafold.roce.cm.CmEndpoint;
import io.manafold.roce.cm.CmPath;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request on its way through the backlog of its listener to its answer. */
final class Request implements ConnectionRequest, Backlog {
    /** 4.096 µs × 2^20, about four seconds. */
    private static final int LONGEST_TIMEOUT = 20;

    private final Listener listener;
    private final Management management;
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile PassiveSide asked;

    Request(Listener listener, Management management) {
        this.listener = listener;
        this.management = management;
    }

    // ---- the agent of control

    @Override
    public boolean enter() {
        return listener.enter();
    }

    @Override
    public void deliver(PassiveSide request) {
        asked = request;
        if (!listener.offer(this)) {
            request.reject(new byte[0]);
        }
    }

    @Override
    public void leave() {
        listener.leave(this);
    }

    // ---- the user

    @Override
    public String device() {
        return management.device().name();
    }

    @Override
    public InetSocketAddress local() {
        return Sockets.of(asked.ends().local(), CmAddresses.port(asked.request().serviceId(), CmAddresses.PORTS_TCP));
    }

    @Override
    public InetSocketAddress remote() {
        return Sockets.of(asked.ends().remote(), asked.addresses().sourcePort());
    }

    @Override
    public byte[] privateData() {
        byte[] all = asked.request().privateData();
        return Arrays.copyOfRange(all, CmAddresses.BYTES, all.length);
    }

    @Override
    public int peerInboundReads() {
        return asked.request().endpoint().responderResources();
    }

    @Override
    public int peerOutboundReads() {
        return asked.request().endpoint().initiatorDepth();
    }

    private void claim() {
        if (!answered.compareAndSet(false, true)) {
            throw new Refusal(Errno.EBADF, "The request of " + Sockets.text(remote()) + " has been answered.");
        }
    }

    @Override
    public RdmaConnection accept(QueuePair pair, ConnectionPlan plan) {
        RcQueuePair own = Connections.require(pair, management.device());
        Connections.limit(plan, ConnectionPlan.REPLY_BYTES);
        claim();
        try {
            if (management.device().isGone()) {
                throw management.device().gone();
            }
            if (!asked.isOpen()) {
                throw new Refusal(Errno.ETIMEDOUT, "The request of "
                        + Sockets.text(remote()) + " is over: the peer has given up, or no answer came"
                        + " in time.");
            }
            return make(own, plan);
        } catch (RuntimeException refused) {
            answered.set(false);
            throw refused;
        }
    }

    private Connection make(RcQueuePair pair, ConnectionPlan plan) {
        if (management.lingering(pair.number()) > 0) {
            throw new Refusal(Errno.EBUSY, "Queue pair " + pair.number() + " of " + device()
                    + " had a connection a moment ago, of which late packets may be under way; wait "
                    + management.lingerMillis() + " ms, or accept with another.");
        }
        Connection connection = listener.connection(management, pair, asked.ends(), local(), remote());
        connection.begin(plan);
        ConnectedPair steps = connection.steps();
        CmPath path = asked.request().path();
        CmEndpoint peer = asked.request().endpoint();
        int inbound = Math.min(steps.inbound(), peer.initiatorDepth());
        int outbound = Math.min(steps.outbound(), peer.responderResources());
        connection.guard(() -> steps.makeReady(steps.path(path.trafficClass(), path.flowLabel(), path.hopLimit())
                .at(asked.mac()), path.mtuCode(), peer, inbound, outbound, asked.request().retries(),
                timeout(path.acknowledgeTimeout())));
        connection.exchange(asked);
        byte[] privateData = plan.privateData().clone();
        if (!management.run(() -> asked.accept(steps.endpoint(inbound, outbound), privateData, connection,
                System.nanoTime()))) {
            connection.removed(management.device().gone());
        }
        return connection;
    }

    /** The peer's wish, as long as it says within seconds that the peer has gone: 0 is for ever, and 31 for hours. */
    private static int timeout(int asked) {
        return asked == 0 || asked > LONGEST_TIMEOUT ? ConnectedPair.ACK_TIMEOUT : asked;
    }

    @Override
    public void reject(byte[] privateData) {
        if (privateData.length > ConnectionPlan.REJECT_BYTES) {
            throw new Refusal(Errno.EINVAL, "A rejection has at most " + ConnectionPlan.REJECT_BYTES
                    + " bytes of private data, not " + privateData.length + ".");
        }
        claim();
        byte[] data = privateData.clone();
        // of a device that has gone nothing is left to be rejected
        management.run(() -> asked.reject(data));
    }
}
