package io.manafold.failover.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.SavedSettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PairPortTest {
    /** As the port's own is called, but for its beginning. */
    @Test
    void whatIsKeptOfAPairIsItsLabsAndItsPortsAndNotThatOfTheFunction() {
        PairPort port = new PairPort("one two", 1, List.of(), Optional.empty());
        assertThat(port.subject(SavedSettings.HOST, "a/b")).isEqualTo("pairinet:a%2Fb/one+two/1");
        assertThat(port.subject(SavedSettings.PORT, null)).isEqualTo("pairport:-/one+two/1");
    }
}
