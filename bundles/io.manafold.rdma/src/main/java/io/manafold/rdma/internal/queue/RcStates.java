package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.gdma.QpAttribute;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.message.SetQpState;
import java.util.ArrayList;
import java.util.List;

/** The states of a reliable connection's queue pair, by its user's will and by failures. */
final class RcStates {
    private final RcQueuePair pair;
    private final DeviceAttributes limits;
    private final Paths paths;
    /** Guards the states; not the pair itself, which users might hold. */
    private final Object lock = new Object();
    private QueuePairAttributes attributes = new QueuePairAttributes();
    private volatile QueuePairState state = QueuePairState.RESET;
    /** The device has said that it carries nothing out any more. */
    private volatile boolean quiet;
    /** It is in ERR since work came back flushed, which does not say that it has failed; guarded by the send gate. */
    private boolean unexplained;
    private boolean closed;

    /** @param paths what packets on a path carry */
    RcStates(RcQueuePair pair, DeviceAttributes limits, Paths paths) {
        this.pair = pair;
        this.limits = limits;
        this.paths = paths;
    }

    QueuePairState state() {
        return state;
    }

    QueuePairAttributes attributes() {
        synchronized (lock) {
            return new QueuePairAttributes().with(attributes).state(state);
        }
    }

    /** Whether the device carries nothing out any more. */
    boolean isQuiet() {
        return quiet;
    }

    /** Nothing is posted any more. */
    void end() {
        state = QueuePairState.ERR;
    }

    /** Its states change no more; false if it was closed already. */
    boolean close() {
        synchronized (lock) {
            boolean first = !closed;
            closed = true;
            return first;
        }
    }

    // ---- by the user

    void modify(QueuePairAttributes change) {
        synchronized (lock) {
            apply(change);
        }
    }

    /** Brings it to ERR once steps under way are done; not from RESET, where nothing can have been posted. */
    void fail() {
        synchronized (lock) {
            if (state != QueuePairState.RESET) {
                apply(QueuePairAttributes.to(QueuePairState.ERR));
            }
        }
    }

    private void apply(QueuePairAttributes change) {
        if (closed) {
            throw pair.closedAlready();
        }
        QueuePairState before = state;
        QueuePairState next = Transitions.check(before, change, limits, pair.who());
        SetQpState request = request(change, next, attributes.port());
        switch (next) {
            case RESET -> reset(request);
            case ERR -> {
                // no thread posts what would be lost
                state = QueuePairState.ERR;
                try {
                    pair.home.client().call(request);
                } finally {
                    // refused or not, nothing is posted any more, and what was comes back
                    calms();
                }
            }
            default -> {
                pair.home.client().call(request);
                done(change, before, next);
            }
        }
    }

    /**
     * Goes several steps towards RTS. The device is asked for all of them at once.
     *
     * @param meanwhile is done before the first answer is waited for
     */
    void advance(List<QueuePairAttributes> steps, Runnable meanwhile) {
        synchronized (lock) {
            if (closed) {
                throw pair.closedAlready();
            }
            List<QueuePairState> states = new ArrayList<>(List.of(state));
            List<SetQpState> requests = new ArrayList<>();
            QueuePairAttributes planned = new QueuePairAttributes().with(attributes);
            for (QueuePairAttributes step : steps) {
                QueuePairState next = Transitions.check(states.getLast(), step, limits, pair.who());
                planned.with(step);
                requests.add(request(step, next, planned.port()));
                states.add(next);
            }
            pair.home.client().callSteps(requests, meanwhile, i -> done(steps.get(i), states.get(i),
                    states.get(i + 1)));
        }
    }

    /** The device has done one of the steps towards RTS. */
    private void done(QueuePairAttributes change, QueuePairState before, QueuePairState next) {
        attributes.with(change);
        if (next == QueuePairState.RTS && before == QueuePairState.RTR) {
            pair.rings.sends().start(attributes.sendPsn(), attributes.mtu());
            pair.rings.sends().arm(attributes.sendPsn());
        }
        changed(before, next);
    }

    /** It may have failed meanwhile, which counts more. */
    private void changed(QueuePairState before, QueuePairState next) {
        synchronized (pair.sendGate) {
            if (state == before) {
                state = next;
            }
        }
    }

