package io.manafold.rdma.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.CompletionStatus;
import io.manafold.gdma.WorkStatus;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The contract and the vocabulary of applications share no bundle, and say the same of how work ends. */
class StatusesTest {
    @Test
    void theContractHasTheNumbersAndWordsOfApplications() {
        assertThat(Arrays.stream(WorkStatus.values()).map(status -> status.number() + " " + status.label()))
                .containsExactlyElementsOf(Arrays.stream(CompletionStatus.values())
                        .map(status -> status.number() + " " + status.label()).toList());
    }
}
