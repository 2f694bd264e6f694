package io.manafold.pmd.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.ethdev.CoreRun;
import io.manafold.pmd.internal.RefusedThreads;
import io.manafold.pmd.internal.words.EalWords;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoresTest {
    private final RefusedThreads threads = new RefusedThreads();
    private final Cores cores = new Cores(EalWords.parse(List.of("-l", "0-1"), 2), new Directory(), threads);

    @Test
    void aCoreWhoseThreadCannotBeStartedIsFreeForOtherWork() {
        threads.refuses = true;
        assertThatThrownBy(() -> cores.launch(1, () -> 0, List.of())).isInstanceOf(OutOfMemoryError.class);
        threads.refuses = false;
        CoreRun run = cores.launch(1, () -> 0, List.of());
        run.stop();
        assertThat(run.failure()).isNull();
        cores.end();
    }
}
