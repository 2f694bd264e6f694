package io.manafold.commands.sock.internal;

import java.util.List;

/**
 * What one way of carrying was seen to do. MB and GB are 10^6 and 10^9 bytes.
 *
 * @param cpuPerGb seconds of the whole process, both ends of the connections included
 * @param sendCalls system calls for each MB
 * @param copies how often a byte was copied on its way, as far as the endpoints' own counts tell
 * @param allocated bytes of Java's heap, by both ends, while it was measured
 * @param knobs that are not as with the classic socket, as they were got
 */
record Measured(double gbPerSecond, double cpuPerGb, double sendCalls, double receiveCalls, double copies,
        long allocated, double p50Micros, double p99Micros, List<String> knobs) {
    Measured {
        knobs = List.copyOf(knobs);
    }
}
