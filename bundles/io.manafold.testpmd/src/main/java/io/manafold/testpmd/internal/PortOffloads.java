package io.manafold.testpmd.internal;

import java.util.Map;
import java.util.TreeMap;

/**
 * What ports are to do to packets in one direction, as bits of {@code Offload}: what options say for all, until a line
 * says it for one.
 */
final class PortOffloads {
    private final Map<Integer, Long> ofPorts = new TreeMap<>();
    private long ofAll;

    void addForAll(long bits) {
        ofAll |= bits;
        ofPorts.replaceAll((_, own) -> own | bits);
    }

    long of(int port) {
        return ofPorts.getOrDefault(port, ofAll);
    }

    void set(int port, long bit, boolean on) {
        ofPorts.put(port, on ? of(port) | bit : of(port) & ~bit);
    }

    void renumber(int before, int now) {
        Long own = ofPorts.remove(before);
        if (own != null) {
            ofPorts.put(now, own);
        }
    }
}
