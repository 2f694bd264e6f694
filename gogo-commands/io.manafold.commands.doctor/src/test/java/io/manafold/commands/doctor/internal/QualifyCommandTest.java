package io.manafold.commands.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.qualify.Difference;
import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.Measure;
import io.manafold.api.qualify.Qualification;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.qualify.QualificationReport.LeftOut;
import io.manafold.api.qualify.Slice;
import io.manafold.api.qualify.Unit;
import io.manafold.shell.host.CommandLine;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QualifyCommandTest {
    private static final String ESCAPE = "\u001b[2J";

    @TempDir
    private Path folder;

    private final List<QualificationPlan> plans = new ArrayList<>();
    private boolean interrupted;
    private Difference.Verdict verdict = Difference.Verdict.SAME;

    private final Qualification fake = new Qualification() {
        @Override
        public QualificationReport run(QualificationPlan plan, Consumer<String> progress) {
            plans.add(plan);
            progress.accept("warming up" + ESCAPE);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return read(null);
        }

        @Override
        public List<String> devices() {
            return List.of("mana0", "mana1");
        }

        @Override
        public List<String> adapters() {
            return List.of("one");
        }

        @Override
        public QualificationReport read(Path file) {
            return new QualificationReport(Instant.EPOCH, !interrupted, Map.of("cpu", "any" + ESCAPE), Map.of("from",
                    "mana0"), List.of(rate(), new Measure("lost", 64, Unit.PERCENT, List.of(new Slice(0, 1, "")))),
                    List.of(new LeftOut("rate-9018", "needs an MTU" + ESCAPE)));
        }

        @Override
        public List<Difference> compare(QualificationReport before, QualificationReport after) {
            return List.of(new Difference("rate-64", rate(), rate(), 1, verdict), new Difference("full-64", rate(),
                    null, Double.NaN, Difference.Verdict.ONE_SIDED));
        }

        @Override
        public Map<String, Object> values(QualificationReport report) {
            return Map.of("finished", report.finished());
        }

        @Override
        public String json(QualificationReport report) {
            return "{}\n";
        }

        @Override
        public String page(QualificationReport report) {
            return "<page>";
        }
    };

    private static Measure rate() {
        return new Measure("rate", 64, Unit.PACKETS_PER_SECOND, List.of(new Slice(1e6, 2, ""), new Slice(2e6, 2,
                "stolen")));
    }

    private record Answer(int status, String out, String err) {
    }

    private Answer ask(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = CommandLine.run(new QualifyCommand(fake), List.of(words), InputStream.nullInputStream(),
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true,
                StandardCharsets.UTF_8));
        return new Answer(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void wordsBecomeAPlan() {
        assertThat(ask("run", "--from", "mana1", "--to", "mana0", "--sizes", "64,1518", "--slice", "0.2", "--rounds",
                "3", "--servicing", "one").status()).isZero();
        assertThat(ask("run", "--quick").status()).isZero();
        assertThat(ask("run", "--engine", "pmd", "--bursts", "1,32").status()).isZero();
        assertThat(plans.getLast()).isEqualTo(new QualificationPlan(Engine.PMD, "", "", QualificationPlan.FEW_SIZES,
                List.of(1, 32), QualificationPlan.QUEUES, Duration.ofMillis(500), 9, 3000, "", "", Duration.ZERO));
        plans.removeLast();
        assertThat(ask("run", "--guest", "one", "--to", "10.77.0.2", "--engine", "pmd").status()).isEqualTo(2);
        assertThat(ask("run", "--guest", "one", "--to", "10.77.0.2").status()).isZero();
        assertThat(plans.removeLast()).matches(plan -> plan.engine() == Engine.GUEST && plan.guest().equals("one")
                && plan.to().equals("10.77.0.2") && plan.bursts().isEmpty());
        assertThat(plans.getFirst()).isEqualTo(new QualificationPlan("mana1", "mana0", List.of(64, 1518),
                Duration.ofMillis(200), 3, 3000, "one", Duration.ZERO));
        assertThat(plans.getLast().sizes()).isEqualTo(QualificationPlan.SIZES);
        assertThat(plans.getLast().limit()).isPositive().isLessThan(Duration.ofMinutes(1));
    }

    /** What is said to be possible is. */
    @ParameterizedTest
    @CsvSource({"--sizes, 63, 'a whole number from 64 to 65535'", "--sizes, '64,65536', from 64 to 65535",
        "--sizes, 64 128, 'Each of --sizes, with commas between,'", "--bursts, 513, from 1 to 512",
        "--bursts, 0, from 1 to 512", "--queues, '1,65', from 1 to 64", "--slice, 0.009, from 0.01 to 60",
        "--slice, 60.1, from 0.01 to 60"})
    void rangesAreThoseOfAPlan(String option, String text, String range) {
        Answer answer = ask("run", option, text);
        assertThat(answer.status()).isEqualTo(2);
        assertThat(answer.err()).contains(range);
        assertThat(plans).isEmpty();
    }

    @Test
    void bothFilesAreWrittenAndShown() throws Exception {
        Answer answer = ask("run", "--out", folder.resolve("mine").toString());
        assertThat(answer.status()).isZero();
        assertThat(answer.out()).contains("1.50 Mpps", "1.25 to 1.75 Mpps", "298 Mpps", "397", "1 of 2",
                "left out: rate-9018: needs an MTU\\u001b[2J", "1 of 3 slices are marked").doesNotContain("\u001b");
        assertThat(answer.err()).contains("warming up\\u001b[2J").doesNotContain("\u001b");
        assertThat(Files.readString(folder.resolve("mine.html"))).isEqualTo("<page>");
        assertThat(Files.readString(folder.resolve("mine.json"))).isEqualTo("{}\n");
    }

    @Test
    void aNameMayHaveItsEnding() {
        ask("run", "--out", folder.resolve("page.html").toString());
        ask("run", "--out", folder.resolve("numbers.json").toString());
        ask("run", "--out", folder.resolve("build.1").toString());
        assertThat(folder).isDirectoryContaining("glob:**/page.html").isDirectoryContaining("glob:**/page.json")
                .isDirectoryContaining("glob:**/numbers.html").isDirectoryContaining("glob:**/numbers.json")
                .isDirectoryContaining("glob:**/build.1.html").isDirectoryContaining("glob:**/build.1.json");
        assertThat(folder.resolve("page.html.html")).doesNotExist();
    }

    @Test
    void aPlaceThatCannotBeWrittenToIsToldBeforeAnythingIsMeasured() {
        Answer answer = ask("run", "--out", folder.resolve("none").resolve("mine").toString());
        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.err()).contains("No report can be written");
        assertThat(plans).isEmpty();
    }

    @Test
    void whoEndsItHasWhatThereIs() {
        interrupted = true;
        Answer answer = ask("run", "--out", folder.resolve("mine").toString());
        Thread.interrupted();
        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.out()).contains("unfinished", "1.50 Mpps");
        assertThat(folder.resolve("mine.html")).exists();
        assertThat(folder.resolve("mine.json")).exists();
    }

    @Test
    void programsGetOneObject() {
        assertThat(ask("run", "--json")).isEqualTo(new Answer(0, "{\n    \"finished\": true\n}\n", ""));
        assertThat(ask("show", "any.json", "--json").out()).startsWith("{");
    }

    @Test
    void theStatusSaysWhetherSomethingIsWorse() {
        Answer same = ask("compare", "a.json", "b.json");
        assertThat(same.status()).isZero();
        assertThat(same.out()).contains("rate-64", "1.00", "same", "not after");
        verdict = Difference.Verdict.WORSE;
        Answer worse = ask("compare", "a.json", "b.json");
        assertThat(worse.status()).isEqualTo(1);
        assertThat(worse.err()).contains("Worse beyond the noise: rate-64.");
        assertThat(ask("compare", "a.json", "b.json", "--json").out()).contains("\"verdict\": \"worse\"",
                "\"ratio\": null");
    }

    @ParameterizedTest
    @CsvSource({"--sizes, '64,x'", "--sizes, ''", "--slice, -1", "--slice, 1e99", "--slice, fast", "--rounds, 0",
        "--engine, steam", "--bursts, '1,'", "--queues, two"})
    void wordsThatMakeNoSenseAreToldSo(String option, String value) {
        Answer answer = ask("run", option, value);
        assertThat(answer.status()).isEqualTo(2);
        assertThat(answer.err()).contains(option);
        assertThat(plans).isEmpty();
    }
}
