package io.manafold.adapter.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RingTest {
    @Test
    void anyLengthCountsAlike() {
        Random random = new Random(3);
        for (int entries : new int[] {1, 64, 96, 100, 128, 4095, 4096, 65_535}) {
            Ring ring = new Ring(entries);
            long producer = entries;
            for (int i = 0; i < 9 * entries + 3; i++, producer++) {
                assertThat(ring.slot(producer)).isEqualTo(i % entries);
                assertThat(ring.owner(producer) >>> 29).isEqualTo((i / entries + 1) % 8);
                int behind = random.nextInt(8 * entries);
                int consumer = (int) Math.floorMod(producer - behind, 8L * entries);
                assertThat(ring.distance(producer, consumer)).isEqualTo(behind);
                assertThat(ring.distance(producer, random.nextInt())).as("whatever a doorbell says")
                        .isBetween(0, ring.laps() - 1);
            }
        }
    }
}
