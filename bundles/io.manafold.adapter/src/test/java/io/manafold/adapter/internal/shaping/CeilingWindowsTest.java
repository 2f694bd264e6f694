package io.manafold.adapter.internal.shaping;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.gdma.message.ShaperValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * In no window of whatever length does more leave than the rate allows over it, and the burst: below each ceiling of
 * random trees, with pauses, and with a thread that is late or stands still wherever it happens to be.
 */
@Timeout(300)
class CeilingWindowsTest {
    private static final int QUEUES = 4;
    private static final int LARGEST = 9014;
    private static final long[] RATES = {1_000_000, 10_000_000, 100_000_000, 999_999_937, 10_000_000_000L,
        100_000_000_000L};

    /** The most that any window had beyond its length by the rate. */
    private static final class Excess {
        private final double perNano;
        private double level;
        private double most;
        private long last;

        Excess(double perSecond, long begin) {
            perNano = perSecond / 1e9;
            last = begin;
        }

        void add(long amount, long when) {
            level = Math.max(0, level - (when - last) * perNano) + amount;
            most = Math.max(most, level);
            last = when;
        }
    }

    /** A ceiling, which queues are below it, and what has left through it. */
    private static final class Watch {
        private final ShaperValues values;
        private final int queues;
        private final double perSecond;
        private final Excess usual;
        private final Excess twice;

        Watch(ShaperValues values, int queues, long begin) {
            this.values = values;
            this.queues = queues;
            perSecond = values.bwMax() / (isPackets() ? 1.0 : 8.0);
            usual = new Excess(perSecond, begin);
            twice = new Excess(2 * perSecond, begin);
        }

        private boolean isPackets() {
            return values.metric() == 1;
        }

        void left(int slot, int bytes, int frames, long when) {
            if ((queues & 1 << slot) != 0) {
                usual.add(isPackets() ? frames : bytes, when);
                twice.add(isPackets() ? frames : bytes, when);
            }
        }

        void check(int seed) {
            double frame = isPackets() ? 1 : LARGEST;
            double burst = values.burst() != 0 ? values.burst() : perSecond * PortShapers.USUAL_BURST_NANOS / 1e9;
            // times are whole nanoseconds
            double grain = 2 * perSecond / 1e9;
            assertThat(usual.most).as("seed %d, %s", seed, values).isLessThanOrEqualTo(burst + frame + grain);
            if (values.burst() == 0) {
                assertThat(twice.most).as("seed %d, at once, %s", seed, values)
                        .isLessThanOrEqualTo(perSecond * 100_000 / 1e9 + frame + grain);
            }
        }
    }

    private final List<Watch> watches = new ArrayList<>();

    private ShaperValues ceiling(Random random, int scope, int id, int parent) {
        boolean packets = random.nextInt(4) == 0;
        long rate = RATES[random.nextInt(RATES.length)] / (packets ? 10_000 : 1);
        boolean burst = random.nextBoolean();
        return new ShaperValues(scope, id, parent < 0 ? ShaperValues.NETDEV : ShaperValues.NODE, Math.max(0, parent),
                packets ? 1 : 0, random.nextInt(2), random.nextInt(4), random.nextInt(3) == 0 ? rate / 2 : 0, rate,
                burst ? packets ? random.nextInt(1, 100) : random.nextInt(1, 200_000) : 0);
    }

    private void limit(Simulation lab, ShaperValues values, int queues) {
        lab.set(values);
        watches.add(new Watch(values, queues, lab.now));
    }

    /** Two nodes, one of them perhaps below the other, and queues below them or the port; some have a ceiling. */
    private void plant(Simulation lab, Random random) {
        boolean nested = random.nextBoolean();
        int[] parents = random.ints(QUEUES, -1, 2).toArray();
        int[] below = new int[2];
        for (int i = 0; i < QUEUES; i++) {
            for (int node = parents[i]; node >= 0; node = node == 1 && nested ? 0 : -1) {
                below[node] |= 1 << i;
            }
        }
        limit(lab, ceiling(random, ShaperValues.NODE, 0, -1), below[0]);
        limit(lab, ceiling(random, ShaperValues.NODE, 1, nested ? 0 : -1), below[1]);
        for (int i = 0; i < QUEUES; i++) {
            if (parents[i] >= 0 || random.nextBoolean()) {
                limit(lab, ceiling(random, ShaperValues.QUEUE, i, parents[i]), 1 << i);
            }
        }
        if (random.nextBoolean()) {
            ShaperValues port = ceiling(random, ShaperValues.NETDEV, 0, -1);
            limit(lab, new ShaperValues(ShaperValues.NETDEV, 0, 0, 0, port.metric(), 0, 0, 0, port.bwMax(),
                    port.burst()), (1 << QUEUES) - 1);
        }
    }

    private static long stall(Random random) {
        return switch (random.nextInt(300)) {
            case 0 -> random.nextLong(20_000_000);
            case 1, 2, 3, 4 -> random.nextLong(200_000);
            default -> random.nextLong(2_000);
        };
    }

    private int run(int seed) {
        Random random = new Random(seed);
        Simulation lab = new Simulation(QUEUES, random.nextLong());
        watches.clear();
        plant(lab, random);
        int[] turns = {0};
        lab.onlooker = (slot, bytes, frames, when) -> {
            turns[0]++;
            watches.forEach(watch -> watch.left(slot, bytes, frames, when));
        };
        lab.stalls = () -> stall(random);
        for (int step = 0; step < 20; step++) {
            for (int i = 0; i < QUEUES; i++) {
                lab.length[i] = random.nextInt(60, LARGEST + 1);
                lab.waiting[i] = random.nextInt(3) == 0 ? 0 : random.nextInt(200);
            }
            lab.late = random.nextInt(3) == 0 ? random.nextInt(3_000_000) : 0;
            lab.run(random.nextInt(5_000_000));
        }
        watches.forEach(watch -> watch.check(seed));
        return turns[0];
    }

    @Test
    void noWindowHasMoreThanTheRateAndTheBurst() {
        int turns = 0;
        for (int seed = 0; seed < 1000; seed++) {
            turns += run(seed);
        }
        assertThat(turns).as("of queues").isGreaterThan(100_000);
    }
}
