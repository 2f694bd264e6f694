package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.pmd.internal.queue.ReceiveCount;
import io.manafold.pmd.internal.queue.SendCount;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What a port over a pair counts: both ways together, and its virtual functions as they came and went. */
final class PairedCount {
    private final PairedQueues queues;
    private final LongSupplier missed;
    private final Supplier<PollDevice> function;
    private final LongAdder switches = new LongAdder();
    /** What virtual functions have counted that have gone. */
    private EthDevStatistics gone = EthDevStatistics.NONE;
    private final Map<String, Long> goneExtended = new LinkedHashMap<>();
    private EthDevStatistics base = EthDevStatistics.NONE;
    private Map<String, Long> extendedBase = Map.of();

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
        port.extendedStatistics().forEach((name, value) -> goneExtended.merge(name, value, Long::sum));
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
        extendedBase = extendedEver();
    }

    /** Those of the synthetic device's queues and of virtual functions have the names that the real net_netvsc has. */
    private Map<String, Long> extendedEver() {
        Map<String, Long> names = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(queues.everSends().size(), CounterNames.MOST_QUEUES); i++) {
            SendCount count = queues.everSends().get(i).count();
            names.put("tx_q" + i + "_good_packets", count.packets());
            names.put("tx_q" + i + "_good_bytes", count.bytes());
            names.put("tx_q" + i + "_errors", count.errors());
        }
        for (int i = 0; i < Math.min(queues.everReceives().size(), CounterNames.MOST_QUEUES); i++) {
            ReceiveCount count = queues.everReceives().get(i).count();
            names.put("rx_q" + i + "_good_packets", count.packets());
            names.put("rx_q" + i + "_good_bytes", count.bytes());
            names.put("rx_q" + i + "_errors", count.errors());
        }
        names.put("path_switches", switches.sum());
        Map<String, Long> fast = new LinkedHashMap<>();
        CounterNames.common(EthDevStatistics.NONE, fast);
        PollDevice there = function.get();
        Stream.of(goneExtended, there == null ? Map.<String, Long>of() : there.extendedStatistics())
                .forEach(some -> some.forEach((name, value) -> fast.merge(name, value, Long::sum)));
        fast.forEach((name, value) -> names.put("vf_" + name, value));
        return names;
    }

    synchronized Map<String, Long> extended() {
        Map<String, Long> names = new LinkedHashMap<>();
        CounterNames.common(statistics(), names);
        extendedEver().forEach((name, value) -> names.put(name, value - extendedBase.getOrDefault(name, 0L)));
        return names;
    }
}
