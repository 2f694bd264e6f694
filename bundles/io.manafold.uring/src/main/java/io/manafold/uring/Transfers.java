package io.manafold.uring;

import io.manafold.api.refusal.Refusal;
import io.manafold.linux.SystemCallException;
import io.manafold.memory.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Tries each way of sending, receiving and accepting on one connection. */
final class Transfers {
    private static final int PIECE = RawMemory.PAGE;
    private static final int FLAGS = Request.NO_SIGNAL;
    private static final int BUFFERS = 4;
    private static final int RECEIVE_GROUP = 1;
    private static final int SEND_GROUP = 2;
    private static final int MICROS = 50;

    /** Takes what came of an operation: a result or a negative error number. */
    interface Outcome {
        void is(Operation operation, long result);
    }

    private final Trial trial;

    Transfers(Trial trial) {
        this.trial = trial;
    }

    void run(Outcome outcome) throws SystemCallException {
        long accepted = trial.connect(Request.acceptOnAndOn(trial.listener.number()));
        outcome.is(Operation.ACCEPT_MULTISHOT, accepted);
        if (accepted < 0) {
            long second = trial.accept(Request.accept(trial.listener.number()));
            if (second < 0) {
                // whose reason is that of all that needs a connection
                throw new SystemCallException("accept", (int) -second);
            }
        }
        // whole pages: what is registered is pinned by pages
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate((long) PIECE * (2 + BUFFERS), PIECE);
            send(outcome, memory.address());
            receive(outcome, memory.address(), memory.address() + 2L * PIECE);
            outcome.is(Operation.BUSY_POLL, trial.ring.busyPoll(MICROS));
        }
    }

    private void send(Outcome outcome, long from) {
        int socket = trial.client.number();
        outcome.is(Operation.SEND, drained(trial.once(Request.send(socket, FLAGS), from, PIECE)));
        outcome.is(Operation.SEND_ZERO_COPY, drained(trial.twice(Request.sendZeroCopy(socket, FLAGS), from, PIECE)));
        try (GatherList list = new GatherList(2)) {
            list.add(from, PIECE / 2);
            list.add(from + PIECE, PIECE / 2);
            outcome.is(Operation.SEND_GATHERED,
                    drained(trial.once(Request.sendGathered(socket, FLAGS), list.address(), 1)));
            outcome.is(Operation.SEND_GATHERED_ZERO_COPY,
                    drained(trial.twice(Request.sendGatheredZeroCopy(socket, FLAGS), list.address(), 1)));
            sendRegistered(outcome, from, list);
        }
        try (BufferRing buffers = new BufferRing(trial.ring, BUFFERS, SEND_GROUP)) {
            buffers.add(from, PIECE / 2, 0);
            buffers.add(from + PIECE, PIECE / 2, 1);
            buffers.publish();
            outcome.is(Operation.SEND_BUNDLE,
                    drained(trial.once(Request.sendBundle(socket, FLAGS | Request.ALL, SEND_GROUP), 0, 0)));
        } catch (Refusal refused) {
            outcome.is(Operation.SEND_BUNDLE, -refused.errno().number());
        }
    }

    private void sendRegistered(Outcome outcome, long from, GatherList list) {
        int socket = trial.client.number();
        try (BufferTable table = new BufferTable(trial.ring, 1)) {
            table.set(0, from, 2L * PIECE, 0);
            outcome.is(Operation.REGISTERED_BUFFERS, 0);
            outcome.is(Operation.SEND_REGISTERED,
                    drained(trial.once(Request.sendRegistered(socket, FLAGS, 0), from, PIECE)));
            outcome.is(Operation.SEND_ZERO_COPY_REGISTERED,
                    drained(trial.twice(Request.sendZeroCopyRegistered(socket, FLAGS, 0), from, PIECE)));
            outcome.is(Operation.SEND_GATHERED_ZERO_COPY_REGISTERED,
                    drained(trial.twice(Request.sendGatheredZeroCopyRegistered(socket, FLAGS, 0), list.address(), 1)));
        } catch (Refusal refused) {
            outcome.is(Operation.REGISTERED_BUFFERS, -refused.errno().number());
        }
    }

    /** Takes what was sent from the other end. */
    private long drained(long sent) {
        long left = sent;
        try (Arena arena = Arena.ofConfined()) {
            long room = arena.allocate(PIECE).address();
            while (left > 0) {
                long got = trial.once(Request.receive(trial.accepted().number(), 0), room, (int) Math.min(left, PIECE));
                if (got <= 0) {
                    return got;
                }
                left -= got;
            }
        }
        return sent;
    }

    private void receive(Outcome outcome, long from, long into) throws SystemCallException {
        int socket = trial.accepted().number();
        Request send = Request.send(trial.client.number(), FLAGS);
        trial.once(send, from, PIECE / 2);
        outcome.is(Operation.RECEIVE, trial.once(Request.receive(socket, 0), into, PIECE));
        try (BufferRing buffers = new BufferRing(trial.ring, BUFFERS, RECEIVE_GROUP)) {
            for (int i = 0; i < BUFFERS; i++) {
                buffers.add(into + (long) i * PIECE, PIECE, i);
            }
            buffers.publish();
            trial.once(send, from, PIECE);
            outcome.is(Operation.RECEIVE_BUNDLE,
                    trial.once(Request.receiveFromGroup(socket, RECEIVE_GROUP, true), 0, 0));
            trial.once(send, from, PIECE);
            outcome.is(Operation.RECEIVE_MULTISHOT,
                    trial.once(Request.receiveOnAndOn(socket, RECEIVE_GROUP, false), 0, 0));
            trial.once(Request.cancelAll(socket), 0, 0);
        } catch (Refusal refused) {
            outcome.is(Operation.RECEIVE_BUNDLE, -refused.errno().number());
            outcome.is(Operation.RECEIVE_MULTISHOT, -refused.errno().number());
        }
    }
}
