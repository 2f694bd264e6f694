package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevStatistics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What a port over a pair counts: both ways together, and its virtual functions as they came and went. */
final class PairedCount {
    private final PairedQueues queues;
    private final LongSupplier missed;
    private final Supplier<PollDevice> function;
    private final LongAdder switches = new LongAdder();
    /** What virtual functions have counted that have gone. */
    private EthDevStatistics gone = EthDevStatistics.NONE;
    private EthDevStatistics base = EthDevStatistics.NONE;
    private long switchesBase;

    /**
     * @param missed frames for which the synthetic device had no room
     * @param function the virtual function, or {@code null}
     */
    PairedCount(PairedQueues queues, LongSupplier missed, Supplier<PollDevice> function) {
        this.queues = queues;
        this.missed = missed;
        this.function = function;
    }

    void switched() {
        switches.increment();
    }

    /** A virtual function has gone with what it has counted. */
    synchronized void gone(PollDevice port) {
        gone = sum(gone, port.statistics());
    }

    private EthDevStatistics synthetic() {
        long sent = 0;
        long sentBytes = 0;
        long sendErrors = 0;
        for (var slot : queues.everSends()) {
            sent += slot.count().packets();
            sentBytes += slot.count().bytes();
            sendErrors += slot.count().errors();
        }
        long received = 0;
        long receivedBytes = 0;
        long receiveErrors = 0;
        long noBuffers = 0;
        for (var slot : queues.everReceives()) {
            received += slot.count().packets();
            receivedBytes += slot.count().bytes();
            receiveErrors += slot.count().errors();
            noBuffers += slot.count().noBuffers();
        }
        return new EthDevStatistics(received, receivedBytes, sent, sentBytes, missed.getAsLong(), receiveErrors,
                sendErrors, noBuffers);
    }

    private EthDevStatistics functions() {
        PollDevice there = function.get();
        return there == null ? gone : sum(gone, there.statistics());
    }

    private static EthDevStatistics sum(EthDevStatistics one, EthDevStatistics other) {
        return new EthDevStatistics(one.received() + other.received(), one.receivedBytes() + other.receivedBytes(),
                one.sent() + other.sent(), one.sentBytes() + other.sentBytes(), one.missed() + other.missed(),
                one.receiveErrors() + other.receiveErrors(), one.sendErrors() + other.sendErrors(),
                one.noBuffers() + other.noBuffers());
    }

    private EthDevStatistics ever() {
        return sum(synthetic(), functions());
    }

    synchronized EthDevStatistics statistics() {
        return ever().since(base);
    }

    synchronized void reset() {
        base = ever();
        switchesBase = switches.sum();
    }

    synchronized Map<String, Long> extended() {
        Map<String, Long> names = new LinkedHashMap<>();
        EthDevStatistics all = statistics();
        names.put("rx_good_packets", all.received());
        names.put("tx_good_packets", all.sent());
        names.put("rx_good_bytes", all.receivedBytes());
        names.put("tx_good_bytes", all.sentBytes());
        names.put("rx_missed_errors", all.missed());
        names.put("rx_errors", all.receiveErrors());
        names.put("tx_errors", all.sendErrors());
        names.put("rx_mbuf_allocation_errors", all.noBuffers());
        names.put("path_switches", switches.sum() - switchesBase);
        EthDevStatistics fast = functions();
        names.put("vf_rx_packets", fast.received());
        names.put("vf_rx_bytes", fast.receivedBytes());
        names.put("vf_tx_packets", fast.sent());
        names.put("vf_tx_bytes", fast.sentBytes());
        return names;
    }
}
