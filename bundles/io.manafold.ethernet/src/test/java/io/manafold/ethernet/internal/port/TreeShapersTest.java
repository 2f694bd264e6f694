package io.manafold.ethernet.internal.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.message.QueryShaperStatistics;
import io.manafold.gdma.message.QueryShaperStatistics.Entry;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What devices tell of their shapers. */
@Timeout(60)
class TreeShapersTest {
    private static List<Entry> page(int scope, int first, int count) {
        return IntStream.range(first, first + count).mapToObj(id -> new Entry(scope, id, 0, 0, 0, 0, 0)).toList();
    }

    @Test
    void aDeviceThatTellsOfShapersWithoutEndIsNotBelieved() {
        int[] asked = new int[1];
        assertThatThrownBy(() -> TreeShapers.status("mana0", (_, id) -> {
            assertThat(++asked[0]).as("pages that were asked for").isLessThan(1000);
            return page(2, id, QueryShaperStatistics.MOST);
        })).isInstanceOfSatisfying(Refusal.class, refused -> assertThat(refused.errno()).isEqualTo(Errno.EPROTO))
                .hasMessageContaining("mana0 tells of more than 16384 shapers");
    }

    @Test
    void asManyAsThereCanBeAreTold() {
        assertThat(TreeShapers.status("mana0", (_, id) -> page(2, id, Math.min(QueryShaperStatistics.MOST,
                TreeShapers.MOST - id)))).hasSize(TreeShapers.MOST);
    }
}
