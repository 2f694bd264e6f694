package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Region;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import io.manafold.streams.HeldRegion;
import org.junit.jupiter.api.Test;

/** One region that many rings have registered. */
class ManyRingsTest {
    private static final int RINGS = 1000;

    @Test
    void aRegionStaysValidAndItsBlockHeldHoweverManyRingsKnowIt() {
        MemorySource memory = Blocks.source();
        Context context = new Context(new NioTransport(), "test", memory);
        try (AutoCloseable _ = context::close; MemoryBlock block = memory.make("test", 4096)) {
            HeldRegion region = (HeldRegion) context.register(block, Region.SEND);
            for (int i = 1; i <= RINGS; i++) {
                assertThat(region.pin()).as("pin %s", i).isTrue();
                assertThat(region.isClosed()).as("closed after pin %s", i).isFalse();
            }
            assertThat(region.use()).isTrue();
            assertThat(region.inFlight()).isEqualTo(1);
            region.close();
            assertThat(region.isClosed()).isTrue();
            region.giveBack();
            for (int i = 1; i <= RINGS; i++) {
                assertThat(block.holders()).as("holders while %s rings know it", RINGS + 1 - i)
                        .containsKey("key 0x" + Integer.toHexString(region.key()) + " of sockets nio, test");
                region.unpin();
            }
            assertThat(block.holders()).as("holders but for its maker").hasSizeLessThan(2);
            assertThat(region.pin()).isFalse();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
        assertThat(memory.blocks()).isEmpty();
    }
}
