package io.manafold.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.SystemCallException;
import org.junit.jupiter.api.Test;

class TrialTest {
    @Test
    void whatWasNotAcceptedInOneWayIsAcceptedInAnother() throws SystemCallException {
        Rings.areAllowed();
        try (Trial trial = new Trial(RingSetup.of(16, 64))) {
            // which refuses, as a kernel does that is short of descriptors
            Request noListener = Request.acceptOnAndOn(trial.client.number());
            assertThat(trial.connect(noListener)).isNegative();
            assertThat(trial.accept(Request.accept(trial.listener.number()))).isPositive();
        }
    }
}
