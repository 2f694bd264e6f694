package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.CompletionOpcode;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.driver.RcSendRing;
import io.manafold.memory.RawMemory;
import java.util.Map;

/** The requests of a queue pair and how they end: with a packet that the peer has acknowledged, or with an error. */
final class SendSide extends Side {
    private final RcSendRing ring;
    /** Requests that the peer has acknowledged. The thread that polls counts; others may see some a moment later. */
    private long sends;
    private long writes;
    private long reads;

    SendSide(RcQueuePair pair, RcSendRing ring) {
        super(pair);
        this.ring = ring;
    }

    @Override
    boolean take(long entry, int first, Completions into) {
        if (hasFailed()) {
            // what comes after an error is about what has come back already
            return true;
        }
        int packet = RdmaCompletion.number(RawMemory.get32(entry + RdmaCompletion.PSN));
        switch (RdmaCompletion.type(first)) {
            case RdmaCompletion.ACKNOWLEDGED -> {
                if (!ring.wasPosted(packet)) {
                    pair().broken("the device says that packet " + packet + " was acknowledged, which was never sent");
                } else if (!RdmaCompletion.acknowledges(RdmaCompletion.top(RawMemory.get32(entry
                        + RdmaCompletion.PROGRESS)))) {
                    pair().broken("the device says that packet " + packet
                            + " was acknowledged by what is no acknowledgement");
                } else if (retire(packet, into)) {
                    ring.armNext(packet);
                } else {
                    return false;
                }
                return true;
            }
            case RdmaCompletion.ERROR -> {
                if (!retire(packet - 1, into) || into.isFull()) {
                    return false;
                }
                oldestFails(RdmaCompletion.error(first), into);
                return true;
            }
            default -> {
                pair().broken("the device tells of its requests by a completion of type " + RdmaCompletion.type(first));
                return true;
            }
        }
    }

    /** All requests that end with this packet or before it. */
    private boolean retire(int packet, Completions into) {
        while (ring.isDone(packet)) {
            if (ring.isSignaled()) {
                if (into.isFull()) {
                    return false;
                }
                into.add(ring.id(), pair().number(), CompletionStatus.SUCCESS, opcode(), ring.length(), 0);
            }
            count();
            ring.retire();
        }
        return true;
    }

    private void count() {
        switch (ring.operation()) {
            case RdmaRequest.READ -> reads++;
            case RdmaRequest.WRITE, RdmaRequest.WRITE_WITH_IMMEDIATE -> writes++;
            default -> sends++;
        }
    }

    void addTo(Map<String, Long> counters) {
        counters.put("tx_send_requests", sends);
        counters.put("tx_write_requests", writes);
        counters.put("tx_read_requests", reads);
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
        ring.drop();
    }

    @Override
    CompletionOpcode opcode() {
        return switch (ring.operation()) {
            case RdmaRequest.READ -> CompletionOpcode.RDMA_READ;
            case RdmaRequest.WRITE, RdmaRequest.WRITE_WITH_IMMEDIATE -> CompletionOpcode.RDMA_WRITE;
            default -> CompletionOpcode.SEND;
        };
    }
}
