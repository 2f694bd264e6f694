package io.manafold.adapter.internal.shaping;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.message.ShaperValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever is said while frames wait, the tree stays one: everything goes out in the end, and nothing is left in it.
 */
@Timeout(300)
class TreeFuzzTest {
    private static final int QUEUES = 8;

    private static ShaperValues values(Random random) {
        long[] rates = {0, 0, 1_000_000, 10_000_000, 1_000_000_000, 100_000_000_000L, -1, 3};
        return new ShaperValues(random.nextInt(10) == 0 ? random.nextInt() : 1 + random.nextInt(3), random.nextInt(9),
                random.nextInt(4), random.nextInt(9), random.nextInt(20) == 0 ? 2 : random.nextInt(2),
                random.nextInt(3) - 1, random.nextInt(5) == 0 ? random.nextInt() : random.nextInt(4),
                rates[random.nextInt(rates.length)], rates[random.nextInt(rates.length)],
                random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(100_000));
    }

    private static void change(Simulation lab, Random random) {
        try {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> lab.set(values(random));
                case 3, 4 -> {
                    List<ShaperValues> leaves = new ArrayList<>();
                    for (int i = random.nextInt(4); i > 0; i--) {
                        leaves.add(values(random));
                    }
                    lab.shapers.group(values(random), leaves);
                }
                case 5 -> lab.shapers.delete(1 + random.nextInt(3), random.nextInt(9));
                case 6 -> lab.shapers.name(random.ints(QUEUES, -1, QUEUES).distinct().limit(1)
                        .collect(() -> new int[] {-1, -1, -1, -1, -1, -1, -1, -1},
                                (names, one) -> names[random.nextInt(QUEUES)] = one, (a, b) -> { }));
                default -> {
                    int slot = random.nextInt(QUEUES);
                    lab.waiting[slot] = 0;
                    lab.tree.forget(slot, 1, random.nextInt(8) == 0, lab.now);
                }
            }
        } catch (Refusal refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
    }

    @Test
    void anything() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Simulation lab = new Simulation(QUEUES, random.nextLong());
            lab.wireNanos = 0.1;
            for (int step = 0; step < 60; step++) {
                change(lab, random);
                lab.waiting[random.nextInt(QUEUES)] += random.nextInt(20);
                lab.late = random.nextInt(3) == 0 ? random.nextInt(100_000) : 0;
                lab.run(random.nextInt(200_000));
            }
            assertThat(lab.shapers.statistics(0, 0, slot -> 0)).hasSize(lab.shapers.count());
            lab.shapers.clear();
            lab.late = 0;
            lab.set(Simulation.vport(1_000_000_000)).run(100_000_000);
            assertThat(lab.waiting).as("seed %d", seed).containsOnly(0);
            assertThat(lab.tree.root.waiting).isZero();
            assertThat(lab.tree.root.shares.isEmpty()).isTrue();
            assertThat(lab.tree.due(lab.now)).isEqualTo(Long.MAX_VALUE);
        }
    }
}
