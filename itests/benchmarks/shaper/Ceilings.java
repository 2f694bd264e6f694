package io.manafold.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How well ceilings are kept, ours and those of the kernel's queueing disciplines by turns. */
final class Ceilings implements AutoCloseable {
    private static final long NANOS = Long.getLong("millis", 1000) * 1_000_000;
    private static final int ROUNDS = Integer.getInteger("rounds", 3);
    private static final long SETTLING = 100_000_000;

    private final List<Ceiling> rows = new ArrayList<>();
    private final Map<Integer, ShapedLab> labs = new LinkedHashMap<>();
    private Veth veth;

    Ceilings(String rates, String kernelRates) throws Exception {
        List<Ceiling> ours = Ceiling.all(Ceiling.OURS, rates);
        for (Ceiling row : ours) {
            if (!labs.containsKey(row.frame())) {
                labs.put(row.frame(), new ShapedLab(row.frame()));
                warm(labs.get(row.frame()));
            }
        }
        rows.addAll(ours);
        labs.keySet().forEach(frame -> rows.add(new Ceiling(Ceiling.NONE, 0, frame)));
        if (!kernelRates.isEmpty()) {
            try {
                veth = Veth.open(System.getProperty("veth-load", ""));
                rows.addAll(Ceiling.all("tbf", kernelRates));
                rows.addAll(Ceiling.all("htb", kernelRates));
            } catch (IllegalStateException absent) {
                System.err.println("shaping: no tbf and htb beside it: " + absent.getMessage());
            }
        }
    }

    private static void warm(ShapedLab lab) throws Exception {
        lab.limit(100_000_000_000L);
        lab.traffic().flood(1);
        lab.traffic().count(10 * SETTLING);
        rest(lab);
    }

    private static void rest(ShapedLab lab) throws Exception {
        lab.unlimit();
        lab.traffic().flood(0);
    }

    /** Rows in their order, each with medians of all rounds. */
    Map<Ceiling, Measured> measure() throws Exception {
        Map<Ceiling, List<Measured>> seen = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Ceiling row : rows) {
                Measured one = row.isKernels() ? veth.measure(row.shaper(), row.rate(), row.frame(), NANOS / 1e9)
                        : measure(labs.get(row.frame()), row.rate());
                seen.computeIfAbsent(row, _ -> new ArrayList<>()).add(one);
            }
        }
        Map<Ceiling, Measured> medians = new LinkedHashMap<>();
        seen.forEach((row, all) -> medians.put(row, Measured.of(all)));
        return medians;
    }

    private static Measured measure(ShapedLab lab, long rate) throws Exception {
        if (rate > 0) {
            lab.limit(rate);
        }
        lab.traffic().flood(1);
        lab.traffic().count(SETTLING);
        long cpu = lab.cpuNanos();
        long wall = System.nanoTime();
        lab.traffic().count(NANOS);
        double share = (lab.cpuNanos() - cpu) * 100.0 / (System.nanoTime() - wall);
        Windows windows = lab.traffic().windows;
        Measured seen = new Measured(windows.rate(), windows.variation(), windows.peak(), share);
        if (rate > 0) {
            rest(lab);
        } else {
            lab.traffic().flood(0);
        }
        lab.check();
        return seen;
    }

    @Override
    public void close() throws Exception {
        if (veth != null) {
            veth.close();
        }
        labs.values().forEach(ShapedLab::close);
    }
}
