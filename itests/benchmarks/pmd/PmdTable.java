package io.manafold.benchmark;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Figures for people and for programs. */
final class PmdTable {
    private static final String ROW = "%-7s %7s %5s %6s %5s %8s %6s %6s %6s  %-10s %6s %5s %5s %7s%n";
    private static final int[] RATES = {10, 25, 50, 100, 200};
    /** Preamble, gap and check sequence, which a wire carries with each frame. */
    private static final int ON_WIRE = 24;

    private PmdTable() {
    }

    static void head() {
        System.out.printf(ROW, "MODE", "THREADS", "FRAME", "QUEUES", "BURST", "Mpkt/s/c", "NS/PKT", "BYTES", "EMPTY",
                "PEER", "NS/PKT", "RATIO", "PAIRS", "CORE-NS");
    }

    /** @param emptyTurn nanoseconds of a turn that finds nothing */
    static void print(Figures<PmdCase> line, double emptyTurn) {
        PmdCase what = line.what;
        System.out.printf(Locale.ROOT, ROW, what.mode(), what.threads(), what.frame(), what.queues(), what.burst(),
                text("%.2f", perCore(line), "-"), text("%.1f", line.nanos(), "-"), text("%.3f", line.bytes(), "-"),
                text("%.1f", emptyTurn, "-"), line.rival.name(), text("%.1f", line.rivalNanos(), "-"),
                text("%.2f", line.ratio(), "-"), line.pairs() + "/" + (line.pairs() + line.dropped()),
                text("%.0f", line.trip(), "-"));
    }

    /** Million packets a second for each processor that is at it. */
    private static double perCore(Figures<PmdCase> line) {
        return 1000 / line.nanos() / line.what.threads();
    }

    /** How many processors a line rate takes, at the largest burst of one thread that was measured. */
    static void rates(List<Figures<PmdCase>> lines) {
        int most = lines.stream().mapToInt(line -> line.what.burst()).max().orElse(0);
        List<Figures<PmdCase>> best = lines.stream().filter(line -> line.what.oneThread() && line.what.burst() == most
                && line.what.queues() == 1 && line.what.mode() == PmdCase.Mode.TXONLY && line.pairs() > 0).toList();
        if (best.isEmpty()) {
            return;
        }
        System.out.printf("%nProcessors that a line rate takes, in Gbit/s:%n%6s", "FRAME");
        for (int rate : RATES) {
            System.out.printf("%6d", rate);
        }
        System.out.println();
        int last = 0;
        for (Figures<PmdCase> line : best) {
            if (line.what.frame() == last) {
                continue;
            }
            last = line.what.frame();
            System.out.printf("%6d", last);
            for (int rate : RATES) {
                double packets = rate * 1e9 / 8 / (last + ON_WIRE);
                System.out.printf(Locale.ROOT, "%6.1f", packets * line.nanos() / 1e9);
            }
            System.out.println();
        }
    }

    static void json(List<Figures<PmdCase>> lines, Map<PmdCase, Double> emptyTurns) {
        StringBuilder out = new StringBuilder("[");
        for (Figures<PmdCase> line : lines) {
            PmdCase what = line.what;
            out.append(out.length() > 1 ? ",\n" : "").append(String.format(Locale.ROOT,
                    "{\"mode\":\"%s\",\"threads\":%d,\"frame\":%d,\"queues\":%d,\"burst\":%d,\"mpps_per_core\":%s,"
                    + "\"ns_per_packet\":%s,\"bytes_per_packet\":%s,\"empty_turn_ns\":%s,\"peer\":\"%s\","
                    + "\"peer_absent\":%s,"
                    + "\"peer_ns_per_packet\":%s,\"ratio_to_peer\":%s,\"pairs\":%d,\"pairs_dropped\":%d,"
                    + "\"core_to_core_ns\":%s}", what.mode(), what.threads(), what.frame(), what.queues(), what.burst(),
                    text("%.3f", perCore(line), "null"), text("%.2f", line.nanos(), "null"),
                    text("%.4f", line.bytes(), "null"), text("%.1f", emptyTurns.get(what), "null"),
                    line.rival.name(), line.rival.absence().isEmpty() ? "null" : '"' + line.rival.absence() + '"',
                    text("%.2f", line.rivalNanos(), "null"), text("%.3f", line.ratio(),
                            "null"), line.pairs(), line.dropped(), text("%.1f", line.trip(), "null")));
        }
        System.out.println(out.append("]"));
    }

    private static String text(String format, double value, String none) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : none;
    }
}
