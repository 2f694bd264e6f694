package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.AsyncEvent;
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
import io.manafold.gdma.QpAttribute;
import io.manafold.gdma.RollbackTrailer;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.driver.RcReceiveRing;
import io.manafold.gdma.driver.RcSendRing;
import io.manafold.gdma.message.CreateRcQp;
import io.manafold.gdma.message.DestroyRcQp;
import io.manafold.gdma.message.SetQpState;
import io.manafold.memory.DmaPiece;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A reliable connection. */
public final class RcQueuePair implements QueuePair {
    private final Home home;
    private final DeviceAttributes limits;
    private final Paths paths;
    private final Consumer<RcQueuePair> closing;
    private final SharedCompletionQueue sendQueue;
    private final SharedCompletionQueue receiveQueue;
    private final List<DmaPiece> memory;
    private final CreateRcQp.Result made;
    private final Posting posting;
    private final RcSendRing sends;
    private final RcReceiveRing receives;
    private final SendSide sendSide;
    private final ReceiveSide receiveSide;
    private final Gate sendGate;
    private final Gate receiveGate;
    /** Guards its states; not the pair itself, which users might hold. */
    private final Object lock = new Object();
    private QueuePairAttributes attributes = new QueuePairAttributes();
    private volatile QueuePairState state = QueuePairState.RESET;
    /** The device has said that it carries nothing out any more. */
    private volatile boolean quiet;
    private boolean closed;

