package io.manafold.benchmark;

import java.util.List;

/**
 * What is measured.
 *
 * @param bytes of a message
 * @param echo whether each message comes back before the next one leaves; else they are a stream
 * @param spins whether who waits looks again and again
 * @param connections how many carry it at the same time
 */
public record TcpCase(int bytes, boolean echo, boolean spins, int connections) {
    TcpCase(int bytes, boolean echo, boolean spins) {
        this(bytes, echo, spins, 1);
    }

    static List<TcpCase> all() {
        return List.of(new TcpCase(4 << 10, false, false), new TcpCase(64 << 10, false, false),
                new TcpCase(1 << 20, false, false), new TcpCase(64, true, true), new TcpCase(64, true, false),
                new TcpCase(64, true, false, 100), new TcpCase(64, true, false, 1000));
    }

    /** How many messages are posted together at most. */
    int burst() {
        return Math.clamp((1 << 20) / bytes, 2, 64);
    }

    @Override
    public String toString() {
        return connections > 1 ? "echo-" + connections + "," + bytes
                : (echo ? spins ? "echo-spin" : "echo-sleep" : "stream") + "," + bytes;
    }
}
