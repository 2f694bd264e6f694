package io.manafold.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How well the adapter keeps what it was asked to keep: ceilings beside those of the kernel's queueing disciplines, shares
 * by weight, and what a packet costs when there are very many shapers.
 */
public final class Shaping {
    private static final long NANOS = Long.getLong("millis", 1000) * 1_000_000;
    private static final long MOMENT = 100_000_000;
    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    private static final List<Long> RATES = megabits(System.getProperty("rates", "10,100,1000,10000,25000,100000"));
    private static final List<Long> KERNEL_RATES = megabits(System.getProperty("kernel", "10,100,1000"));
    private static final int MANY = Integer.getInteger("many", 10_000);
    private static final int USUAL = 1514;
    private static final int LARGE = 9014;
    /** From here on a frame takes as long as a thread needs for one, so larger ones are sent. */
    private static final long FAST = 20_000_000_000L;

    private final List<String> json = new ArrayList<>();
    private final boolean table;

    private Shaping(boolean table) {
        this.table = table;
    }

    private static List<Long> megabits(String text) {
        return text.isEmpty() ? List.of() : Stream.of(text.split(",")).map(one -> Long.parseLong(one) * 1_000_000)
                .toList();
    }

    public static void main(String[] arguments) throws Exception {
        Shaping shaping = new Shaping(!List.of(arguments).contains("--json"));
        shaping.ceilings();
        shaping.kernel();
        shaping.shares();
        shaping.many();
        if (!shaping.table) {
            System.out.println("[" + String.join(",\n", shaping.json) + "]");
        }
    }

    private void say(String format, Object... values) {
        if (table) {
            System.out.printf(Locale.ROOT, format, values);
        }
    }

    private void ceilings() throws Exception {
        say("%-9s %9s %6s %10s %8s %8s %7s%n", "SHAPER", "Mbit/s", "FRAME", "ERROR %", "CV 1ms", "PEAK", "CPU %");
        for (int frame : new int[] {USUAL, LARGE}) {
            List<Long> rates = RATES.stream().filter(rate -> rate >= FAST == (frame == LARGE)).toList();
            if (rates.isEmpty()) {
                continue;
            }
            try (ShapedLab lab = new ShapedLab(frame)) {
                warm(lab);
                for (long rate : rates) {
                    ceiling(lab, rate, frame);
                }
                check(lab);
            }
        }
    }

    private static void warm(ShapedLab lab) throws Exception {
        lab.limit(100_000_000_000L);
        lab.traffic().flood(1);
        lab.traffic().count(10 * MOMENT);
    }

    private void ceiling(ShapedLab lab, long rate, int frame) throws Exception {
        lab.limit(rate);
        lab.traffic().flood(1);
        lab.traffic().count(MOMENT);
        long agent = Clock.thread("manafold-link-shaped");
        long cpu = Clock.cpuNanos(agent);
        long wall = System.nanoTime();
        lab.traffic().count(NANOS);
        double share = (Clock.cpuNanos(agent) - cpu) * 100.0 / (System.nanoTime() - wall);
        Windows windows = lab.traffic().windows;
        line("manafold", rate, frame, windows.rate(), windows.variation(), windows.peak(), share);
    }

    private void line(String shaper, long asked, int frame, double rate, double variation, double peak, double cpu) {
        double error = (rate / asked - 1) * 100;
        say("%-9s %9d %6d %+10.4f %8.3f %8.2f %7.1f%n", shaper, asked / 1_000_000, frame, error, variation, peak, cpu);
        json.add(String.format(Locale.ROOT, "{\"kind\":\"ceiling\",\"shaper\":\"%s\",\"asked_bits\":%d,\"frame\":%d,"
                + "\"achieved_bits\":%.0f,\"error_percent\":%.5f,\"variation_1ms\":%.4f,\"peak_1ms\":%.3f,"
                + "\"cpu_percent\":%.1f}", shaper, asked, frame, rate, error, variation, peak, cpu));
    }

    private void kernel() throws Exception {
        if (KERNEL_RATES.isEmpty()) {
            return;
        }
        try (Veth veth = Veth.open(System.getProperty("veth-load", ""))) {
            for (String discipline : List.of("tbf", "htb")) {
                for (long rate : KERNEL_RATES) {
                    double[] seen = veth.measure(discipline, rate, NANOS / 1e9);
                    line(discipline, rate, USUAL, seen[0], seen[1], seen[2], seen[3]);
                }
            }
        } catch (IllegalStateException absent) {
            System.err.println("shaping: no tbf and htb beside it: " + absent.getMessage());
        }
    }

    private void shares() throws Exception {
        try (ShapedLab lab = new ShapedLab(USUAL)) {
            for (int i = 0; i < ShapedLab.QUEUES; i++) {
                lab.weigh(i, i + 1);
            }
            lab.limit(1_000_000_000);
            lab.traffic().flood(ShapedLab.QUEUES);
            lab.traffic().count(MOMENT);
            lab.traffic().count(NANOS);
            double all = 0;
            for (long bytes : lab.traffic().queueBytes) {
                all += bytes;
            }
            say("%nSHARES of 1 Gbit/s by weight%n");
            for (int i = 0; i < ShapedLab.QUEUES; i++) {
                double share = lab.traffic().queueBytes[i] / all;
                double error = (share * 6 / (i + 1) - 1) * 100;
                say("weight %d   %.4f   %+.2f %%%n", i + 1, share, error);
                json.add(String.format(Locale.ROOT, "{\"kind\":\"share\",\"weight\":%d,\"share\":%.5f,"
                        + "\"error_percent\":%.3f}", i + 1, share, error));
            }
            check(lab);
        }
    }

    /** Cost of a packet without shapers, with one, and with very many that have nothing to do; by turns. */
    private void many() throws Exception {
        try (ShapedLab lab = new ShapedLab(USUAL)) {
            many(lab, new int[] {0, 1, MANY});
        }
    }

    private void many(ShapedLab lab, int[] counts) throws Exception {
        double[][] nanos = new double[counts.length][ROUNDS];
        lab.traffic().flood(1);
        lab.traffic().count(10 * MOMENT);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] > 0) {
                    lab.weigh(0, 1);
                }
                if (counts[i] > 1) {
                    lab.idle(counts[i] - 1);
                }
                lab.traffic().count(MOMENT / 2);
                nanos[i][round] = lab.traffic().nanosPerPacket(NANOS / 5);
                if (counts[i] > 1) {
                    lab.unidle(counts[i] - 1);
                }
                if (counts[i] > 0) {
                    lab.unweigh(0);
                }
            }
        }
        say("%nSHAPERS  ns/packet%n");
        for (int i = 0; i < counts.length; i++) {
            Arrays.sort(nanos[i]);
            double median = nanos[i][ROUNDS / 2];
            say("%7d  %9.1f%n", counts[i], median);
            json.add(String.format(Locale.ROOT, "{\"kind\":\"cost\",\"shapers\":%d,\"ns_per_packet\":%.2f}", counts[i],
                    median));
        }
        check(lab);
    }

    private static void check(ShapedLab lab) throws Exception {
        lab.limit(0);
        lab.traffic().flood(0);
        if (!lab.refused().isEmpty()) {
            throw new IllegalStateException("the adapter refused something: " + lab.refused());
        }
    }
}
