package io.manafold.adapter.internal;

import io.manafold.adapter.internal.rdma.GidTable;
import io.manafold.adapter.internal.rdma.QpSettings;
import io.manafold.gdma.QpAttribute;
import io.manafold.gdma.QpState;
import io.manafold.gdma.message.SetQpState;

/** Which states of queue pairs follow each other, and what a driver says on the way. */
final class QpTransitions {
    private static final long TO_RECEIVE = QpAttribute.PATH | QpAttribute.MTU | QpAttribute.PEER
            | QpAttribute.RECEIVE_PSN | QpAttribute.INBOUND_READS | QpAttribute.RNR_TIMER;
    private static final long TO_SEND = QpAttribute.ACK_TIMEOUT | QpAttribute.RETRIES | QpAttribute.RNR_RETRIES
            | QpAttribute.SEND_PSN | QpAttribute.OUTBOUND_READS;
    private static final int MOST_RETRIES = 7;
    private static final int MOST_TIMER = 31;

    private QpTransitions() {
    }

    /** The state that a message asks for; refused if it does not follow, or something it needs is not said. */
    static QpState next(QpState now, SetQpState asked, boolean connected) {
        QpState next = (asked.mask() & QpAttribute.STATE) == 0 ? now : QpState.of(asked.state());
        if (next == null) {
            throw CommandException.invalid("a state is a number from 0 to 6, not " + asked.state(),
                    "name one of those");
        }
        if (next == QpState.RESET || next == QpState.ERROR) {
            return next;
        }
        long needed = switch (next) {
            case INIT -> now == QpState.RESET
                    ? QpAttribute.PARTITION | (connected ? QpAttribute.PORT | QpAttribute.ACCESS
                    : QpAttribute.QUEUE_KEY)
                    : now == QpState.INIT ? 0 : -1;
            case READY_TO_RECEIVE -> now == QpState.INIT ? connected ? TO_RECEIVE : 0 : -1;
            case READY_TO_SEND -> now == QpState.READY_TO_RECEIVE ? connected ? TO_SEND : QpAttribute.SEND_PSN
                    : now == QpState.READY_TO_SEND || now == QpState.SENDS_DRAINED ? 0 : -1;
            case SENDS_DRAINED -> now == QpState.READY_TO_SEND || now == QpState.SENDS_DRAINED ? 0 : -1;
            default -> -1;
        };
        if (needed < 0) {
            throw CommandException.invalid("a queue pair does not go from " + now.label() + " to " + next.label(),
                    "go from RESET to INIT, RTR and RTS; to RESET and ERR from everywhere");
        }
        long missing = needed & ~asked.mask();
        if (missing != 0) {
            throw CommandException.invalid("to become " + next.label() + " a queue pair needs "
                    + QpAttribute.names(missing), "set them with the same message");
        }
        return next;
    }

    /** Whether the values of a reliable connection can be. */
    static void check(SetQpState asked, QpSettings settings, QpState next, GidTable gids) {
        long mask = asked.mask();
        if ((mask & QpAttribute.MTU) != 0 && SetQpState.mtuBytes(asked.mtu()) == 0) {
            throw CommandException.invalid("a path MTU is a code from 1 to 5, not " + asked.mtu(),
                    "use 1 for 256 to 5 for 4096 bytes");
        }
        if ((mask & QpAttribute.INBOUND_READS) != 0 && outside(asked.inboundReads(), RdmaClient.MOST_READS)) {
            throw CommandException.invalid("a queue pair answers at most " + RdmaClient.MOST_READS + " reads at a time",
                    "ask for fewer than " + Integer.toUnsignedLong(asked.inboundReads()));
        }
        if ((mask & QpAttribute.OUTBOUND_READS) != 0 && outside(asked.outboundReads(), RdmaClient.MOST_READS)) {
            throw CommandException.invalid("a queue pair asks at most " + RdmaClient.MOST_READS + " reads at a time",
                    "ask for fewer than " + asked.outboundReads());
        }
        if ((mask & QpAttribute.RETRIES) != 0 && outside(asked.retries(), MOST_RETRIES)
                || (mask & QpAttribute.RNR_RETRIES) != 0 && outside(asked.rnrRetries(), MOST_RETRIES)) {
            throw CommandException.invalid("retries are 0 to " + MOST_RETRIES, "choose a number in between");
        }
        if ((mask & QpAttribute.RNR_TIMER) != 0 && outside(asked.rnrTimer(), MOST_TIMER)
                || (mask & QpAttribute.ACK_TIMEOUT) != 0 && outside(asked.ackTimeout(), MOST_TIMER)) {
            throw CommandException.invalid("timers are codes from 0 to " + MOST_TIMER, "choose a code in between");
        }
        if ((mask & QpAttribute.PATH) != 0 && !gids.contains(asked.path().source().high(), asked.path().source()
                .low())) {
            throw CommandException.invalid("packets come from an address of the adapter, which " + asked.path().source()
                    + " is not", "add the address with configure-rdma-gid first");
        }
    }

    private static boolean outside(int value, int most) {
        return value < 0 || value > most;
    }
}
