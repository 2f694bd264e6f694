package io.manafold.benchmark;

import java.util.List;
import java.util.Locale;

/** Figures for people and for programs. */
final class DriverTable {
    private static final String ROW = "%7s %5s %5s %8s %6s %6s  %-10s %6s %5s %5s %7s%n";

    private DriverTable() {
    }

    static void head() {
        System.out.printf(ROW, "THREADS", "FRAME", "BATCH", "Mpkt/s/c", "NS/PKT", "BYTES", "PEER", "NS/PKT", "RATIO",
                "PAIRS", "CORE-NS");
    }

    static void print(Figures<DriverCase> line) {
        DriverCase what = line.what;
        System.out.printf(Locale.ROOT, ROW, what.threads(), what.frame(), what.batch(),
                text("%.2f", perCore(line), "-"), text("%.1f", line.nanos(), "-"), text("%.3f", line.bytes(), "-"),
                line.rival.name(), text("%.1f", line.rivalNanos(), "-"), text("%.2f", line.ratio(), "-"),
                line.pairs() + "/" + (line.pairs() + line.dropped()), text("%.0f", line.trip(), "-"));
    }

    /** What begins and how soon it is fast. */
    static void print(double millis) {
        System.out.printf(Locale.ROOT, "%n90 %% of the steady rate %.2f s after the start of the Java virtual "
                + "machine%n", millis / 1000);
    }

    /** How fast packets are with idle RDMA, as a part of how fast they are without. */
    static void printIdleRdma(List<Figures<DriverCase>> lines) {
        double[] ratios = lines.stream().filter(line -> line.rival.name().equals(IdleRdma.NAME))
                .mapToDouble(line -> 1 / line.ratio()).filter(Double::isFinite).sorted().toArray();
        if (ratios.length > 0) {
            double median = (ratios[(ratios.length - 1) / 2] + ratios[ratios.length / 2]) / 2;
            System.out.printf(Locale.ROOT, "with idle RDMA, in one thread: %.3f of the speed without "
                    + "(median of %d lines, least %.3f)%n", median, ratios.length, ratios[0]);
        }
    }

    /** Million packets a second for each processor that is at it. */
    private static double perCore(Figures<DriverCase> line) {
        return 1000 / line.nanos() / line.what.threads();
    }

    static void json(List<Figures<DriverCase>> lines, double start) {
        StringBuilder out = new StringBuilder("[");
        for (Figures<DriverCase> line : lines) {
            DriverCase what = line.what;
            out.append(out.length() > 1 ? ",\n" : "").append(String.format(Locale.ROOT,
                    "{\"threads\":%d,\"frame\":%d,\"batch\":%d,\"mpps_per_core\":%s,\"ns_per_packet\":%s,"
                    + "\"bytes_per_packet\":%s,\"peer\":\"%s\",\"peer_absent\":%s,\"peer_ns_per_packet\":%s,"
                    + "\"ratio_to_peer\":%s,\"pairs\":%d,\"pairs_dropped\":%d,\"core_to_core_ns\":%s}",
                    what.threads(), what.frame(), what.batch(), text("%.3f", perCore(line), "null"),
                    text("%.2f", line.nanos(), "null"), text("%.4f", line.bytes(), "null"), line.rival.name(),
                    line.rival.absence().isEmpty() ? "null" : '"' + line.rival.absence() + '"',
                    text("%.2f", line.rivalNanos(), "null"), text("%.3f", line.ratio(), "null"), line.pairs(),
                    line.dropped(), text("%.1f", line.trip(), "null")));
        }
        out.append(out.length() > 1 ? ",\n" : "").append("{\"start_to_90_percent_ms\":")
                .append(text("%.0f", start, "null")).append('}');
        System.out.println(out.append("]"));
    }

    private static String text(String format, double value, String none) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : none;
    }
}
