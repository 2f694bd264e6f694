package io.manafold.fabric.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StationsTest {
    private static final int LIFETIME = 300;

    private final Stations stations = new Stations(4, LIFETIME);

    @Test
    void aStationIsFoundWhereItWasHeardLast() {
        stations.learn(0x000d3a000001L, 2, 10);
        assertThat(stations.find(0x000d3a000001L, 10)).isEqualTo(2);
        assertThat(stations.find(0x000d3a000002L, 10)).isEqualTo(Stations.NOWHERE);
        int before = stations.changes();
        stations.learn(0x000d3a000001L, 3, 11);
        assertThat(stations.find(0x000d3a000001L, 11)).isEqualTo(3);
        assertThat(stations.changes()).isNotEqualTo(before);
        assertThat(stations.moved()).isEqualTo(1);
    }

    @Test
    void whoIsSilentForTooLongIsForgotten() {
        stations.learn(1L << 20, 1, Integer.MAX_VALUE - 10);
        assertThat(stations.find(1L << 20, Integer.MAX_VALUE - 10 + LIFETIME)).as("ticks run over").isEqualTo(1);
        assertThat(stations.find(1L << 20, Integer.MAX_VALUE - 10 + LIFETIME + 1)).isEqualTo(Stations.NOWHERE);
        assertThat(stations.list(Integer.MAX_VALUE - 10 + LIFETIME + 1)).isEmpty();
        assertThat(stations.list(Integer.MAX_VALUE - 9)).hasSize(1);
    }

    @Test
    void anUnpluggedJackLeavesNothingBehind() {
        for (int i = 1; i <= 1000; i++) {
            stations.learn(i * 7919L, i % 4, 0);
        }
        stations.forget(1);
        assertThat(stations.list(0).values()).isNotEmpty().doesNotContain(1).contains(0, 2, 3);
    }

    @Test
    void aFloodOfInventedStationsPushesOutNobodyElse() {
        Map<Long, Integer> honest = new HashMap<>();
        Random random = new Random(5);
        for (int i = 0; i < 400; i++) {
            long address = random.nextLong() >>> 16 & ~(1L << 40);
            stations.learn(address, 1 + i % 3, 0);
        }
        honest.putAll(stations.list(0));
        assertThat(honest).hasSizeGreaterThan(390);
        for (int i = 0; i < 200_000; i++) {
            stations.learn(random.nextLong() >>> 16 & ~(1L << 40), 0, 1 + i / 10_000);
        }
        Map<Long, Integer> after = stations.list(20);
        long left = honest.keySet().stream().filter(after::containsKey).count();
        assertThat(left).as("of " + honest.size()).isGreaterThan(honest.size() * 97L / 100);
        assertThat(after.size()).isLessThanOrEqualTo(Stations.CAPACITY);
        // and a newcomer elsewhere still finds room
        int found = 0;
        for (int i = 0; i < 100; i++) {
            long address = 0x020000000000L + i;
            stations.learn(address, 2, 20);
            found += stations.find(address, 20) == 2 ? 1 : 0;
        }
        assertThat(found).isEqualTo(100);
    }

    @Test
    void whatItSaysWasHeardThere() {
        Map<Long, Integer> heard = new HashMap<>();
        Random random = new Random(42);
        for (int i = 0; i < 100_000; i++) {
            long address = 1 + random.nextInt(20_000) * 65_537L;
            int tick = i / 1000;
            if (random.nextInt(3) == 0) {
                int jack = random.nextInt(4);
                stations.learn(address, jack, tick);
                heard.put(address, jack);
            } else {
                int found = stations.find(address, tick);
                if (found != Stations.NOWHERE) {
                    // a full set may refuse a newcomer, but an entry is never wrong
                    assertThat(found).isEqualTo(heard.get(address));
                }
            }
        }
        assertThat(stations.list(100)).hasSizeGreaterThan(4000);
    }
}
