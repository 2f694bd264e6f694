package io.manafold.commands.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.doctor.Sighting;
import io.manafold.api.doctor.Survey;
import io.manafold.api.doctor.Survey.Answer;
import io.manafold.api.doctor.Survey.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a boot has shown beside what the files say: which of it is no success. */
class SightingTextTest {
    private static final String ALONE = "function alone";

    private static List<String> problems(String name, Answer files, Answer seen) {
        return SightingText.problems(new Survey(List.of(), List.of(verdict(name, files, "the files"))),
                new Sighting(List.of(), List.of(verdict(name, seen, "the time was over before its port was set up")),
                List.of()));
    }

    private static Verdict verdict(String name, Answer answer, String why) {
        return new Verdict(name, answer, why, List.of());
    }

    @Test
    void aBootThatHasNotShownInTimeThatTheFunctionWorksIsNoSuccess() {
        assertThat(problems(ALONE, Answer.YES, Answer.NOT_SHOWN)).containsExactly("function alone: the files say yes, "
                + "and the boot has not shown it: the time was over before its port was set up. If the time was over, "
                + "give more with --limit SECONDS.");
    }

    /** Of many drivers that are well a reset is not shown, and an image that is not fit has nothing to show. */
    @Test
    void whatIsNotShownIsNoProblemOfOtherVerdictsOrWhereTheFilesPromiseNothing() {
        assertThat(problems("function reset", Answer.YES, Answer.NOT_SHOWN)).isEmpty();
        assertThat(problems(ALONE, Answer.NO, Answer.NOT_SHOWN)).isEmpty();
        assertThat(problems(ALONE, Answer.NOT_SHOWN, Answer.NOT_SHOWN)).isEmpty();
    }

    @Test
    void aNoIsAProblemAndWhatTheFilesDoNotSayIsOne() {
        assertThat(problems(ALONE, Answer.YES, Answer.YES)).isEmpty();
        assertThat(problems(ALONE, Answer.NO, Answer.YES)).singleElement().asString().contains("the files say no");
        assertThat(problems(ALONE, Answer.NOT_SHOWN, Answer.NO)).singleElement().asString().contains("does not work");
    }
}
