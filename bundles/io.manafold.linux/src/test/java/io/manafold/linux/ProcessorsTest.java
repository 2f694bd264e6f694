package io.manafold.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessorsTest {
    @Test
    void aThreadIsBoundAndOthersAreNot() throws Exception {
        BitSet all = Processors.allowed();
        assertThat(all.cardinality()).isPositive();
        CompletableFuture<BitSet> bound = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                BitSet one = new BitSet();
                one.set(all.nextSetBit(0));
                Processors.allow(one);
                bound.complete(Processors.allowed());
            } catch (Exception failed) {
                bound.completeExceptionally(failed);
            }
        });
        assertThat(bound).succeedsWithin(60, TimeUnit.SECONDS)
                .satisfies(set -> assertThat(set.cardinality()).isEqualTo(1));
        assertThat(Processors.allowed()).isEqualTo(all);
        assertThatThrownBy(() -> Processors.allow(new BitSet())).hasMessageContaining("EINVAL");
        BitSet far = new BitSet();
        far.set(5000);
        assertThatThrownBy(() -> Processors.allow(far)).hasMessageContaining("EINVAL");
    }
}
