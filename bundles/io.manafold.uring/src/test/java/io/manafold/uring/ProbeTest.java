package io.manafold.uring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProbeTest {
    @Test
    void everyOperationIsAnsweredAndWhatIsMissingIsExplained() {
        List<Probe.Answer> answers = Probe.run();
        assertThat(answers).extracting(Probe.Answer::operation).containsExactly(Operation.values());
        answers.forEach(answer -> {
            assertThat(answer.errno() == 0).isEqualTo(answer.available());
            assertThat(answer.why().isEmpty()).isEqualTo(answer.available());
        });
    }

    @Test
    void whatEveryKernelWithRingsCanDoIsFound() {
        Rings.areAllowed();
        assertThat(Probe.run()).filteredOn(Probe.Answer::available).extracting(Probe.Answer::operation)
                .contains(Operation.SEND, Operation.SEND_GATHERED, Operation.RECEIVE, Operation.REGISTERED_BUFFERS);
    }
}
