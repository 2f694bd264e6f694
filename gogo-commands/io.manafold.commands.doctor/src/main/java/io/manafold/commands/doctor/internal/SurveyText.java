package io.manafold.commands.doctor.internal;

import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.Survey;
import io.manafold.shell.Fields;
import io.manafold.shell.PlainText;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** What an image is fit for, for people and for programs. */
final class SurveyText {
    private static final String INDENT = " ".repeat(16);

    private SurveyText() {
    }

    static Fields fields(String target, Survey survey, List<Diagnosis> diagnoses) {
        return Fields.of("target", target).and("verdicts", survey.verdicts().stream()
                .map(one -> Fields.of("name", one.name())
                .and("verdict", word(one.answer())).and("why", one.why()).and("evidence", one.evidence().stream()
                        .map(line -> Fields.of("source", line.source()).and("line", line.line())).toList())).toList())
                .and("kernels", survey.kernels().stream().map(SurveyText::fields).toList())
                .and("checks", diagnoses.stream().map(DiagnosisText::fields).toList());
    }

    private static Fields fields(Survey.Kernel kernel) {
        Fields fields = Fields.of("release", kernel.release());
        kernel.facts().forEach(fields::and);
        return fields;
    }

    static String word(Survey.Answer answer) {
        return answer.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    static void print(PrintStream out, Survey survey) {
        for (Survey.Verdict one : survey.verdicts()) {
            out.printf("%-14s  %s: %s%n", safe(one.name()), word(one.answer()), safe(one.why()));
            one.evidence().forEach(line -> out.println(INDENT + safe(line.source()) + ": " + safe(line.line())));
        }
        for (Survey.Kernel kernel : survey.kernels()) {
            out.println("kernel " + safe(kernel.release()));
            kernel.facts().forEach((name, value) -> out.println(INDENT + safe(name) + ": " + safe(value)));
        }
        out.println();
    }

    /** For a page: what an image is not fit for is as a check that has failed. */
    static List<Diagnosis> diagnoses(String target, Survey survey) {
        return survey.verdicts().stream().map(one -> diagnosis(target, one.name(), one)).toList();
    }

    static Diagnosis diagnosis(String target, String name, Survey.Verdict verdict) {
        Finding finding = switch (verdict.answer()) {
            case YES -> Finding.ok(verdict.why());
            case NO -> Finding.fail(verdict.why());
            case NOT_SHOWN -> Finding.skipped(verdict.why());
        };
        for (Finding.Line line : verdict.evidence()) {
            finding = finding.line(line.source(), line.line());
        }
        return new Diagnosis("", name + ": " + word(verdict.answer()), target, finding, List.of(), null);
    }

    private static String safe(String text) {
        return PlainText.oneLine(text);
    }
}
