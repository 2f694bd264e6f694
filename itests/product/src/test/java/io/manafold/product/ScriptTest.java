package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** Lines given with -c, in a file, or through a pipe: streams and statuses as scripts rely on them. */
class ScriptTest {
    /** What only reads shares a start. */
    private static final List<String> READING = List.of("help | grep lspci", "vfio list; fault list; capture list",
            "vfio list --json; fault list --json; events --json --last 0", "adapter list --json", "lspci -n");
    private static final Map<String, String> PRINTED = new TreeMap<>();

    @TempDir
    Path folder;

    @BeforeAll
    static void read() {
        String[] printed = Run.manafold("-c", String.join("; echo next; ", READING)).end().done().out()
                .split("(?m)^next\n", -1);
        assertThat(printed).hasSameSizeAs(READING);
        for (int i = 0; i < printed.length; i++) {
            PRINTED.put(READING.get(i), printed[i]);
        }
    }

    @Test
    void aCommandPrintsJsonAndEndsWithZero() {
        Run.Ended ended = Run.manafold("-c", "drivers --json").end().done();
        assertThat(ended.json()).isInstanceOf(JsonArray.class);
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void anUnknownCommandEndsWithTwoAndASentence() {
        Run.Ended ended = Run.manafold("-c", "nosuch").end().refused(2, "nosuch");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void aMisspeltCommandIsToldItsNearestName() {
        Run.manafold("-c", "drivrs").end().refused(2, "drivers");
    }

    @Test
    void linesThroughAPipeEndWithThePipe() {
        Run.Ended ended = Run.manafold().fed("drivers\n").done();
        assertThat(ended.out()).contains("NAME").doesNotContain("manafold>");
    }

    @Test
    void aFailingCommandEndsItsLineAndItsStatusIsTheProcesss() {
        Run.Ended ended = Run.manafold("-c", "unbind 0000:00:00.0; drivers").end().refused(1, "0000:00:00.0", "ENODEV");
        assertThat(ended.out()).isEmpty();
        Run.manafold("-c", "drivers --nosuch; drivers").end().refused(2, "--nosuch");
    }

    @Test
    void aScriptRunsFromAFileAndStopsAtTheFirstLineThatFailsUnlessItIsToGoOn() throws Exception {
        Path script = Files.writeString(folder.resolve("script"),
                "# a comment\nunbind 0000:00:00.0; drivers\n\ncapture list --json\n");
        Run.Ended stopped = Run.manafold("run", script.toString()).end().refused(1, "0000:00:00.0",
                script + ", line 2: ended with status 1");
        assertThat(stopped.out()).isEmpty();
        Path junit = folder.resolve("report.xml");
        Run.Ended ended = Run.manafold("run", script.toString(), "--keep-going", "--report", "junit", junit.toString())
                .end().refused(1, "0000:00:00.0");
        assertThat(ended.out()).isEqualToIgnoringWhitespace("[]");
        Element suite = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(junit.toFile())
                .getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo("2");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getElementsByTagName("failure").item(0).getTextContent()).contains("ENODEV");
        Path tap = folder.resolve("report.tap");
        Run.manafold("run", script.toString(), "--report", "tap", tap.toString()).end().refused(1, "line 2");
        assertThat(Files.readString(tap)).startsWith("TAP version 13\n1..1\nnot ok 1 - line 2: unbind 0000:00:00.0; "
                + "drivers\n# status 1\n# manafold: ");
        Run.manafold("run", script.toString(), "--report", "html", tap.toString()).end().refused(2, "junit or tap");
        Run.manafold("-c", "drivers", "--keep-going").end().refused(2, "--keep-going is for run FILE");
    }

    @Test
    void aScriptThatIsNotThereIsASentence() {
        Run.manafold("run", folder.resolve("nowhere").toString()).end().refused(1, "nowhere");
    }

    @Test
    void exitEndsWithItsNumber() {
        assertThat(Run.manafold("-c", "exit 3; drivers").end().status()).isEqualTo(3);
        assertThat(Run.manafold().fed("exit 4\ndrivers\n").status()).isEqualTo(4);
    }

    @Test
    void wordsReachACommandAsTheyWereTyped() {
        Run.manafold("-c", "unbind %*?[x]$HOME{y}").end().refused(1, "%*?[x]$HOME{y}");
    }

    @Test
    void outputCanBePiped() {
        assertThat(PRINTED.get("help | grep lspci").lines()).isNotEmpty().allMatch(line -> line.contains("lspci"));
    }

    @Test
    void wrongOptionsOfTheProgramEndWithTwo() {
        Run.manafold("--nosuch").end().refused(2, "--nosuch");
        Run.manafold("-c").end().refused(2, "-c");
        Run.manafold("--data").end().refused(2, "--data");
    }

    @Test
    void anEmptyListPrintsItsHeader() {
        assertThat(PRINTED.get("vfio list; fault list; capture list").lines())
                .hasSize(3).allMatch(line -> line.equals(line.toUpperCase(Locale.ROOT)));
        assertThat(PRINTED.get("vfio list --json; fault list --json; events --json --last 0"))
                .isEqualTo("[]\n".repeat(3));
    }

    @Test
    void theDefaultLabIsUpFromTheStart() {
        assertThat(new Run.Ended(0, PRINTED.get("adapter list --json"), "").json()).isInstanceOfSatisfying(
                JsonArray.class, adapters -> {
                    assertThat(adapters).hasSize(1);
                    assertThat(adapters.getJsonObject(0).getString("name")).isEqualTo("one");
                    assertThat(adapters.getJsonObject(0).getString("address")).isEqualTo("7870:00:00.0");
                    assertThat(adapters.getJsonObject(0).getInt("ports")).isEqualTo(2);
                });
        assertThat(PRINTED.get("lspci -n")).isEqualTo("7870:00:00.0 0200: 1414:00ba\n");
    }

    @Test
    void theLabsForVirtualMachinesLendTheirAdapters() {
        assertThat(Run.manafold("--lab", "qemu-one", "-c", "vfio list --json").end().done().json())
                .isInstanceOfSatisfying(JsonArray.class, exports -> {
                    assertThat(exports).hasSize(1);
                    assertThat(exports.getJsonObject(0).getString("adapter")).isEqualTo("one");
                    assertThat(exports.getJsonObject(0).getBoolean("connected")).isFalse();
                });
        assertThat(Run.manafold("--lab", "qemu-two", "-c", "vfio export b").end().done().out())
                .startsWith("qemu-system-x86_64 ").contains("vfio-user-pci", "b.sock");
    }

    @Test
    void nothingIsLeftInTheTemporaryFolder() throws IOException {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Run.manafold("-c", "drivers").with("TMPDIR", temporary.toString()).end().done();
        Run.manafold("--nosuch").with("TMPDIR", temporary.toString()).end().refused(2, "--nosuch");
        Run.manafold("--lab", "nosuch", "-c", "drivers").with("TMPDIR", temporary.toString()).end()
                .refused(1, "nosuch");
        try (var left = Files.walk(temporary)) {
            assertThat(left).as("the folder above the run folders stays, empty").hasSizeLessThanOrEqualTo(2)
                    .allSatisfy(path ->
                    assertThat(path.equals(temporary) || path.getFileName().toString().startsWith(".manafold-run-"))
                            .isTrue());
        }
    }

    @Test
    void aLabThatIsNotThereOrWrongIsASentence() throws IOException {
        Run.manafold("--lab", "nosuchlab", "-c", "drivers").end().refused(1, "nosuchlab");
        Path lab = Files.writeString(folder.resolve("mine.yaml"), "# mine\nadaptors: []\n");
        Run.manafold("--lab", lab.toString(), "-c", "drivers").end().refused(1, "adaptors", "line 2", "adapters");
    }

    @Test
    void theSamePlatformRunsOnEquinox() throws IOException {
        Run.Ended ended = Run.jar("equinox.jar", Files.createDirectory(folder.resolve("run")), "-c",
                "capture list --json; lab list; adapter list").end().done();
        assertThat(ended.out()).contains("[]", "default", "7870:00:00.0");
        Run.of(Run.manafold("--java").end().done().out().strip() + "/bin/java", "-jar",
                Run.TOP.resolve("bndrun/target/equinox.jar").toString(), "-c", "nosuch").end().refused(2, "nosuch");
    }
}
