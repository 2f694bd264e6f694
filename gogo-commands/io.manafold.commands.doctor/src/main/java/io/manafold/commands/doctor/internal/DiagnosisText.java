package io.manafold.commands.doctor.internal;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.shell.Fields;
import io.manafold.shell.PlainText;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What checks have said, for people and for programs. No control character of a stranger gets to a terminal. */
final class DiagnosisText {
    private static final String INDENT = "           ";

    private DiagnosisText() {
    }

    static Fields fields(Diagnosis one) {
        Finding finding = one.finding();
        return Fields.of("id", one.id()).and("name", one.name()).and("target", one.target())
                .and("state", word(finding.state())).and("summary", finding.summary())
                .and("evidence", finding.evidence().stream().map(line -> Fields.of("source", line.source())
                .and("line", line.line())).toList())
                .and("search", finding.search()).and("mend", finding.mend()).and("needs", one.needs()).and("skipped_by",
                one.skippedBy());
    }

    static Fields explained(Check check) {
        return Fields.of("id", check.id()).and("name", check.name()).and("needs", check.needs())
                .and("about", check.about());
    }

    private static String word(Finding.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Each check on a line, what is wrong with its lines below; those with nothing to look at on lines of their own at
     * the end.
     */
    static void print(PrintStream out, List<Diagnosis> diagnoses) {
        for (Diagnosis one : diagnoses) {
            Finding finding = one.finding();
            if (finding.state() == Finding.State.SKIPPED) {
                continue;
            }
            out.printf("%-4s %5s %s: %s%n", word(finding.state()), safe(one.id()), safe(one.name()),
                    safe(finding.summary()));
            boolean wrong = finding.state() != Finding.State.OK;
            finding.evidence().stream().limit(wrong ? Long.MAX_VALUE : 4)
                    .forEach(line -> out.println(INDENT + safe(line.source()) + ": " + safe(line.line())));
            if (wrong) {
                finding.mend().forEach(line -> out.println(INDENT + "mend: " + safe(line)));
                if (!finding.search().isEmpty()) {
                    out.println(INDENT + "search: " + finding.search().stream().map(DiagnosisText::safe)
                            .collect(Collectors.joining("; ")));
                }
            }
        }
        diagnoses.stream().filter(one -> one.finding().state() == Finding.State.SKIPPED)
                .collect(Collectors.groupingBy(one -> one.finding().summary(), LinkedHashMap::new,
                        Collectors.mapping(one -> safe(one.id()), Collectors.joining(", "))))
                .forEach((summary, ids) -> out.println("skipped " + ids + ": " + safe(summary)));
    }

    static void printAnswers(PrintStream out, Evidence evidence) {
        for (String name : evidence.answers()) {
            String text = evidence.answer(name).orElse("").strip();
            if (!text.isEmpty() && !name.equals("functions")) {
                text.lines().forEach(line -> out.println(safe(name) + ": " + safe(line)));
            }
        }
        out.println();
    }

    static void explain(PrintStream out, Check check) {
        out.println(safe(check.id()) + " " + safe(check.name()));
        if (!check.needs().isEmpty()) {
            out.println("needs: " + safe(String.join(", ", check.needs())));
        }
        out.println();
        out.println(PlainText.lines(check.about().strip()));
    }

    private static String safe(String text) {
        return PlainText.oneLine(text);
    }
}
