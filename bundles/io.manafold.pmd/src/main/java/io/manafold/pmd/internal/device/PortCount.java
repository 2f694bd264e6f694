package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.pmd.internal.queue.ReceiveSlot;
import io.manafold.pmd.internal.queue.SendSlot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** What a port counts, by the names that poll-mode users know, from the last reset on. */
final class PortCount {
    private final List<SendSlot> sends;
    private final List<ReceiveSlot> receives;
    private final LongSupplier missed;
    private EthDevStatistics base = EthDevStatistics.NONE;
    private Map<String, Long> extendedBase = Map.of();

    /** @param missed packets for which no buffer was posted */
    PortCount(List<SendSlot> sends, List<ReceiveSlot> receives, LongSupplier missed) {
        this.sends = sends;
        this.receives = receives;
        this.missed = missed;
    }

    private EthDevStatistics ever() {
        long sent = 0;
        long sentBytes = 0;
        long sendErrors = 0;
        for (SendSlot slot : sends) {
            sent += slot.count().packets();
            sentBytes += slot.count().bytes();
            sendErrors += slot.count().errors();
        }
        long received = 0;
        long receivedBytes = 0;
        long receiveErrors = 0;
        long noBuffers = 0;
        for (ReceiveSlot slot : receives) {
            received += slot.count().packets();
            receivedBytes += slot.count().bytes();
            receiveErrors += slot.count().errors();
            noBuffers += slot.count().noBuffers();
        }
        return new EthDevStatistics(received, receivedBytes, sent, sentBytes, missed.getAsLong(), receiveErrors,
                sendErrors, noBuffers);
    }

    synchronized EthDevStatistics statistics() {
        return ever().since(base);
    }

    private Map<String, Long> extended(EthDevStatistics all) {
        Map<String, Long> names = new LinkedHashMap<>();
        CounterNames.common(all, names);
        for (int i = 0; i < Math.min(receives.size(), CounterNames.MOST_QUEUES); i++) {
            names.put("rx_q" + i + "_packets", receives.get(i).count().packets());
            names.put("rx_q" + i + "_bytes", receives.get(i).count().bytes());
            names.put("rx_q" + i + "_errors", receives.get(i).count().errors());
        }
        for (int i = 0; i < Math.min(sends.size(), CounterNames.MOST_QUEUES); i++) {
            names.put("tx_q" + i + "_packets", sends.get(i).count().packets());
            names.put("tx_q" + i + "_bytes", sends.get(i).count().bytes());
        }
        return names;
    }

    synchronized Map<String, Long> extended() {
        Map<String, Long> names = extended(ever());
        names.replaceAll((name, value) -> value - extendedBase.getOrDefault(name, 0L));
        return names;
    }

    synchronized void reset() {
        base = ever();
        extendedBase = extended(base);
    }
}