    private SetQpState request(QueuePairAttributes change, QueuePairState next, int port) {
        SetQpState.Path path = (change.mask() & QueuePairAttributes.PATH) == 0 ? SetQpState.Path.NONE
                : paths.to(change.path(), port, pair.number(), change.peer());
        return new SetQpState(pair.home.adapter(), pair.rings.made().handle(), change.mask() | QpAttribute.STATE,
                next.ordinal(), SetQpState.mtuCode(change.mtu()), change.receivePsn(), change.sendPsn(), change.peer(),
                change.inboundReads(), change.retries(), change.rnrRetries(), change.rnrTimer(), 0, path, 0,
                change.access(), change.ackTimeout(), change.outboundReads());
    }

    private SetQpState toError() {
        return request(QueuePairAttributes.to(QueuePairState.ERR), QueuePairState.ERR, attributes.port());
    }

    private void reset(SetQpState request) {
        boolean entered = pair.sendGate.change();
        try {
            if (!entered || !pair.receiveGate.change()) {
                throw pair.outside(entered ? pair.receiveGate : pair.sendGate, "posts to");
            }
            try {
                pair.home.client().call(request);
                pair.sendGate.begin();
                pair.receiveGate.begin();
                pair.sendQueue.forget(pair, () -> {
                    pair.rings.sends().begin();
                    pair.sendSide.begin();
                });
                pair.receiveQueue.forget(pair, () -> {
                    pair.rings.receives().begin();
                    pair.receiveSide.begin();
                });
                pair.sendQueue.recovers(pair);
                pair.receiveQueue.recovers(pair);
                quiet = false;
                synchronized (pair.sendGate) {
                    unexplained = false;
                }
                attributes = new QueuePairAttributes();
                state = QueuePairState.RESET;
            } finally {
                pair.receiveGate.leave();
            }
        } finally {
            if (entered) {
                pair.sendGate.leave();
            }
        }
    }

    // ---- failures; on the thread that polls one of its completion queues

    /** The device has told of an error and carries nothing out any more. */
    void failed(int error) {
        VendorError known = VendorError.of(error);
        if (enterError(known != VendorError.FLUSHED)) {
            pair.home.tell(new AsyncEvent(AsyncEvent.Type.QP_FATAL, pair.number(), pair.who()
                    + " has failed with error 0x" + Integer.toHexString(error)
                    + (known == null ? "." : ", by the rule that " + known.rule() + "; " + known.right() + ".")));
        }
    }

    /** The device has said what cannot be: what is under way comes back, and nothing more is posted. */
    void broken(String why) {
        pair.sendSide.fail();
        pair.receiveSide.fail();
        if (enterError(true)) {
            pair.home.tell(new AsyncEvent(AsyncEvent.Type.QP_FATAL, pair.number(), pair.who() + " is given up: " + why
                    + ". Reset the queue pair; if it happens again, the adapter."));
        }
    }

    /** The device has told by an event that it has failed. Any thread. */
    void fatal() {
        if (enterError(true)) {
            pair.home.tell(new AsyncEvent(AsyncEvent.Type.QP_FATAL, pair.number(), pair.who()
                    + " has failed, says its device."));
        }
    }

    /**
     * Into ERR, if it is not there.
     *
     * @param explained whether this says that it has failed
     * @return whether the user is to be told so: not again, and not of a state that the user has asked for
     */
    private boolean enterError(boolean explained) {
        boolean entered;
        boolean tells;
        synchronized (pair.sendGate) {
            entered = state != QueuePairState.ERR;
            state = QueuePairState.ERR;
            boolean open = entered || unexplained;
            tells = open && explained;
            unexplained = open && !explained;
        }
        pair.sendQueue.fails(pair.sendSide);
        pair.receiveQueue.fails(pair.receiveSide);
        if (entered) {
            pair.home.soon(this::follow);
        }
        return tells;
    }

    /** Has the device know that it has failed. */
    private void follow() {
        if (pair.home.enter()) {
            try {
                synchronized (lock) {
                    tellError();
                }
            } finally {
                pair.home.leave();
            }
        }
    }

    private void tellError() {
        if (state == QueuePairState.ERR && !closed) {
            try {
                pair.home.client().call(toError());
            } finally {
                calms();
            }
        }
    }

    private void calms() {
        quiet = true;
        pair.sendQueue.fails(pair.sendSide);
        pair.receiveQueue.fails(pair.receiveSide);
        pair.sendQueue.signal();
        pair.receiveQueue.signal();
    }
}
