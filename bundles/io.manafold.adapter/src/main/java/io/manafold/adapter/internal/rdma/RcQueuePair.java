package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.MemoryKeys;
import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.gdma.QpState;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.message.RdmaCounter;
import io.manafold.gdma.message.RdmaDeviceCounter;
import io.manafold.roce.DcqcnSettings;
import io.manafold.roce.Opcode;
import io.manafold.roce.Packet;
import io.manafold.roce.Psn;
import java.lang.invoke.VarHandle;

/**
 * A queue pair with a reliable connection. {@link SendSide} turns the driver's requests into packets,
 * {@link ReceiveSide} carries out those of the peer; here is what both depend on: the state, the errors, whose turn it
 * is.
 */
public final class RcQueuePair extends QueuePair {
    /** Of the four queues, added to the numbers of each family. */
    public static final int RECEIVE_REQUESTER = 1;

    private final Trace trace = new Trace();
    private final SendSide sends;
    private final ReceiveSide receives;
    private QpSettings settings = QpSettings.NONE;
    /** Nothing more is told, since the memory to tell it in may be what has vanished; until the next reset. */
    private volatile boolean stopped;

    public RcQueuePair(RdmaEngine engine, int slot, MemoryKeys keys, int pd, RcRings rings,
            RdmaCompletions sendCompletions, RdmaCompletions receiveCompletions) {
        super(engine, QpNumber.of(slot), slot, keys, pd, sendCompletions, receiveCompletions);
        sends = new SendSide(this, rings.sends(), rings.landings());
        receives = new ReceiveSide(this, rings.receives());
    }

    Trace trace() {
        return trace;
    }

    QpSettings settings() {
        return settings;
    }

    @Override
    int priority() {
        return settings.path() == null ? 0 : settings.path().priority();
    }

    /** Bits a second that congestion leaves it, 0 if there is no limit. Any thread. */
    public long limit() {
        return sends.congestion().limit();
    }

    // ---- any thread

    @Override
    public void ringSends(int produced) {
        engine().counters().doorbells++;
        QpState now = state();
        if (now == QpState.READY_TO_SEND || now == QpState.SENDS_DRAINED || now == QpState.ERROR) {
            // while sends are drained it waits in the ring; after an error the driver is told of that
            sends.requests().ring(produced);
            engine().ready(this);
        } else {
            engine().counters().earlyDoorbells++;
        }
    }

    @Override
    public void ringReceives(int produced) {
        engine().counters().doorbells++;
        if (state() == QpState.RESET) {
            engine().counters().earlyDoorbells++;
            return;
        }
        receives.ring(produced);
        // the agent that fails the queue pair sees what was rung for, or this thread sees that it has failed
        VarHandle.fullFence();
        if (state() == QpState.ERROR) {
            engine().ready(this);
        }
    }

    /** A doorbell for the ring of places that what is read goes to. */
    public void ringLandings(int produced) {
        engine().counters().doorbells++;
        sends.requests().ringLandings(produced);
    }

    /** The driver wants to be told when a packet is acknowledged. */
    public void arm(int psn) {
        engine().counters().doorbells++;
        sends.arm(psn & Psn.MASK);
        engine().ready(this);
    }

    @Override
    public RdmaQueuePair status() {
        QpSettings now = settings;
        Path path = now.path();
        return new RdmaQueuePair(number, "RC", state().label(), engine().name(), path == null ? null
                : path.destination(), path == null ? 0 : path.peer(), now.mtu(), sends.nextPsn(), sends.acknowledged(),
                receives.expectedPsn(), sends.inFlight(), sendCompletions.queue().id(), receiveCompletions.queue().id(),
                pd, sends.congestion().status());
    }

    /** What has become of its last requests; it outlives the queue pair. */
    public Traced traced() {
        return new Traced(status(), false, trace);
    }

    // ---- agent

    @Override
    void dcqcn(DcqcnSettings changed) {
        sends.congestion().settings(changed);
    }

