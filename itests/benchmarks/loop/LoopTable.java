package io.manafold.benchmark;

import java.util.List;
import java.util.Locale;

/** Figures for people and for programs. */
final class LoopTable {
    private static final String ROW = "%-7s %6s %6s %8s %4s %8s %8s %9s   %-10s %9s %6s %7s %8s %s%n";

    private LoopTable() {
    }

    static void head() {
        System.out.printf(ROW, "THREADS", "FRAME", "QUEUES", "ADAPTERS", "HASH", "Mpkt/s", "ns/pkt", "bytes/pkt",
                "PEER", "ns/pkt", "ratio", "pairs", "core-ns", "");
    }

    static void print(Figures<LoopCase> line) {
        LoopCase what = line.what;
        System.out.printf(Locale.ROOT, ROW, what.threads(), what.frame(), what.queues(),
                what.adapters(), what.hash() ? "yes" : "no", text("%.2f", line.millions(), "-"),
                text("%.1f", line.nanos(), "-"), text("%.3f", line.bytes(), "-"), line.rival.name(),
                text("%.1f", line.rivalNanos(), "-"), text("%.2f", line.ratio(), "-"),
                line.pairs() + "/" + (line.pairs() + line.dropped()), text("%.0f", line.trip(), "-"),
                line.rival.absence());
    }

    static void json(List<Figures<LoopCase>> lines) {
        StringBuilder out = new StringBuilder("[");
        for (Figures<LoopCase> line : lines) {
            LoopCase what = line.what;
            out.append(out.length() > 1 ? ",\n" : "").append(String.format(Locale.ROOT,
                    "{\"threads\":\"%s\",\"frame\":%d,\"queues\":%d,\"adapters\":%d,\"hash\":%b,\"mpps\":%s,"
                    + "\"ns_per_packet\":%s,\"bytes_per_packet\":%s,\"peer\":%s,\"peer_absent\":%s,"
                    + "\"peer_ns_per_packet\":%s,\"ratio_to_peer\":%s,\"pairs\":%d,\"pairs_dropped\":%d,"
                    + "\"core_to_core_ns\":%s}",
                    what.threads(), what.frame(), what.queues(), what.adapters(), what.hash(),
                    text("%.3f", line.millions(), "null"), text("%.2f", line.nanos(), "null"),
                    text("%.4f", line.bytes(), "null"), said(line.rival.name()), said(line.rival.absence()),
                    text("%.2f", line.rivalNanos(), "null"), text("%.3f", line.ratio(), "null"), line.pairs(),
                    line.dropped(), text("%.1f", line.trip(), "null")));
        }
        System.out.println(out.append("]"));
    }

    private static String said(String word) {
        return word.isEmpty() ? "null" : '"' + word + '"';
    }

    private static String text(String format, double value, String none) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : none;
    }
}
