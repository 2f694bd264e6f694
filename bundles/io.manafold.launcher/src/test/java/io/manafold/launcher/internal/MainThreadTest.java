package io.manafold.launcher.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.launcher.internal.words.Arguments;
import io.manafold.launcher.internal.words.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A platform that does not come up while the user looks at its prompt. */
@Timeout(60)
class MainThreadTest {
    private final ExitRequest ending = new ExitRequest();
    private final List<String> told = new ArrayList<>();

    /** It has no start levels to wait for, and fails. */
    private MainThread failing() throws Exception {
        return new MainThread(null, null, Arguments.parse(), null, null, ending);
    }

    @Test
    void thePromptIsToldAndEnds() throws Exception {
        failing().comeUpBehind(told::add);
        assertThat(told).singleElement().asString().contains("The platform did not come up");
        assertThat(ending.await()).isEqualTo(Status.FAILED);
    }

    @Test
    void aPromptThatCannotBeToldEndsAllTheSame() throws Exception {
        MainThread platform = failing();
        assertThatThrownBy(() -> platform.comeUpBehind(sentence -> {
            told.add(sentence);
            throw new NoClassDefFoundError("org/jline/reader/impl/LineReaderImpl$1");
        })).isInstanceOf(NoClassDefFoundError.class);
        assertThat(told).hasSize(1);
        assertThat(ending.asked()).isTrue();
        assertThat(ending.await()).isEqualTo(Status.FAILED);
    }

    @Test
    void aPlatformThatIsToEndAnywayTellsNothing() throws Exception {
        ending.ask(Status.DONE);
        failing().comeUpBehind(told::add);
        assertThat(told).isEmpty();
        assertThat(ending.await()).isEqualTo(Status.DONE);
    }
}