    /**
     * Brings it from one state into another, with settings that hold from then on.
     *
     * @return false if it was in another state than that: it may have failed meanwhile
     */
    public boolean change(QpState before, QpState next, QpSettings with) {
        if (state() != before) {
            return false;
        }
        settings = with;
        switch (next) {
            case RESET -> {
                sends.reset();
                receives.reset();
                stopped = false;
                engine().wakeAt(this, Long.MAX_VALUE);
            }
            case READY_TO_RECEIVE -> {
                if (before == QpState.INIT) {
                    receives.start(with);
                }
            }
            case READY_TO_SEND -> {
                if (before == QpState.READY_TO_RECEIVE) {
                    sends.start(with);
                }
            }
            default -> { }
        }
        if (next == QpState.ERROR) {
            fail();
        } else {
            state(next);
        }
        return true;
    }

    /** Into the error state; what was posted on either side is flushed. */
    void fail() {
        if (state() == QpState.ERROR) {
            return;
        }
        state(QpState.ERROR);
        engine().wakeAt(this, Long.MAX_VALUE);
        flush();
    }

    private void flush() {
        sends.flush();
        receives.flush();
    }

    /** An error of the send side; the driver is told of one only. */
    void failSend(VendorError error, int psn, int opcode) {
        sends.tellError(error, psn, opcode);
        fail();
    }

    /** An error of the receive side; the driver is told of one only, and by an event if no receive can have it. */
    void failReceive(VendorError error, int psn, int opcode) {
        boolean told = receives.tellError(error, psn, opcode);
        fail();
        if (!told) {
            engine().untold(this);
        }
    }

    @Override
    boolean isThere() {
        return super.isThere() && sends.requests().isThere() && receives.isThere();
    }

    @Override
    void receive(Packet packet, ReceivedFrame arrival, long now) {
        QpState now0 = state();
        boolean open = now0 == QpState.READY_TO_RECEIVE || now0 == QpState.READY_TO_SEND
                || now0 == QpState.SENDS_DRAINED;
        if (!open || Opcode.hasDeth(packet.opcode)) {
            engine().counters().wrongState++;
            return;
        }
        if (!settings.path().isFrom(packet)) {
            engine().counters().foreignSource++;
            return;
        }
        if (packet.opcode == Opcode.CNP) {
            engine().counters().count(RdmaCounter.RECEIVED_CNPS);
            engine().counters().count(RdmaDeviceCounter.RECEIVED_CNP_COUNT);
            sends.congestion().congested(now);
            return;
        }
        if (packet.isCongestionMarked()) {
            receives.congestion(now);
        }
        if (Opcode.isRequest(packet.opcode)) {
            receives.receive(packet, arrival, now);
        } else if (now0 != QpState.READY_TO_RECEIVE) {
            sends.receive(packet, arrival, now);
        }
        if (receives.hasAnswer() || sends.hasWork()) {
            engine().turn(this);
        }
    }

    @Override
    boolean work(SendBatch out, int packets, long now) {
        int most = out.frames() + packets;
        boolean more = false;
        if (isOpen() || receives.isRefusing()) {
            // what was wrong is told to the peer before there is silence
            more = receives.answer(out, most);
        }
        if (state() == QpState.READY_TO_SEND || state() == QpState.SENDS_DRAINED) {
            more |= sends.send(out, most, now, state() == QpState.READY_TO_SEND);
        }
        if (isOpen()) {
            engine().wakeAt(this, sends.deadline());
        } else if (state() == QpState.ERROR && !stopped) {
            // what was posted since comes back as well: a driver may have learned of no error until then
            flush();
        }
        return more;
    }

    private boolean isOpen() {
        QpState now = state();
        return now == QpState.READY_TO_RECEIVE || now == QpState.READY_TO_SEND || now == QpState.SENDS_DRAINED;
    }

    @Override
    void expire(long now) {
        if (state() == QpState.READY_TO_SEND || state() == QpState.SENDS_DRAINED) {
            sends.expire(now);
        }
    }

    @Override
    void stop() {
        stopped = true;
        state(QpState.ERROR);
        engine().wakeAt(this, Long.MAX_VALUE);
    }
}
