package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.CompletionOpcode;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.driver.RcReceiveRing;
import io.manafold.memory.RawMemory;
import java.util.Map;

/** The receives of a queue pair and how they end: with a message, each in its turn, or with an error. */
final class ReceiveSide extends Side {
    private final RcReceiveRing ring;
    /** Messages that were received. The thread that polls counts; others may see some a moment later. */
    private long sends;

    ReceiveSide(RcQueuePair pair, RcReceiveRing ring) {
        super(pair);
        this.ring = ring;
    }

    @Override
    boolean take(long entry, int first, Completions into) {
        if (hasFailed()) {
            return true;
        }
        if (into.isFull()) {
            return false;
        }
        int type = RdmaCompletion.type(first);
        if (type == RdmaCompletion.ERROR) {
            oldestFails(RdmaCompletion.error(first), into);
            return true;
        }
        if (type < RdmaCompletion.SEND || type > RdmaCompletion.WRITE_WITH_IMMEDIATE) {
            pair().broken("the device tells of its receives by a completion of type " + type);
            return true;
        }
        int offset = RawMemory.get32(entry + RdmaCompletion.REQUEST_OFFSET);
        int length = RawMemory.get32(entry + RdmaCompletion.LENGTH);
        boolean written = type == RdmaCompletion.WRITE_WITH_IMMEDIATE;
        if (!ring.isOldest(offset)) {
            pair().broken("the device says that the receive at " + Integer.toUnsignedLong(offset)
                    + " got a message, which is not the one whose turn it is");
        } else if (length < 0 || !written && length > ring.length()) {
            pair().broken("the device says that a message of " + Integer.toUnsignedLong(length)
                    + " bytes came into a receive of " + ring.length());
        } else {
            into.add(ring.id(), pair().number(), CompletionStatus.SUCCESS,
                    written ? CompletionOpcode.RECV_RDMA_WITH_IMM : CompletionOpcode.RECV, length, 0);
            if (written || type == RdmaCompletion.SEND_WITH_IMMEDIATE) {
                into.immediateOfLast(RawMemory.get32(entry + RdmaCompletion.IMMEDIATE));
            }
            if (!written) {
                sends++;
            }
            ring.retire();
            pair().messageCame();
        }
        return true;
    }

    void addTo(Map<String, Long> counters) {
        counters.put("rx_send_requests", sends);
    }

    @Override
    boolean hasOldest() {
        return ring.hasOldest();
    }

    @Override
    long oldestId() {
        return ring.id();
    }

    @Override
    void dropOldest() {
        ring.retire();
    }

    @Override
    CompletionOpcode opcode() {
        return CompletionOpcode.RECV;
    }
}
