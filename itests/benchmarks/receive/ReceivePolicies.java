package io.manafold.benchmark;

import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceivePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Receive policies side by side; their slices take turns, ratios to one page per packet are taken round by round. */
public final class ReceivePolicies {
    private static final int ROUNDS = Integer.getInteger("rounds", 7);
    private static final long SLICE_NANOS = Long.getLong("millis", 60) * 1_000_000;
    private static final int[] PAGES = numbers("pages", "4096,16384,65536");
    private static final int[] MTUS = numbers("mtus", "1500,4000,9000");
    private static final int[] POSTED = numbers("posted", "512,8192");
    private static final int STEP = 512;

    private ReceivePolicies() {
    }

    /** One policy in one setting; figures by mapping. */
    private record Line(PagePlan plan, int posted, double bytes, double saved, double[] nanos, double[] ratio,
            double allocated) {
    }

    public static void main(String[] arguments) {
        boolean json = List.of(arguments).contains("--json");
        List<Line> lines = new ArrayList<>();
        // everything compiled for all shapes before anything counts
        for (PoolCase.Mapping mapping : PoolCase.Mapping.values()) {
            for (ReceivePolicy policy : ReceivePolicy.values()) {
                try (PoolLoop loop = new PoolLoop(new PoolCase(4096, 1500, 512, policy, mapping))) {
                    nanos(loop, Math.min(300_000_000, 20 * SLICE_NANOS));
                }
            }
        }
        if (!json) {
            System.out.printf("%5s %5s %6s %-18s %9s %7s %8s %6s %6s %6s%n", "PAGE", "MTU", "POSTED", "POLICY",
                    "BYTES/PKT", "SAVED%", "ns/pkt", "RECYCL", "MAPPED", "WHOLE");
        }
        for (int page : PAGES) {
            for (int mtu : MTUS) {
                for (int posted : POSTED) {
                    for (Line line : measure(page, mtu, posted)) {
                        lines.add(line);
                        if (!json) {
                            print(line);
                        }
                    }
                }
            }
        }
        if (json) {
            System.out.println(json(lines));
        }
    }

    private static List<Line> measure(int page, int mtu, int posted) {
        ReceivePolicy[] policies = ReceivePolicy.values();
        PoolCase.Mapping[] mappings = PoolCase.Mapping.values();
        double[][] nanos = new double[policies.length][mappings.length];
        double[][] ratios = new double[policies.length][mappings.length];
        double[] bytes = new double[policies.length];
        double[] allocated = new double[policies.length];
        Arrays.fill(allocated, Double.MAX_VALUE);
        for (int m = 0; m < mappings.length; m++) {
            List<PoolLoop> loops = new ArrayList<>();
            try {
                for (ReceivePolicy policy : policies) {
                    loops.add(new PoolLoop(new PoolCase(page, mtu, posted, policy, mappings[m])));
                }
                double[][] seen = new double[policies.length][ROUNDS];
                double[][] relative = new double[policies.length][ROUNDS];
                for (int round = -1; round < ROUNDS; round++) {
                    for (int i = 0; i < policies.length; i++) {
                        long before = Clock.allocated(new long[] {Thread.currentThread().threadId()});
                        double each = nanos(loops.get(i), SLICE_NANOS);
                        double more = Clock.allocated(new long[] {Thread.currentThread().threadId()}) - before;
                        if (round >= 0) {
                            seen[i][round] = each;
                            relative[i][round] = seen[0][round] / each;
                            // two arrays of one number and what asking costs
                            allocated[i] = Math.min(allocated[i], Math.max(0, more - 512) * each / SLICE_NANOS);
                        }
                    }
                }
                for (int i = 0; i < policies.length; i++) {
                    nanos[i][m] = median(seen[i]);
                    ratios[i][m] = median(relative[i]);
                    bytes[i] = loops.get(i).bytesPerPacket();
                }
            } finally {
                loops.forEach(PoolLoop::close);
            }
        }
        List<Line> lines = new ArrayList<>();
        double whole = new PoolCase(page, mtu, posted, ReceivePolicy.PAGE, PoolCase.Mapping.NONE).plan()
                .bytesPerPacket();
        for (int i = 0; i < policies.length; i++) {
            PagePlan plan = new PoolCase(page, mtu, posted, policies[i], PoolCase.Mapping.NONE).plan();
            lines.add(new Line(plan, posted, bytes[i], 100 - 100 * plan.bytesPerPacket() / whole, nanos[i], ratios[i],
                    allocated[i]));
        }
        return lines;
    }

    /** Nanoseconds of processor time for one packet; others on the machine take time away, but none of the thread's. */
    private static double nanos(PoolLoop loop, long atLeast) {
        long begin = Clock.threadNanos();
        long count = 0;
        long now;
        do {
            loop.packets(STEP);
            count += STEP;
            now = Clock.threadNanos();
        } while (now - begin < atLeast);
        return (now - begin) / (double) count;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static void print(Line line) {
        PagePlan plan = line.plan;
        System.out.printf(Locale.ROOT, "%4dK %5d %6d %-18s %9.1f %7.2f %8.1f %6.2f %6.2f %6.2f%n", plan.page() >> 10,
                plan.mtu(), line.posted, plan.policy().word(), plan.bytesPerPacket(), line.saved, line.nanos[0],
                line.ratio[0], line.ratio[1], line.ratio[2]);
    }

    private static String json(List<Line> lines) {
        StringBuilder out = new StringBuilder("[");
        for (Line line : lines) {
            PagePlan plan = line.plan;
            out.append(out.length() > 1 ? ",\n" : "").append(String.format(Locale.ROOT,
                    "{\"page\":%d,\"mtu\":%d,\"posted\":%d,\"policy\":\"%s\",\"slot\":%d,\"per_page\":%d,"
                    + "\"headroom\":%d,\"bytes_per_packet\":%.4f,\"bytes_taken_per_packet\":%.4f,"
                    + "\"saved_percent\":%.4f,\"ns_per_packet\":%.2f,\"ns_per_packet_mapped\":%.2f,"
                    + "\"ns_per_packet_whole_page\":%.2f,\"ratio\":%.4f,\"ratio_mapped\":%.4f,"
                    + "\"ratio_whole_page\":%.4f,\"allocated_per_packet\":%.4f}", plan.page(), plan.mtu(), line.posted,
                    plan.policy().word(), plan.slot(), plan.perPage(), plan.headroom(), plan.bytesPerPacket(),
                    line.bytes, line.saved, line.nanos[0], line.nanos[1], line.nanos[2], line.ratio[0],
                    line.ratio[1], line.ratio[2], line.allocated));
        }
        return out.append("]").toString();
    }

    private static int[] numbers(String name, String usual) {
        return Arrays.stream(System.getProperty(name, usual).split(",")).mapToInt(Integer::parseInt).toArray();
    }
}
