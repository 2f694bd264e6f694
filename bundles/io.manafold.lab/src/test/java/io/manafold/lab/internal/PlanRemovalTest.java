package io.manafold.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.lab.Labs;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** In which order a lab's configurations go. */
class PlanRemovalTest {
    @Test
    void nodesGoAfterWhatIsBelowThem() {
        SortedMap<String, Map<String, Object>> held = new TreeMap<>();
        held.put("io.manafold.shaper~a", Map.of(Labs.ENTRY, "shapers/a", "scope", "node", "id", 4));
        held.put("io.manafold.shaper~b", Map.of(Labs.ENTRY, "shapers/b", "scope", "queue", "id", 1, "parent", 4));
        held.put("io.manafold.shaper~c", Map.of(Labs.ENTRY, "shapers/c"));
        held.put("io.manafold.adapter~d", Map.of(Labs.ENTRY, "adapters/d"));
        assertThat(Plan.removal(held)).extracting(Step::pid).containsExactly("io.manafold.shaper~b",
                "io.manafold.shaper~c", "io.manafold.shaper~a", "io.manafold.adapter~d");
    }
}