    /**
     * Makes it.
     *
     * @param domain the handle of its protection domain
     * @param paths what packets on a path carry
     * @param closing is told that it is being closed
     */
    public RcQueuePair(Home home, long domain, QueuePairPlan plan, RingSizes sizes, DeviceAttributes limits,
            Paths paths, Consumer<RcQueuePair> closing) {
        this.home = home;
        sendGate = new Gate(home.checksThreads());
        receiveGate = new Gate(home.checksThreads());
        this.limits = limits;
        this.paths = paths;
        this.closing = closing;
        sendQueue = (SharedCompletionQueue) plan.sendQueue();
        receiveQueue = (SharedCompletionQueue) plan.receiveQueue();
        posting = new Posting(plan, limits);
        RingMemory rings = new RingMemory(home, sizes.sendBytes() + RollbackTrailer.SIZE, RcSendRing.FIXED_RING,
                RcSendRing.FIXED_RING, sizes.receiveBytes());
        RcSendRing.prepare(rings.piece(0), sizes.sendBytes());
        made = rings.use(() -> home.client().call(new CreateRcQp(home.adapter(), domain, sendQueue.handle(), receiveQueue.handle(),
                rings.region(0), rings.region(1), 0, rings.region(2), rings.region(3), CreateRcQp.NO_MEMORY_MANAGEMENT,
                home.page().number(), plan.sends(), plan.receives(), plan.sendPieces(), plan.receivePieces())));
        memory = rings.pieces();
        sends = new RcSendRing(rings.piece(0), rings.piece(2), sizes.sendBytes(), plan.sends(), home.page(), made);
        receives = new RcReceiveRing(rings.piece(3), sizes.receiveBytes(), plan.receives(), home.page(), number());
        sendSide = new SendSide(this, sends);
        receiveSide = new ReceiveSide(this, receives);
        try {
            sendQueue.attach(key(made.sendRequester(), true), sendSide);
            sendQueue.attach(key(made.receiveRequester(), false), sendSide);
            receiveQueue.attach(key(made.receiveResponder(), false), receiveSide);
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
        return made.receiveResponder();
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    @Override
    public QueuePairAttributes attributes() {
        synchronized (lock) {
            return new QueuePairAttributes().with(attributes).state(state);
        }
    }

    /** Where it is at home. */
    public Home home() {
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

    private String who() {
        return "Queue pair " + number() + " of " + home.name();
    }

    // ---- work

    @Override
    public int post(SendList list) {
        if (!sendGate.enter()) {
            throw outside(sendGate, "posts sends to");
        }
        try {
            if (state != QueuePairState.RTS) {
                throw home.isGone() ? home.gone() : new Refusal(Errno.EINVAL, who() + " takes no sends in the state " + state
                        + "; bring it to RTS.");
            }
            return posting.sends(list, sends);
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
            QueuePairState now = state;
            if (now == QueuePairState.RESET || now == QueuePairState.ERR) {
                throw home.isGone() ? home.gone() : new Refusal(Errno.EINVAL, who() + " takes no receives in the state " + now
                        + "; bring it to INIT.");
            }
            return posting.receives(list, receives);
        } finally {
            receiveGate.leave();
        }
    }

    private Refusal outside(Gate gate, String what) {
        if (home.isGone()) {
            return home.gone();
        }
        return gate.hasEnded() ? new Refusal(Errno.EBADF, who() + " has been closed.")
                : gate.busy(what + " queue pair " + number() + " of " + home.name(),
                        "each side of a queue pair has one poster, and none while its state is changed");
    }

    // ---- states

    @Override
    public void modify(QueuePairAttributes change) {
        if (!home.enter()) {
            throw home.gone();
        }
        try {
            synchronized (lock) {
                apply(change);
            }
        } finally {
            home.leave();
        }
    }

    private void apply(QueuePairAttributes change) {
        if (closed) {
            throw new Refusal(Errno.EBADF, who() + " has been closed.");
        }
        QueuePairState before = state;
        QueuePairState next = Transitions.check(before, change, limits, who());
        SetQpState request = request(change, next);
        switch (next) {
            case RESET -> reset(request);
            case ERR -> {
                // no thread posts what would be lost
                state = QueuePairState.ERR;
                home.client().call(request);
                calms();
            }
            default -> {
                home.client().call(request);
                attributes.with(change);
                if (next == QueuePairState.RTS && before == QueuePairState.RTR) {
                    sends.start(attributes.sendPsn(), attributes.mtu());
                    sends.arm(attributes.sendPsn());
                }
                changed(before, next);
            }
        }
    }

    /** It may have failed meanwhile, which counts more. */
    private void changed(QueuePairState before, QueuePairState next) {
        synchronized (sendGate) {
            if (state == before) {
                state = next;
            }
        }
    }

    private SetQpState request(QueuePairAttributes change, QueuePairState next) {
        SetQpState.Path path = (change.mask() & QueuePairAttributes.PATH) == 0 ? SetQpState.Path.NONE
                : paths.to(change.path(), attributes.port(), number(), change.peer());
        return new SetQpState(home.adapter(), made.handle(), change.mask() | QpAttribute.STATE, next.ordinal(),
                SetQpState.mtuCode(change.mtu()), change.receivePsn(), change.sendPsn(), change.peer(), change.inboundReads(),
                change.retries(), change.rnrRetries(), change.rnrTimer(), 0, path, 0, change.access(),
                change.ackTimeout(), change.outboundReads());
    }

    private SetQpState toError() {
        return request(QueuePairAttributes.to(QueuePairState.ERR), QueuePairState.ERR);
    }

    private void reset(SetQpState request) {
        boolean entered = sendGate.change();
        try {
            if (!entered || !receiveGate.change()) {
                throw outside(entered ? receiveGate : sendGate, "posts to");
            }
            try {
                home.client().call(request);
                sendGate.begin();
                receiveGate.begin();
                sendQueue.forget(this, () -> {
                    sends.begin();
                    sendSide.begin();
                });
                receiveQueue.forget(this, () -> {
                    receives.begin();
                    receiveSide.begin();
                });
                sendQueue.recovers(this);
                receiveQueue.recovers(this);
                quiet = false;
                attributes = new QueuePairAttributes();
                state = QueuePairState.RESET;
            } finally {
                receiveGate.leave();
            }
        } finally {
            if (entered) {
                sendGate.leave();
            }
        }
    }

    // ---- failures; on the thread that polls one of its completion queues

    /** The device has told of an error and carries nothing out any more. */
    void failed(int error) {
        if (enterError()) {
            VendorError known = VendorError.of(error);
            if (known != VendorError.FLUSHED) {
                home.tell(new AsyncEvent(AsyncEvent.Type.QP_FATAL, number(), who() + " has failed with error 0x"
                        + Integer.toHexString(error) + (known == null ? "." : ", by the rule that " + known.rule() + "; "
                        + known.right() + ".")));
            }
        }
    }

    /** The device has said what cannot be: what is under way comes back, and nothing more is posted. */
    void broken(String why) {
        sendSide.fail();
        receiveSide.fail();
        if (enterError()) {
            home.tell(new AsyncEvent(AsyncEvent.Type.QP_FATAL, number(), who() + " is given up: " + why
                    + ". Reset the queue pair; if it happens again, the adapter."));
        }
    }

    /** The device has told by an event that it has failed. Any thread. */
    public void fatal() {
        if (enterError()) {
            home.tell(new AsyncEvent(AsyncEvent.Type.QP_FATAL, number(), who() + " has failed, says its device."));
        }
    }

    private boolean enterError() {
        synchronized (sendGate) {
            if (state == QueuePairState.ERR) {
                sendQueue.fails(sendSide);
                receiveQueue.fails(receiveSide);
                return false;
            }
            state = QueuePairState.ERR;
        }
        sendQueue.fails(sendSide);
        receiveQueue.fails(receiveSide);
        home.soon(this::follow);
        return true;
    }

    /** Has the device know that it has failed. */
    private void follow() {
        if (home.enter()) {
            try {
                synchronized (lock) {
                    tellError();
                }
            } finally {
                home.leave();
            }
        }
    }

    private void tellError() {
        if (state == QueuePairState.ERR && !closed) {
            try {
                home.client().call(toError());
            } finally {
                calms();
            }
        }
    }

    private void calms() {
        quiet = true;
        sendQueue.fails(sendSide);
        receiveQueue.fails(receiveSide);
        sendQueue.signal();
        receiveQueue.signal();
    }

    boolean isQuiet() {
        return quiet;
    }

    // ---- the end

    /** The device has gone: returns with no thread in the memory of the device any more, false if one stays there. */
    public boolean end() {
        state = QueuePairState.ERR;
        boolean sendsLeft = sendGate.end();
        return receiveGate.end() && sendsLeft;
    }

    /** Has the device forget it; its memory goes then. */
    public DestroyRcQp farewell() {
        return new DestroyRcQp(home.adapter(), made.handle());
    }

    /** What it lies in. */
    public List<DmaPiece> memory() {
        return memory;
    }

    @Override
    public void close() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
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
            home.client().callQuietly(List.of(farewell()));
        } finally {
            sendQueue.detach(this);
            receiveQueue.detach(this);
            if (left) {
                home.free(memory);
            }
        }
    }
}
