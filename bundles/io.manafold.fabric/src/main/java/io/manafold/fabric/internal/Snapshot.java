package io.manafold.fabric.internal;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.fabric.Queueing;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A link as it was found. */
record Snapshot(String name, String kind, List<PortStatus> ports, Impairments impairments, List<RuleStatus> rules,
        Optional<Queueing> queueing, List<QueueStatus> queues, Map<String, Long> counters,
        Map<String, String> stations, List<String> problems) implements LinkStatus {
}
