package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.QpAttribute;
import io.manafold.gdma.message.SetQpState;

/**
 * Which states of a reliable connection follow each other, which attributes belong to each step, and what values they
 * have.
 */
final class Transitions {
    private static final int TO_INIT = QueuePairAttributes.PARTITION | QueuePairAttributes.PORT
            | QueuePairAttributes.ACCESS;
    private static final int TO_RECEIVE = QueuePairAttributes.PATH | QueuePairAttributes.MTU | QueuePairAttributes.PEER
            | QueuePairAttributes.RECEIVE_PSN | QueuePairAttributes.INBOUND_READS | QueuePairAttributes.RNR_TIMER;
    private static final int TO_SEND = QueuePairAttributes.ACK_TIMEOUT | QueuePairAttributes.RETRIES
            | QueuePairAttributes.RNR_RETRIES | QueuePairAttributes.SEND_PSN | QueuePairAttributes.OUTBOUND_READS;
    private static final int LATER = QueuePairAttributes.ACCESS | QueuePairAttributes.RNR_TIMER;
    private static final int RIGHTS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC;
    private static final int MOST_RETRIES = 7;
    private static final int MOST_TIMER = 31;
    private static final int MOST_PSN = 0xff_ffff;

    private Transitions() {
    }

    /** The state that a change leads to; refused if it cannot be made from this one. */
    static QueuePairState check(QueuePairState now, QueuePairAttributes change, DeviceAttributes limits, String who) {
        int mask = change.mask();
        QueuePairState next = (mask & QueuePairAttributes.STATE) == 0 ? now : change.state();
        int needed = 0;
        int allowed = QueuePairAttributes.STATE;
        switch (next) {
            case RESET, ERR -> {
                // from everywhere, with nothing else
            }
            case INIT -> {
                require(now == QueuePairState.RESET || now == QueuePairState.INIT, now, next, who);
                needed = now == QueuePairState.RESET ? TO_INIT : 0;
                allowed |= TO_INIT;
            }
            case RTR -> {
                require(now == QueuePairState.INIT, now, next, who);
                needed = TO_RECEIVE;
                allowed |= TO_RECEIVE | QueuePairAttributes.ACCESS | QueuePairAttributes.PARTITION;
            }
            case RTS -> {
                require(now == QueuePairState.RTR || now == QueuePairState.RTS, now, next, who);
                needed = now == QueuePairState.RTR ? TO_SEND : 0;
                allowed |= (now == QueuePairState.RTR ? TO_SEND : 0) | LATER;
            }
            case SQD -> throw new Refusal(Errno.EOPNOTSUPP, who + " cannot rest with its sends drained: nothing here "
                    + "asks for that; wait for the last completion instead.");
            default -> require(false, now, next, who);
        }
        int missing = needed & ~mask;
        if (missing != 0) {
            throw refused(who, "needs for " + next + " also: " + QpAttribute.names(missing)
                    + ". Set them in the same change");
        }
        int foreign = mask & ~allowed;
        if (foreign != 0) {
            throw refused(who, "does not take with " + next + ": " + QpAttribute.names(foreign) + ". Leave them out");
        }
        values(change, mask, limits, who);
        return next;
    }

    private static void values(QueuePairAttributes change, int mask, DeviceAttributes limits, String who) {
        inside(mask, QueuePairAttributes.PARTITION, change.partition(), 0, 0, who);
        inside(mask, QueuePairAttributes.PORT, change.port(), 1, limits.ports(), who);
        inside(mask, QueuePairAttributes.RETRIES, change.retries(), 0, MOST_RETRIES, who);
        inside(mask, QueuePairAttributes.RNR_RETRIES, change.rnrRetries(), 0, MOST_RETRIES, who);
        inside(mask, QueuePairAttributes.RNR_TIMER, change.rnrTimer(), 0, MOST_TIMER, who);
        inside(mask, QueuePairAttributes.ACK_TIMEOUT, change.ackTimeout(), 0, MOST_TIMER, who);
        inside(mask, QueuePairAttributes.RECEIVE_PSN, change.receivePsn(), 0, MOST_PSN, who);
        inside(mask, QueuePairAttributes.SEND_PSN, change.sendPsn(), 0, MOST_PSN, who);
        inside(mask, QueuePairAttributes.PEER, change.peer(), 0, MOST_PSN, who);
        inside(mask, QueuePairAttributes.INBOUND_READS, change.inboundReads(), 0, limits.maxInboundReads(), who);
        inside(mask, QueuePairAttributes.OUTBOUND_READS, change.outboundReads(), 0, limits.maxOutboundReads(), who);
        if ((mask & QueuePairAttributes.ACCESS) != 0 && (change.access() & ~RIGHTS) != 0) {
            throw refused(who, "has no such rights: 0x" + Integer.toHexString(change.access() & ~RIGHTS)
                    + ". Use those of Access, without zero-based");
        }
        if ((mask & QueuePairAttributes.MTU) != 0 && SetQpState.mtuBytes(SetQpState.mtuCode(change.mtu()))
                != change.mtu()) {
            throw refused(who, "has no path MTU of " + change.mtu() + " bytes. Choose 256, 512, 1024, 2048 or 4096");
        }
    }

    private static void inside(int mask, int bit, int value, int least, int most, String who) {
        if ((mask & bit) != 0 && (value < least || value > most)) {
            throw refused(who, "takes for " + QpAttribute.names(bit) + " numbers from " + least + " to " + most
                    + ", not " + value);
        }
    }

    private static void require(boolean follows, QueuePairState now, QueuePairState next, String who) {
        if (!follows) {
            throw refused(who, "does not go from " + now + " to " + next
                    + ". Go from RESET to INIT, RTR and RTS; to RESET and ERR from everywhere");
        }
    }

    private static Refusal refused(String who, String sentence) {
        return new Refusal(Errno.EINVAL, who + " " + sentence + ".");
    }
}
