package io.manafold.traffic.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Numbers of one flow, in any order. */
class FlowTest {
    private final Flow flow = new Flow();

    @Test
    void whatArrivesIsNextLateOrThereAgain() {
        assertThat(flow.arrived(0)).isEqualTo(Flow.Fit.NEXT);
        assertThat(flow.arrived(5000)).isEqualTo(Flow.Fit.NEXT);
        assertThat(flow.arrived(4000)).isEqualTo(Flow.Fit.LATE);
        assertThat(flow.arrived(4000)).isEqualTo(Flow.Fit.AGAIN);
        assertThat(flow.arrived(904)).isEqualTo(Flow.Fit.LATE);
        assertThat(flow.arrived(5000)).isEqualTo(Flow.Fit.AGAIN);
        assertThat(flow.next()).isEqualTo(5001);
    }

    @Test
    void theHighestNumberThereIsComesToAnEnd() {
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            assertThat(flow.arrived(Long.MAX_VALUE - 1)).isEqualTo(Flow.Fit.NEXT);
            assertThat(flow.arrived(Long.MAX_VALUE)).isEqualTo(Flow.Fit.NEXT);
        });
    }
}
