package io.manafold.benchmark;

import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** Receive policies side by side; their slices take turns, ratios to one page per packet are taken round by round. */
public final class ReceivePolicies {
    private static final int ROUNDS = Integer.getInteger("rounds", 7);
    private static final long SLICE_NANOS = Long.getLong("millis", 60) * 1_000_000;
    private static final int[] PAGES = numbers("pages", "4096,16384,65536");
    private static final int[] MTUS = numbers("mtus", "1500,4000,9000");
    private static final int[] POSTED = numbers("posted", "512,8192");
    private static final ReceiveMapping[] MAPPINGS = Stream.of(System.getProperty("mappings",
            "arena,packet,whole-page").split(",")).map(ReceivePolicies::mapping).toArray(ReceiveMapping[]::new);
    private static final int WARM_UP = Integer.getInteger("warm", 20);

    /** What takes part. */
    enum Level {
        /** Pools alone, a table of what a function reaches, and a copy. */
        POOL(PoolLoop::new),
        /** Adapter, switch and driver. */
        DRIVER(ReceiveLoop::new);

        private final Function<ReceiveCase, Receiving> maker;

        Level(Function<ReceiveCase, Receiving> maker) {
            this.maker = maker;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One policy in one setting; figures by mapping. */
    record Line(Level level, PagePlan plan, int posted, double bytes, double saved, double[] nanos, double[] ratio,
            double allocated) {
    }

    private ReceivePolicies() {
    }

    public static void main(String[] arguments) {
        boolean json = List.of(arguments).contains("--json");
        List<Line> lines = new ArrayList<>();
        for (String word : System.getProperty("level", "pool,driver").split(",")) {
            Level level = Level.valueOf(word.toUpperCase(Locale.ROOT));
            warmUp(level);
            if (!json) {
                PolicyTable.head(level, MAPPINGS);
            }
            for (int page : PAGES) {
                for (int mtu : MTUS) {
                    for (int posted : POSTED) {
                        for (Line line : measure(level, page, mtu, posted)) {
                            lines.add(line);
                            if (!json) {
                                PolicyTable.print(line);
                            }
                        }
                    }
                }
            }
        }
        if (json) {
            System.out.println(PolicyTable.json(lines, MAPPINGS));
        }
    }

    /** Everything is compiled for all shapes before anything counts. */
    private static void warmUp(Level level) {
        for (ReceiveMapping mapping : MAPPINGS) {
            for (ReceivePolicy policy : ReceivePolicy.values()) {
                try (Receiving loop = level.maker.apply(new ReceiveCase(4096, 1500, 512, policy, mapping))) {
                    loop.run(Math.min(300_000_000, WARM_UP * SLICE_NANOS));
                }
            }
        }
    }

    private static List<Line> measure(Level level, int page, int mtu, int posted) {
        ReceivePolicy[] policies = ReceivePolicy.values();
        double[][] nanos = new double[policies.length][MAPPINGS.length];
        double[][] ratios = new double[policies.length][MAPPINGS.length];
        double[] bytes = new double[policies.length];
        double[] allocated = new double[policies.length];
        Arrays.fill(allocated, Double.MAX_VALUE);
        for (int m = 0; m < MAPPINGS.length; m++) {
            List<Receiving> loops = new ArrayList<>();
            try {
                for (ReceivePolicy policy : policies) {
                    loops.add(level.maker.apply(new ReceiveCase(page, mtu, posted, policy, MAPPINGS[m])));
                }
                double[][] seen = new double[policies.length][ROUNDS];
                double[][] relative = new double[policies.length][ROUNDS];
                for (int round = -1; round < ROUNDS; round++) {
                    for (int i = 0; i < policies.length; i++) {
                        double each = loops.get(i).run(SLICE_NANOS);
                        if (round >= 0) {
                            seen[i][round] = each;
                            relative[i][round] = seen[0][round] / each;
                            allocated[i] = Math.min(allocated[i], loops.get(i).allocated());
                        }
                    }
                }
                for (int i = 0; i < policies.length; i++) {
                    nanos[i][m] = median(seen[i]);
                    ratios[i][m] = median(relative[i]);
                    bytes[i] = loops.get(i).bytesPerPacket();
                }
            } finally {
                loops.forEach(Receiving::close);
            }
        }
        List<Line> lines = new ArrayList<>();
        double whole = plan(page, mtu, ReceivePolicy.PAGE).bytesPerPacket();
        for (int i = 0; i < policies.length; i++) {
            PagePlan plan = plan(page, mtu, policies[i]);
            lines.add(new Line(level, plan, posted, bytes[i], 100 - 100 * plan.bytesPerPacket() / whole, nanos[i],
                    ratios[i], allocated[i]));
        }
        return lines;
    }

    private static PagePlan plan(int page, int mtu, ReceivePolicy policy) {
        return new ReceiveCase(page, mtu, 1, policy, ReceiveMapping.ARENA).plan();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static int[] numbers(String name, String usual) {
        return Arrays.stream(System.getProperty(name, usual).split(",")).mapToInt(Integer::parseInt).toArray();
    }

    private static ReceiveMapping mapping(String word) {
        return Stream.of(ReceiveMapping.values()).filter(one -> one.word().equals(word)).findFirst().orElseThrow();
    }
}
