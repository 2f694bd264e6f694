package io.manafold.commands.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.doctor.BootableImage;
import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Doctor;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.ImageBoot;
import io.manafold.api.doctor.Sighting;
import io.manafold.api.doctor.Survey;
import io.manafold.shell.Session;
import io.manafold.shell.Shell;
import io.manafold.shell.host.CommandLine;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorCommandTest {
    private static final String ESCAPE = "\u001b[2J";

    @TempDir
    private Path folder;

    private List<Diagnosis> diagnoses = List.of();
    private final Survey survey = new Survey(List.of(new Survey.Kernel("6.12",
            new TreeMap<>(Map.of("mana", "no" + ESCAPE)))), List.of(new Survey.Verdict("pair", Survey.Answer.NOT_SHOWN,
            "no rule shows it", List.of(new Finding.Line("/etc/x", "line" + ESCAPE)))));
    private final List<String> lines = new ArrayList<>();
    private List<Diagnosis> mended = List.of();
    private int endsWith;
    private Survey.Answer seen = Survey.Answer.YES;
    private List<?> reported = List.of();
    private Evidence.Kind kind = Evidence.Kind.PLATFORM;

    private record Said(int status, String out, String err) {
    }

    private Said say(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        DoctorCommand command = new DoctorCommand(doctor(), shell());
        command.boot = boot();
        int status = CommandLine.run(command, List.of(words),
                InputStream.nullInputStream(), new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Said(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private Doctor doctor() {
        Check check = proxy(Check.class, (method, _) -> switch (method) {
            case "id" -> "8";
            case "name" -> "port released";
            case "needs" -> List.of("2");
            default -> "A port has one user.";
        });
        Evidence evidence = proxy(Evidence.class, (method, _) -> switch (method) {
            case "kind" -> kind;
            case "target" -> "target";
            case "answers" -> List.of("ports");
            default -> Optional.of("one/1 open=yes" + ESCAPE + "\n");
        });
        return proxy(Doctor.class, (method, arguments) -> switch (method) {
            case "checks" -> List.of(check);
            case "adapters" -> List.of("one");
            case "examine" -> diagnoses;
            case "script" -> "#!/bin/sh\n";
            case "page" -> {
                reported = List.copyOf((List<?>) arguments[1]);
                yield "<page>";
            }
            case "survey" -> survey;
            default -> evidence;
        });
    }

    /** Boots nothing, and says what was seen. */
    private ImageBoot boot() {
        Evidence evidence = proxy(Evidence.class, (method, _) -> method.equals("target") ? "target" : kind);
        Sighting sighting = new Sighting(List.of(), List.of(new Survey.Verdict("pair", seen, "it answers",
                List.of(new Finding.Line("device", "line")))), List.of());
        BootableImage image = proxy(BootableImage.class, (method, _) -> switch (method) {
            case "evidence" -> evidence;
            case "boot" -> sighting;
            default -> null;
        });
        return (_, _, _) -> image;
    }

    /** Carries out nothing, and says how that ended. */
    private Shell shell() {
        return (_, _, _) -> proxy(Session.class, (method, arguments) -> {
            if (method.equals("execute")) {
                lines.add((String) arguments[0]);
                diagnoses = mended;
                return endsWith;
            }
            return null;
        });
    }

    private interface Answer {
        Object to(String method, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (_, method, arguments) -> answer.to(method.getName(), arguments)));
    }

    private static Diagnosis diagnosis(String id, Finding finding, String skippedBy) {
        return new Diagnosis(id, "check " + id, "target", finding, List.of("1"), skippedBy);
    }

    private void found() {
        diagnoses = List.of(diagnosis("2", Finding.ok("fine").line("functions", "7870:00:00.0"), null),
                diagnosis("8", Finding.fail("mana0 is up").line("interfaces", "mana0" + ESCAPE).search("-19")
                .mend("ip link set mana0 down"), null), diagnosis("9", Finding.skipped("check 8 comes first"), "8"));
    }

    @Test
    void whatFailsIsShownWithWhatMendsIt() {
        found();
        Said said = say();
        assertThat(said.out()).isEqualTo("""
                ok       2 check 2: fine
                           functions: 7870:00:00.0
                fail     8 check 8: mana0 is up
                           interfaces: mana0\\u001b[2J
                           mend: ip link set mana0 down
                           search: -19
                skipped 9: check 8 comes first
                """);
        assertThat(said.status()).isEqualTo(1);
        assertThat(said.err()).contains("Check 8 has failed");
    }

    @Test
    void keysForPrograms() {
        found();
        String dense = say("--json").out().replaceAll("\\s+", "");
        assertThat(dense).contains(
                "{\"id\":\"8\",\"name\":\"check8\",\"target\":\"target\",\"state\":\"fail\",\"summary\":\"mana0isup\","
                + "\"evidence\":[{\"source\":\"interfaces\",\"line\":\"mana0\\u001b[2J\"}],"
                + "\"search\":[\"-19\"],\"mend\":"
                + "[\"iplinksetmana0down\"],\"needs\":[\"1\"],\"skipped_by\":null}").contains("\"skipped_by\":\"8\"");
        assertThat(dense).startsWith("[{").endsWith("}]");
    }

    @Test
    void allWellIsStatusZero() {
        diagnoses = List.of(diagnosis("1", Finding.warn("hm").mend("x"), null));
        assertThat(say("host").status()).isZero();
        assertThat(say().out()).startsWith("warn     1 check 1: hm\n");
    }

    @Test
    void aReportIsWritten() throws Exception {
        Path file = folder.resolve("report.html");
        assertThat(say("--report", file.toString()).status()).isZero();
        assertThat(Files.readString(file)).isEqualTo("<page>");
        assertThat(say("--report", folder.toString()).err()).contains("cannot be written");
    }

    /** Whether it works or not: what the files say, what was seen, and the checks. */
    @ParameterizedTest
    @CsvSource({"YES, 0, ok", "NO, 1, fail"})
    void aReportOfABootIsWrittenWhateverWasSeen(Survey.Answer answer, int status, String state) throws Exception {
        seen = answer;
        diagnoses = List.of(diagnosis("1", Finding.ok("fine"), null));
        Path file = folder.resolve("report.html");
        Said said = say("image", "x", "--boot", "--report", file.toString());
        assertThat(said.status()).as(said.err()).isEqualTo(status);
        assertThat(Files.readString(file)).isEqualTo("<page>");
        assertThat(reported).map(one -> ((Diagnosis) one).name() + ", "
                + ((Diagnosis) one).finding().state().name().toLowerCase(Locale.ROOT)).containsExactly(
                "pair: not shown, skipped", "pair, booted: " + answer.name().toLowerCase(Locale.ROOT) + ", " + state,
                "check 1, ok");
    }

    @Test
    void whatTheDeviceSawComesFirst() {
        assertThat(say("guest", "one").out()).isEqualTo("ports: one/1 open=yes\\u001b[2J\n\n");
    }

    @Test
    void whatAScriptHasWrittenIsNoImage() {
        kind = Evidence.Kind.MACHINE;
        assertThat(say("read", "x").status()).isZero();
        assertThat(say("image", "x").err()).contains("'doctor read'");
        kind = Evidence.Kind.IMAGE;
        assertThat(say("image", "x").status()).isZero();
        assertThat(say("read", "x").err()).contains("'doctor image'");
    }

    @Test
    void anImageIsJudged() {
        kind = Evidence.Kind.IMAGE;
        diagnoses = List.of(diagnosis("1", Finding.ok("fine"), null));
        assertThat(say("image", "x").out()).isEqualTo("""
                pair            not shown: no rule shows it
                                /etc/x: line\\u001b[2J
                kernel 6.12
                                mana: no\\u001b[2J

                ok       1 check 1: fine
                """);
        assertThat(say("image", "x", "--json").out().replaceAll("\\s+", ""))
                .startsWith("{\"target\":\"target\",\"verdicts\":[{\"name\":\"pair\","
                + "\"verdict\":\"notshown\",\"why\":\"noruleshowsit\",\"evidence\":[{\"source\":\"/etc/x\"")
                .contains("\"checks\":[{\"id\":\"1\"");
        assertThat(say("image", "x", "1").out()).isEqualTo("ok       1 check 1: fine\n");
    }

    @Test
    void whatIsShownIsCarriedOutOnceItIsAllowed() {
        found();
        mended = List.of(diagnosis("8", Finding.ok("fine"), null));
        assertThat(say("mend", "8").err()).contains("'doctor mend 8 --yes'");
        assertThat(lines).isEmpty();
        Said said = say("mend", "8", "--yes");
        assertThat(lines).containsExactly("ip link set mana0 down");
        assertThat(said.out()).contains("fail     8", "> ip link set mana0 down\nok       8 check 8: fine\n");
        assertThat(said.status()).isZero();
        assertThat(say("mend", "8", "--yes").status()).isZero();
        assertThat(lines).hasSize(1);
        found();
        endsWith = 1;
        assertThat(say("mend", "8", "--yes").err()).contains("what follows it was not tried");
        found();
        endsWith = 0;
        mended = diagnoses;
        assertThat(say("mend", "8", "--yes").err()).contains("still fails");
        diagnoses = List.of(diagnosis("2", Finding.fail("no driver").mend("bind"), null));
        assertThat(say("mend", "8", "--yes").err()).contains("'doctor mend 2'");
    }

    @Test
    void checksAreExplained() {
        assertThat(say("explain").out()).contains("ID  CHECK          NEEDS\n8   port released  2\n");
        assertThat(say("explain", "8").out()).isEqualTo("8 port released\nneeds: 2\n\nA port has one user.\n");
        assertThat(say("explain", "8", "--json").out().replaceAll("\\s+", "")).contains("\"needs\":[\"2\"]");
        assertThat(say("script").out()).isEqualTo("#!/bin/sh\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            explain 88 | There is no check '88'; did you mean '8'?
            guest      | ADAPTER
            image      | PATH
            host --eal | --eal
            """)
    void wordsThatMakeNoSense(String line, String sentence) {
        Said said = say(line.split(" "));
        assertThat(said.err()).contains(sentence);
        assertThat(said.status()).isEqualTo(2);
    }
}
