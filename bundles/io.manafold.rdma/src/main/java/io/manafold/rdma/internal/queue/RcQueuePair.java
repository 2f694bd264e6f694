package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.message.DestroyRcQp;
import io.manafold.memory.DmaPiece;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A reliable connection. */
public final class RcQueuePair implements QueuePair {
    final RdmaQueueDevice home;
    final RcRings rings;
    final SharedCompletionQueue sendQueue;
    final SharedCompletionQueue receiveQueue;
    final SendSide sendSide;
    final ReceiveSide receiveSide;
    final Gate sendGate;
    final Gate receiveGate;
    private final Consumer<RcQueuePair> closing;
    private final Posting posting;
    private final RcStates states;
    private volatile Runnable awaited;

    /**
     * Makes it.
     *
     * @param domain the handle of its protection domain
     * @param paths what packets on a path carry
     * @param closing is told that it is being closed
     */
    public RcQueuePair(RdmaQueueDevice home, long domain, QueuePairPlan plan, RingSizes sizes, DeviceAttributes limits,
            Paths paths, Consumer<RcQueuePair> closing) {
        this.home = home;
        this.closing = closing;
        sendGate = new Gate(home.checksThreads());
        receiveGate = new Gate(home.checksThreads());
        sendQueue = (SharedCompletionQueue) plan.sendQueue();
        receiveQueue = (SharedCompletionQueue) plan.receiveQueue();
        posting = new Posting(plan, limits);
        states = new RcStates(this, limits, paths);
        rings = RcRings.make(home, domain, plan, sizes);
        sendSide = new SendSide(this, rings.sends());
        receiveSide = new ReceiveSide(this, rings.receives());
        try {
            sendQueue.attach(key(rings.made().sendRequester(), true), sendSide);
            sendQueue.attach(key(rings.made().receiveRequester(), false), sendSide);
            receiveQueue.attach(key(rings.made().receiveResponder(), false), receiveSide);
        } catch (RuntimeException refused) {
            undo();
            throw refused;
        }
    }

    private static int key(int workQueue, boolean send) {
        return CompletionEntry.last(workQueue, send, 0, 1);
    }

    @Override
    public int number() {
        return rings.made().receiveResponder();
    }

    @Override
    public QueuePairState state() {
        return states.state();
    }

    @Override
    public QueuePairAttributes attributes() {
        return states.attributes();
    }

    /** Where it is at home. */
    public RdmaQueueDevice home() {
        return home;
    }

    /** How many of its directions use a completion queue. */
    public int uses(CompletionQueue queue) {
        return (queue == sendQueue ? 1 : 0) + (queue == receiveQueue ? 1 : 0);
    }

    /** What has become of its work since it was made, as its driver has seen it; the device counts by port alone. */
    public Map<String, Long> counters() {
        Map<String, Long> counters = new LinkedHashMap<>();
        sendSide.addTo(counters);
        receiveSide.addTo(counters);
        counters.put("req_cqe_error", sendSide.failures());
        counters.put("resp_cqe_error", receiveSide.failures());
        return counters;
    }

    String who() {
        return "Queue pair " + number() + " of " + home.name();
    }

    // ---- work

    @Override
    public int post(SendList list) {
        if (!sendGate.enter()) {
            throw outside(sendGate, "posts sends to");
        }
        try {
            QueuePairState now = states.state();
            if (now != QueuePairState.RTS) {
                throw home.isGone() ? home.gone()
                        : new Refusal(Errno.EINVAL, who() + " takes no sends in the state " + now
                        + "; bring it to RTS.");
            }
            return posting.sends(list, rings.sends());
        } finally {
            sendGate.leave();
        }
    }

    @Override
    public int post(ReceiveList list) {
        if (!receiveGate.enter()) {
            throw outside(receiveGate, "posts receives to");
        }
        try {
            QueuePairState now = states.state();
            if (now == QueuePairState.RESET || now == QueuePairState.ERR) {
                throw home.isGone() ? home.gone()
                        : new Refusal(Errno.EINVAL, who() + " takes no receives in the state " + now
                        + "; bring it to INIT.");
            }
            return posting.receives(list, rings.receives());
        } finally {
            receiveGate.leave();
        }
    }

    /** Why a thread could not come in. */
    Refusal outside(Gate gate, String what) {
        if (home.isGone()) {
            return home.gone();
        }
        return gate.hasEnded() ? closedAlready()
                : gate.busy(what + " queue pair " + number() + " of " + home.name(),
                        "each side of a queue pair has one poster, and none while its state is changed");
    }

    Refusal closedAlready() {
        return new Refusal(Errno.EBADF, who() + " has been closed.");
    }

    // ---- states

    @Override
    public void modify(QueuePairAttributes change) {
        inside(() -> states.modify(change));
    }

    /**
     * Goes several steps towards RTS as {@link #modify} does, in about the time of one.
     *
     * @param meanwhile is done while the device is at them; must not touch this pair
     */
    public void advance(List<QueuePairAttributes> steps, Runnable meanwhile) {
        inside(() -> states.advance(steps, meanwhile));
    }

    /** Its connection has ended: to ERR, unless it is in RESET. */
    public void fail() {
        inside(states::fail);
    }

    private void inside(Runnable change) {
        if (!home.enter()) {
            throw home.gone();
        }
        try {
            change.run();
        } finally {
            home.leave();
        }
    }

    /**
     * The device has told of an error and carries nothing out any more. On the thread that polls one of its completion
     * queues.
     */
    void failed(int error) {
        states.failed(error);
    }

    /**
     * The device has said what cannot be: what is under way comes back, and nothing more is posted. On the same thread.
     */
    void broken(String why) {
        states.broken(why);
    }

    /** The device has told by an event that it has failed. Any thread. */
    public void fatal() {
        states.fatal();
    }

    /**
     * Has something done once, by the thread that polls the completion queue of receives, when a message of the peer
     * has come. Must not wait.
     */
    public void onMessage(Runnable told) {
        awaited = told;
    }

    /** On the thread that polls. */
    void messageCame() {
        Runnable told = awaited;
        if (told != null) {
            awaited = null;
            told.run();
        }
    }

    boolean isQuiet() {
        return states.isQuiet();
    }

    // ---- the end

    /** The device has gone: returns with no thread in the memory of the device any more, false if one stays there. */
    public boolean end() {
        states.end();
        boolean sendsLeft = sendGate.end();
        return receiveGate.end() && sendsLeft;
    }

    /** Has the device forget it; its memory goes then. */
    public DestroyRcQp destroyRequest() {
        return new DestroyRcQp(home.adapter(), rings.made().handle());
    }

    /** What it lies in. */
    public List<DmaPiece> memory() {
        return rings.memory();
    }

    @Override
    public void close() {
        if (!states.close()) {
            return;
        }
        if (home.enter()) {
            try {
                closing.accept(this);
                undo();
            } finally {
                home.leave();
            }
        } else {
            sendQueue.detach(this);
            receiveQueue.detach(this);
        }
    }

    /** Ends it before it is known to anyone, or after it was forgotten. */
    public void undo() {
        boolean left = end();
        try {
            home.client().callQuietly(List.of(destroyRequest()));
        } finally {
            sendQueue.detach(this);
            receiveQueue.detach(this);
            if (left) {
                home.free(rings.memory());
            }
        }
    }
}
