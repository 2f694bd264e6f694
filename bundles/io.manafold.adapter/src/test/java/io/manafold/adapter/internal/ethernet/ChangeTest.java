package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Changes of a port are made by its agent, and waited for by others. */
class ChangeTest extends PortPair {
    /** The agent of the other port may be the same one, which would wait for itself until it gives up. */
    @Test
    void aChangeThatAsksForAnotherOneIsRefusedAtOnce() {
        assertThatThrownBy(() -> one.port.change("this", () -> two.port.change("that", () -> { })))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("that");
        int[] made = new int[1];
        one.port.change("this", () -> made[0]++);
        two.port.change("that", () -> made[0]++);
        assertThat(made[0]).isEqualTo(2);
    }
}
