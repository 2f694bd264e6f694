package io.manafold.adapter.internal.rdma;

import io.manafold.gdma.message.RdmaCounter;
import io.manafold.gdma.message.RdmaDeviceCounter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counters of a port's RDMA traffic. The agent counts, any thread reads; it may see some a moment later than others.
 */
public final class RdmaCounters {
    private final long[] values = new long[RdmaCounter.values().length];
    private final long[] device = new long[RdmaDeviceCounter.values().length];
    /** Packets that were taken and dropped, by what was wrong with them. */
    long badIcrc;
    long malformed;
    long unknownQueuePair;
    long foreignSource;
    long wrongState;
    long noRoom;
    /** Packets between queue pairs of the same port. */
    long hairpin;
    /** Doorbells of reliable queue pairs; any thread, so one of several at the same time may be missed. */
    long doorbells;
    /** Doorbells of queue pairs that were not in a state for it. */
    long earlyDoorbells;

    void sent(int bytes) {
        values[RdmaCounter.TX_PACKETS.ordinal()]++;
        values[RdmaCounter.TX_BYTES.ordinal()] += bytes;
    }

    void received(int bytes) {
        values[RdmaCounter.RX_PACKETS.ordinal()]++;
        values[RdmaCounter.RX_BYTES.ordinal()] += bytes;
    }

    /** A queue pair has failed without a completion; any thread, so one of several at the same time may be missed. */
    void fatal() {
        values[RdmaCounter.TOTAL_FATAL_ERROR.ordinal()]++;
    }

    void count(RdmaCounter counter) {
        values[counter.ordinal()]++;
    }

    void add(RdmaCounter counter, long more) {
        values[counter.ordinal()] += more;
    }

    void count(RdmaDeviceCounter counter) {
        device[counter.ordinal()]++;
    }

    void add(RdmaDeviceCounter counter, long more) {
        device[counter.ordinal()] += more;
    }

    /** Adds each counter at its {@link RdmaCounter#ordinal}. */
    public void addTo(long[] sums) {
        for (int i = 0; i < values.length; i++) {
            sums[i] += values[i];
        }
    }

    /** Adds each counter at its {@link RdmaDeviceCounter#ordinal}. */
    public void addDeviceTo(long[] sums) {
        for (int i = 0; i < device.length; i++) {
            sums[i] += device[i];
        }
    }

    public long get(RdmaCounter counter) {
        return values[counter.ordinal()];
    }

    /** All of them by name: the two of the contract, then what it has no counter for. */
    public Map<String, Long> all() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (RdmaCounter counter : RdmaCounter.values()) {
            all.put(counter.label(), values[counter.ordinal()]);
        }
        for (RdmaDeviceCounter counter : RdmaDeviceCounter.values()) {
            all.put(counter.label(), device[counter.ordinal()]);
        }
        all.putAll(others());
        return all;
    }

    /** What the contract has no counter for, by name. */
    public Map<String, Long> others() {
        Map<String, Long> others = new LinkedHashMap<>();
        others.put("rdma_bad_icrc", badIcrc);
        others.put("rdma_malformed", malformed);
        others.put("rdma_unknown_qp", unknownQueuePair);
        others.put("rdma_foreign_source", foreignSource);
        others.put("rdma_wrong_state", wrongState);
        others.put("rdma_no_room", noRoom);
        others.put("rdma_hairpin", hairpin);
        others.put("qp_doorbells", doorbells);
        others.put("rdma_early_doorbells", earlyDoorbells);
        return others;
    }
}
