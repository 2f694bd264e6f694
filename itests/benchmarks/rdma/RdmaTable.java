package io.manafold.benchmark;

import java.util.List;
import java.util.Locale;

/** Figures for people and for programs. */
final class RdmaTable {
    private static final String ROW = "%-8s %-4s %8s %5s %5s %-6s %9s %10s %8s %10s   %-8s %11s %6s %7s %8s %s%n";

    private RdmaTable() {
    }

    /** A line, and what is known of its case beside it. */
    record Line(Figures<RdmaCase> figures, double doorbells) {
    }

    static void head() {
        System.out.printf(ROW, "WHAT", "AT", "BYTES", "MTU", "PAIRS", "FROM", "GB/s", "ns/msg", "bells", "bytes/pkt",
                "PEER", "ns/msg", "ratio", "pairs", "core-ns", "");
    }

    static void print(Line line) {
        Figures<RdmaCase> of = line.figures();
        RdmaCase what = of.what;
        System.out.printf(Locale.ROOT, ROW, what.kind(), what.lent() ? "lent" : "here", what.bytes(), what.mtu(),
                what.pairs(), what.fromMemory() ? "memory" : "cache",
                text("%.2f", what.echo() || what.once() ? Double.NaN : gigabytes(of), "-"),
                text("%.0f", of.nanos(), "-"), text("%.3f", line.doorbells(), "-"), text("%.3f", perPacket(of), "-"),
                of.rival.name(), text("%.0f", of.rivalNanos(), "-"), text("%.2f", of.ratio(), "-"), of.pairs() + "/"
                + (of.pairs() + of.dropped()), text("%.0f", of.trip(), "-"), of.rival.absence());
    }

    private static double gigabytes(Figures<RdmaCase> of) {
        return of.what.bytes() / of.nanos();
    }

    private static double perPacket(Figures<RdmaCase> of) {
        return of.bytes() / of.what.packets();
    }

    static void json(List<Line> lines) {
        StringBuilder out = new StringBuilder("[");
        for (Line line : lines) {
            Figures<RdmaCase> of = line.figures();
            RdmaCase what = of.what;
            out.append(out.length() > 1 ? ",\n" : "").append(String.format(Locale.ROOT,
                    "{\"what\":\"%s\",\"echo\":%b,\"bytes\":%d,\"mtu\":%d,\"queue_pairs\":%d,\"from_memory\":%b,"
                    + "\"lent\":%b,\"ns_per_message\":%s,\"doorbells_per_message\":%s,\"allocated_per_packet\":%s,"
                    + "\"peer\":\"%s\",\"peer_absent\":%s,\"peer_ns_per_message\":%s,\"ratio_to_peer\":%s,\"pairs\":%d,"
                    + "\"pairs_dropped\":%d,\"core_to_core_ns\":%s}",
                    what.kind(), what.echo(), what.bytes(), what.mtu(), what.pairs(), what.fromMemory(), what.lent(),
                    text("%.2f", of.nanos(), "null"), text("%.4f", line.doorbells(), "null"),
                    text("%.4f", perPacket(of), "null"), of.rival.name(),
                    of.rival.absence().isEmpty() ? "null" : '"' + of.rival.absence() + '"',
                    text("%.2f", of.rivalNanos(), "null"), text("%.3f", of.ratio(), "null"), of.pairs(), of.dropped(),
                    text("%.1f", of.trip(), "null")));
        }
        System.out.println(out.append("]"));
    }

    private static String text(String format, double value, String none) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : none;
    }
}
