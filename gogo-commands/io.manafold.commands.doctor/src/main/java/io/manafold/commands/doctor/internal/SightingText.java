package io.manafold.commands.doctor.internal;

import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Sighting;
import io.manafold.api.doctor.Survey;
import io.manafold.api.doctor.Survey.Answer;
import io.manafold.api.doctor.Survey.Verdict;
import io.manafold.shell.Fields;
import io.manafold.shell.PlainText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** What was seen of an image that was booted, beside what its files have said. */
final class SightingText {
    /** What every boot is to show. Whether a function is reset is not shown of many drivers that are well. */
    private static final String ALONE = "function alone";

    private SightingText() {
    }

    static Fields fields(Survey files, Sighting sighting) {
        return Fields.of("steps", sighting.steps().stream().map(one -> Fields.of("name", one.name())
                .and("seen", SurveyText.word(one.answer())).and("what", one.what()).and("seconds", one.seconds()))
                .toList()).and("verdicts", sighting.verdicts().stream().map(one -> Fields.of("name", one.name())
                        .and("files", SurveyText.word(said(files, one))).and("seen", SurveyText.word(one.answer()))
                        .and("why", one.why())).toList()).and("console", sighting.console());
    }

    static void print(PrintStream out, Survey files, Sighting sighting) {
        out.println("booted");
        for (Sighting.Step one : sighting.steps()) {
            out.printf("%6d s  %-10s %s: %s%n", one.seconds(), PlainText.oneLine(one.name()),
                    SurveyText.word(one.answer()), PlainText.oneLine(one.what()));
        }
        for (Verdict one : sighting.verdicts()) {
            out.printf("%-14s  files: %s, seen: %s%n", PlainText.oneLine(one.name()),
                    SurveyText.word(said(files, one)), SurveyText.word(one.answer()));
        }
        out.println("the end of its console");
        sighting.console().forEach(line -> out.println("          " + PlainText.oneLine(line)));
        out.println();
    }

    /** For a page. */
    static List<Diagnosis> diagnoses(String target, Sighting sighting) {
        return sighting.verdicts().stream().map(one -> SurveyText.diagnosis(target, one.name() + ", booted", one))
                .toList();
    }

    private static Answer said(Survey files, Verdict seen) {
        return files.verdicts().stream().filter(one -> one.name().equals(seen.name())).map(Verdict::answer)
                .findFirst().orElse(Answer.NOT_SHOWN);
    }

    /** What of it is no success: sentences. */
    static List<String> problems(Survey files, Sighting sighting) {
        List<String> problems = new ArrayList<>();
        for (Verdict one : sighting.verdicts()) {
            Answer said = said(files, one);
            boolean shown = said != Answer.NOT_SHOWN && one.answer() != Answer.NOT_SHOWN;
            if (shown && said != one.answer()) {
                problems.add(one.name() + ": the files say " + SurveyText.word(said) + ", and " + SurveyText.word(
                        one.answer()) + " was seen: " + PlainText.oneLine(one.why()) + ".");
            } else if (one.answer() == Answer.NO) {
                problems.add(one.name() + " does not work: " + PlainText.oneLine(one.why()) + ".");
            } else if (said == Answer.YES && one.answer() == Answer.NOT_SHOWN && one.name().equals(ALONE)) {
                problems.add(one.name() + ": the files say yes, and the boot has not shown it: " + PlainText.oneLine(
                        one.why()) + ". If the time was over, give more with --limit SECONDS.");
            }
        }
        return problems;
    }
}
