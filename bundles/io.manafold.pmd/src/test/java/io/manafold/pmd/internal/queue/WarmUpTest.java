package io.manafold.pmd.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.ethdev.Offload;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.SharedBlocks;
import io.manafold.testkit.Blocks;
import org.junit.jupiter.api.Test;

/** Bursts on rings without a device. */
class WarmUpTest {
    private final SharedBlocks memory = Blocks.source();
    private final WarmUp warmUp = new WarmUp(memory);

    private PacketPool pool(int packets, boolean checked) {
        return new PacketPools(memory).make(new PacketPlan("test", packets, 64, PacketPlan.DEFAULT_ROOM)
                .withChecks(checked));
    }

    @Test
    void eachKindIsUsedOnceAndAllPacketsAndMemoryComeBack() {
        for (boolean checked : new boolean[] {false, true}) {
            try (PacketPool pool = pool(512, checked)) {
                int blocks = memory.blocks().size();
                WarmUp now = new WarmUp(memory);
                assertThat(now.run(pool, true, 0)).as("plain, checked %s", checked).isGreaterThan(2);
                assertThat(now.run(pool, false, Offload.RECEIVE_RSS_HASH)).as("the others, checked %s", checked)
                        .isGreaterThan(2);
                assertThat(now.run(pool, true, 0)).as("a second time").isZero();
                assertThat(pool.available()).isEqualTo(512);
                assertThat(memory.blocks()).hasSize(blocks);
            }
        }
    }

    @Test
    void aPoolThatIsTooSmallIsLeftAsItIs() {
        try (PacketPool pool = pool(40, false)) {
            int blocks = memory.blocks().size();
            warmUp.run(pool, true, 0);
            assertThat(pool.available()).isEqualTo(40);
            assertThat(memory.blocks()).hasSize(blocks);
        }
    }

    @Test
    void whatWasLeftIsDoneAtTheNextStart() {
        try (PacketPool small = pool(16, false); PacketPool pool = pool(512, false)) {
            assertThat(warmUp.run(small, true, 0)).as("with too few packets").isZero();
            assertThat(warmUp.run(pool, true, 0)).isGreaterThan(2);
            assertThat(warmUp.run(pool, true, 0)).isZero();
            assertThat(small.available()).isEqualTo(16);
            assertThat(pool.available()).isEqualTo(512);
        }
    }
}
