package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.ObjectLimit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Lists of pages that come in pieces. */
class RegionTest {
    private static final int PAGE = 4096;

    private static long[] pages(int from, int count) {
        return LongStream.range(from, from + count).map(page -> page * PAGE).toArray();
    }

    @Test
    void aListTakesAsMuchAsWasSentNotAsWasAnnounced() {
        int announced = ObjectLimit.REGION_PAGES.most();
        Region region = new Region(1, (long) announced * PAGE, 0, 12, announced);
        region.add(pages(0, 7));
        assertThat(region.room()).isLessThanOrEqualTo(14);
        for (int sent = 7; sent < 70_000; sent += 500) {
            region.add(pages(sent, 500));
            assertThat(region.room()).isLessThanOrEqualTo(2 * (sent + 500));
        }
        assertThat(region.total()).isEqualTo(announced);
        assertThat(region.isComplete()).isFalse();
    }

    @Test
    void piecesMakeOneList() {
        Region region = new Region(1, 10L * PAGE, 0, 12, 10);
        region.add(pages(0, 3));
        region.add(pages(3, 4));
        assertThatThrownBy(() -> region.add(pages(7, 4))).isInstanceOf(CommandException.class);
        assertThat(region.isComplete()).isFalse();
        region.add(pages(7, 3));
        assertThat(region.isComplete()).isTrue();
        assertThat(region.queuePages(8 * PAGE)).isEqualTo(pages(0, 8));
    }
}
