package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import java.util.Map;
import java.util.TreeMap;

/**
 * What ports are to do to packets in one direction, as bits of {@code Offload}: what options say for all, until a line
 * says it for one.
 */
final class PortOffloads {
    private final Map<String, Long> ofPorts = new TreeMap<>();
    private long ofAll;

    void addForAll(long bits) {
        ofAll |= bits;
        ofPorts.replaceAll((_, own) -> own | bits);
    }

    long of(EthDev port) {
        return ofPorts.getOrDefault(port.name(), ofAll);
    }

    void set(EthDev port, long bit, boolean on) {
        ofPorts.put(port.name(), on ? of(port) | bit : of(port) & ~bit);
    }

    void forget(EthDev port) {
        ofPorts.remove(port.name());
    }
}
