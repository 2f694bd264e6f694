package io.manafold.failover.internal;

import io.manafold.api.net.Counter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What a pair counts; the names are those that Linux has for the synthetic device of a virtual machine. */
final class PairCounters {
    final LongAdder received = new LongAdder();
    final LongAdder receivedBytes = new LongAdder();
    final LongAdder multicast = new LongAdder();
    final LongAdder sent = new LongAdder();
    final LongAdder sentBytes = new LongAdder();
    /** Frames that found no room on their way up. */
    final LongAdder missed = new LongAdder();
    /** Packets that wanted work done which only a card does. */
    final LongAdder unfit = new LongAdder();
    final LongAdder noMemory = new LongAdder();
    /** How often the way out was full; the packets stayed the senders'. */
    final LongAdder noSpace = new LongAdder();
    final LongAdder vfReceived = new LongAdder();
    final LongAdder vfReceivedBytes = new LongAdder();
    final LongAdder vfSent = new LongAdder();
    final LongAdder vfSentBytes = new LongAdder();
    final LongAdder vfDropped = new LongAdder();
    /** How often packets changed their way. */
    final LongAdder switches = new LongAdder();

    List<Counter> all() {
        return List.of(of("rx_packets", received), of("rx_bytes", receivedBytes), of("tx_packets", sent),
                of("tx_bytes", sentBytes), of("tx_no_space", noSpace), of("tx_no_memory", noMemory),
                of("rx_no_memory", missed), of("vf_rx_packets", vfReceived), of("vf_rx_bytes", vfReceivedBytes),
                of("vf_tx_packets", vfSent), of("vf_tx_bytes", vfSentBytes), of("vf_tx_dropped", vfDropped),
                of("path_switches", switches));
    }

    private static Counter of(String name, LongAdder value) {
        return new Counter(name, value.sum());
    }

    Map<String, Long> totals() {
        Map<String, Long> totals = new LinkedHashMap<>();
        totals.put("rx_packets", received.sum() + vfReceived.sum());
        totals.put("rx_bytes", receivedBytes.sum() + vfReceivedBytes.sum());
        totals.put("rx_errors", 0L);
        totals.put("rx_dropped", 0L);
        totals.put("rx_missed", missed.sum());
        totals.put("rx_multicast", multicast.sum());
        totals.put("tx_packets", sent.sum() + vfSent.sum());
        totals.put("tx_bytes", sentBytes.sum() + vfSentBytes.sum());
        totals.put("tx_errors", unfit.sum());
        totals.put("tx_dropped", noMemory.sum() + vfDropped.sum());
        return totals;
    }
}
