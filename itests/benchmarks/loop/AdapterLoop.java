package io.manafold.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Frames round and round through one adapter, as fast as one or two threads go, beside a program in C that does the
 * same work. The two take turns in short slices; what is quoted is the median, of the ratios too.
 */
public final class AdapterLoop {
    private static final int BURST = Integer.getInteger("burst", 32);
    private static final int ROUNDS = Integer.getInteger("rounds", 7);
    private static final long SLICE = Long.getLong("millis", 300);
    private static final String C = System.getProperty("peer", "");

    private AdapterLoop() {
    }

    /** One line of the table; of no peer the ratio is NaN. */
    private record Line(LoopCase what, double perSecond, double nanos, double bytes, double peerNanos, double ratio) {
    }

    public static void main(String[] arguments) throws Exception {
        boolean json = List.of(arguments).contains("--json");
        String only = System.getProperty("only", "");
        List<Line> lines = new ArrayList<>();
        if (!json) {
            System.out.printf("%-8s %6s %7s %9s %5s %9s %9s %9s %9s %9s%n", "THREADS", "FRAME", "QUEUES", "ADAPTERS",
                    "HASH", "Mpkt/s", "ns/pkt", "bytes/pkt", "C ns/pkt", "of C");
        }
        for (LoopCase what : cases()) {
            if (!only.isEmpty() && !only.equals(what.oneThread() + "," + what.frame() + "," + what.queues() + ","
                    + what.adapters() + "," + what.hash())) {
                continue;
            }
            Line line = measure(what);
            lines.add(line);
            if (!json) {
                print(line);
            }
        }
        if (json) {
            System.out.println(json(lines));
        }
    }

    private static List<LoopCase> cases() {
        List<LoopCase> all = new ArrayList<>();
        for (int frame : new int[] {64, 256, 1500, 9000}) {
            all.add(new LoopCase(true, frame, 1, 1, false));
        }
        for (int frame : new int[] {64, 256, 1500, 9000}) {
            all.add(new LoopCase(false, frame, 1, 1, false));
        }
        for (int queues : new int[] {1, 4, 16, 64}) {
            all.add(new LoopCase(true, 64, queues, 1, true));
        }
        for (int adapters : new int[] {4, 16}) {
            all.add(new LoopCase(true, 64, 1, adapters, false));
        }
        return all;
    }

    private static Line measure(LoopCase what) throws Exception {
        double[] rates = new double[ROUNDS];
        double[] nanos = new double[ROUNDS];
        double[] ratios = new double[ROUNDS];
        double[] peers = new double[ROUNDS];
        double bytes = Double.MAX_VALUE;
        boolean peer = !C.isEmpty() && what.oneThread();
        try (LoopLab lab = new LoopLab(what, BURST); Peer c = peer ? new Peer(what) : null) {
            LoopTraffic traffic = lab.traffic();
            // on one thread it is the agent's, while this one only waits
            long agent = Clock.thread("manafold-link-loop");
            long[] threads = what.oneThread() ? new long[] {agent}
                    : new long[] {agent, Thread.currentThread().threadId()};
            traffic.run(1_500_000_000L, what.oneThread());
            if (peer) {
                c.slice();
            }
            for (int round = 0; round < ROUNDS; round++) {
                long before = Clock.allocated(threads);
                traffic.run(SLICE * 1_000_000, what.oneThread());
                bytes = Math.min(bytes, (Clock.allocated(threads) - before) / (double) traffic.packets);
                rates[round] = traffic.packets * 1e3 / traffic.wallNanos;
                // others on the machine take time away, but not what the thread itself used
                nanos[round] = (what.oneThread() ? traffic.cpuNanos : traffic.wallNanos) / (double) traffic.packets;
                peers[round] = peer ? c.slice() : Double.NaN;
                ratios[round] = peers[round] / nanos[round];
            }
            if (!traffic.isComplete() || !lab.refused().isEmpty()) {
                throw new IllegalStateException(what + ": " + traffic + " " + lab.refused());
            }
        }
        return new Line(what, median(rates), median(nanos), bytes, median(peers), median(ratios));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static void print(Line line) {
        LoopCase what = line.what;
        System.out.printf(Locale.ROOT, "%-8s %6d %7d %9d %5s %9.2f %9.1f %9.3f %9s %9s%n",
                what.oneThread() ? "one" : "two", what.frame(), what.queues(), what.adapters(),
                what.hash() ? "yes" : "no", line.perSecond, line.nanos, line.bytes, text("%.1f", line.peerNanos, "-"),
                text("%.2f", line.ratio, "-"));
    }

    private static String json(List<Line> lines) {
        StringBuilder out = new StringBuilder("[");
        for (Line line : lines) {
            LoopCase what = line.what;
            out.append(out.length() > 1 ? ",\n" : "").append(String.format(Locale.ROOT,
                    "{\"threads\":%d,\"frame\":%d,\"queues\":%d,\"adapters\":%d,\"hash\":%b,\"mpps\":%.3f,"
                    + "\"ns_per_packet\":%.2f,\"bytes_per_packet\":%.4f,\"c_ns_per_packet\":%s,\"ratio_to_c\":%s}",
                    what.oneThread() ? 1 : 2, what.frame(), what.queues(), what.adapters(), what.hash(),
                    line.perSecond, line.nanos, line.bytes, text("%.2f", line.peerNanos, "null"),
                    text("%.3f", line.ratio, "null")));
        }
        return out.append("]").toString();
    }

    private static String text(String format, double value, String none) {
        return Double.isNaN(value) ? none : String.format(Locale.ROOT, format, value);
    }

    /** The program in C. */
    private static final class Peer implements AutoCloseable {
        private final Process process;
        private final PrintStream to;
        private final BufferedReader from;

        Peer(LoopCase what) throws IOException {
            process = new ProcessBuilder(C, "" + what.frame(), "" + what.queues(), "" + BURST,
                    what.hash() ? "1" : "0").redirectError(ProcessBuilder.Redirect.INHERIT).start();
            to = new PrintStream(process.getOutputStream(), true);
            from = new BufferedReader(new InputStreamReader(process.getInputStream()));
        }

        double slice() throws IOException {
            to.println(SLICE);
            String answer = from.readLine();
            if (answer == null) {
                throw new IllegalStateException("the program in C has ended");
            }
            String[] words = answer.split(" ");
            return Double.parseDouble(words[1]) / Double.parseDouble(words[0]);
        }

        @Override
        public void close() {
            to.close();
            process.destroy();
        }
    }
}
