package io.manafold.benchmark;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What was measured, for people and for programs. */
final class CarrierTable {
    private static final String LINE = "%-14s %-14s %8s %8s %7s %9s %9s %9s %9s %7s %7s %7s %8s%n";

    private CarrierTable() {
    }

    static void head() {
        System.out.printf(LINE, "CASE", "BESIDE", "CPU-S/GB", "PEER", "RATIO", "TX-CALLS", "PEER", "RX-CALLS", "PEER",
                "P50-US", "PEER", "RATIO", "BYTES");
    }

    static void print(CarrierFigures line) {
        System.out.printf(LINE, line.what, line.peer, number(line.cpu(true), 3), number(line.cpu(false), 3),
                number(line.cpuRatio(), 2), number(line.sends(true), 2), number(line.sends(false), 2),
                number(line.receives(true), 2), number(line.receives(false), 2), number(line.p50(true), 1),
                number(line.p50(false), 1), number(line.p50Ratio(), 2), line.allocated());
    }

    private static String number(double value, int digits) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    private static String json(double value) {
        return Double.isNaN(value) ? "null" : String.format(Locale.ROOT, "%.4f", value);
    }

    static void json(List<CarrierFigures> lines) {
        System.out.println(lines.stream().map(CarrierTable::object).collect(Collectors.joining(",\n ", "[", "]")));
    }

    private static String object(CarrierFigures line) {
        return String.format(Locale.ROOT, "{\"case\": \"%s\", \"message\": %d, \"ours\": \"%s\", \"peer\": \"%s\", "
                + "\"cpu_s_per_gb\": %s, \"peer_cpu_s_per_gb\": %s, \"cpu_ratio\": %s, \"gb_per_s\": %s, "
                + "\"peer_gb_per_s\": %s, \"syscalls_per_mb_tx\": %s, \"peer_syscalls_per_mb_tx\": %s, "
                + "\"syscalls_per_mb_rx\": %s, \"peer_syscalls_per_mb_rx\": %s, \"p50_us\": %s, \"peer_p50_us\": %s, "
                + "\"p50_ratio\": %s, \"allocated_bytes\": %d}", line.what, line.what.bytes(), line.ours, line.peer,
                json(line.cpu(true)), json(line.cpu(false)), json(line.cpuRatio()), json(line.gigabytes(true)),
                json(line.gigabytes(false)), json(line.sends(true)), json(line.sends(false)), json(line.receives(true)),
                json(line.receives(false)), json(line.p50(true)), json(line.p50(false)), json(line.p50Ratio()),
                line.allocated());
    }
}
