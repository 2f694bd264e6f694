package io.manafold.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How well the adapter keeps what it was asked to keep: ceilings beside those of the kernel's queueing disciplines,
 * shares by weight, and what a packet costs when there are very many shapers.
 */
public final class Shaping {
    private static final long NANOS = Long.getLong("millis", 1000) * 1_000_000;
    private static final long MOMENT = 100_000_000;
    private static final int ROUNDS = Integer.getInteger("rounds", 3);
    private static final int MANY = Integer.getInteger("many", 10_000);
    private static final int FRAME = 1514;

    private final List<String> json = new ArrayList<>();
    private final boolean table;

    private Shaping(boolean table) {
        this.table = table;
    }

    public static void main(String[] arguments) throws Exception {
        Shaping shaping = new Shaping(!List.of(arguments).contains("--json"));
        shaping.ceilings();
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
        try (Ceilings ceilings = new Ceilings(System.getProperty("rates"), System.getProperty("kernel"))) {
            print(ceilings.measure(), false);
            try (Company company = new Company()) {
                say("%nTHE SAME while another thread computes on each processor%n");
                print(ceilings.measure(), true);
            }
        }
    }

    private void print(Map<Ceiling, Measured> rows, boolean busy) {
        say("%s%n", Ceiling.head());
        rows.forEach((row, seen) -> {
            say("%s%n", row.line(seen));
            json.add(row.json(seen, busy));
        });
    }

    private void shares() throws Exception {
        try (ShapedLab lab = new ShapedLab(FRAME)) {
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
            lab.check();
        }
    }

    /** Cost of a packet without shapers, with one, and with very many that have nothing to do; by turns. */
    private void many() throws Exception {
        try (ShapedLab lab = new ShapedLab(FRAME)) {
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
                nanos[i][round] = nanosPerPacket(lab);
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
        lab.check();
    }

    /** Processor time for a packet, at full speed. */
    private static double nanosPerPacket(ShapedLab lab) throws InterruptedException {
        long before = lab.traffic().done();
        long cpu = lab.cpuNanos();
        TimeUnit.NANOSECONDS.sleep(NANOS / 5);
        long packets = lab.traffic().done() - before;
        return (lab.cpuNanos() - cpu) / (double) packets;
    }
}
