package io.manafold.launcher.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.launcher.internal.lines.InterruptibleInput;
import org.junit.jupiter.api.Test;

class StandardStreamsTest {
    /** Or a command that waits for a line would not get to its end when the process is told to end. */
    @Test
    void whoWaitsForTheInputCanBeInterrupted() {
        assertThat(new StandardStreams(new ExitRequest()).in()).isInstanceOf(InterruptibleInput.class);
    }
}
