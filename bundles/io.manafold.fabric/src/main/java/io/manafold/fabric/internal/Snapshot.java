package io.manafold.fabric.internal;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.LinkStatus;
import java.util.List;
import java.util.Map;

/** A link as it was found. */
record Snapshot(String name, String kind, List<PortStatus> ports, Impairments impairments, Map<String, Long> counters,
        Map<String, String> stations, List<String> problems) implements LinkStatus {
}
