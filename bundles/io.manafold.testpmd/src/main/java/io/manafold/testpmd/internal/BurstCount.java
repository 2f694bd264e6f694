package io.manafold.testpmd.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** How many bursts had how many packets. One core counts, others look. */
final class BurstCount {
    /** Sizes that are told by themselves, besides that of empty ones. */
    private static final int TOLD = 2;
    private static final int HUNDRED = 100;

    private final long[] bursts;

    BurstCount(int most) {
        bursts = new long[most + 1];
    }

    void add(int packets) {
        // modes may send more than a burst at once
        bursts[Math.min(packets, bursts.length - 1)]++;
    }

    void clear() {
        Arrays.fill(bursts, 0);
    }

    /** A line about several of them together, empty if there is none. */
    static String line(String way, List<BurstCount> counts) {
        List<BurstCount> there = counts.stream().filter(Objects::nonNull).toList();
        int most = there.stream().mapToInt(one -> one.bursts.length).max().orElse(0);
        long[] all = new long[most];
        there.forEach(one -> IntStream.range(0, one.bursts.length).forEach(size -> all[size] += one.bursts[size]));
        long total = IntStream.range(0, most).mapToLong(size -> all[size]).sum();
        if (total == 0) {
            return "";
        }
        StringBuilder text = new StringBuilder("  %s-bursts : %d [%d%% of 0 pkts".formatted(way, total,
                HUNDRED * all[0] / total));
        long left = total - all[0];
        for (int size : IntStream.range(1, most).boxed().sorted((one, other) -> Long.compare(all[other], all[one]))
                .limit(TOLD).toList()) {
            if (all[size] > 0) {
                text.append(" + %d%% of %d pkts".formatted(HUNDRED * all[size] / total, size));
                left -= all[size];
            }
        }
        return text.append(left > 0 ? " + %d%% of other]\n".formatted(HUNDRED * left / total) : "]\n").toString();
    }
}
