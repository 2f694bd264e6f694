package io.manafold.commands.dpdk.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.testpmd.TestPmd;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.shell.host.CommandLine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines in, text out, and an end in every case. */
class TestpmdCommandTest {
    private final List<String> lines = new ArrayList<>();
    private List<String> words = List.of();
    private boolean finished;
    private boolean asks = true;
    private int period;
    private int periods;
    /** While this line is carried out the user interrupts. */
    private String interruptedLine;

    private final TestPmd program = new TestPmd() {
        @Override
        public TestPmdRun start(List<String> given) {
            words = given;
            if (given.contains("--nonsense")) {
                throw new Refusal(Errno.EINVAL, "There is no such option.");
            }
            return new Answers();
        }

        @Override
        public List<ProbedPort> look(List<String> given) {
            words = given;
            return List.of(new ProbedPort("7870:00:00.0", 1, MacAddress.parse("00:0d:3a:00:00:01"), "mana0",
                    "network stack", "", ""), new ProbedPort("7870:00:00.0", 2, null, "", "", "",
                    "It has no address."), new ProbedPort("7870:00:07.0", 0, null, "", "", "", "It is not there."));
        }

        @Override
        public List<String> options() {
            return List.of("--burst", "--cmdline-file", "--cmdline-file-noecho");
        }

        @Override
        public String usage() {
            return "usage\n";
        }
    };

    private final class Answers implements TestPmdRun {
        @Override
        public String opening() {
            return "opening\n";
        }

        @Override
        public boolean isInteractive() {
            return asks;
        }

        @Override
        public int period() {
            return period;
        }

        @Override
        public String periodic() {
            return "";
        }

        @Override
        public String line(String line) {
            lines.add(line);
            if (line.equals(interruptedLine)) {
                Thread.currentThread().interrupt();
            }
            return "answer\n";
        }

        @Override
        public Map<String, Object> outcome() {
            return lines.getLast().startsWith("set") ? Map.of("errno", "EINVAL") : Map.of("status", 0);
        }

        @Override
        public List<String> completions(String line) {
            return List.of();
        }

        @Override
        public String events() {
            return period > 0 && periods++ == 1 ? "Port 0: intr_lsc event\nPort 1: intr_rmv event\n" : "";
        }

        @Override
        public boolean isEnded() {
            return lines.contains("quit") || periods > 1;
        }

        @Override
        public Map<String, Object> figures() {
            return Map.of("ports", List.of(Map.of("port", finished ? 1 : 0)));
        }

        @Override
        public String finish() {
            String text = finished ? "" : Thread.currentThread().isInterrupted() ? "in haste\n" : "finish\n";
            finished = true;
            return text;
        }

        @Override
        public void close() {
            finish();
        }
    }

    /** One that a failed test leaves is not the next one's. */
    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    private String run(String line, String typed, int status) {
        return run(line, new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)), status);
    }

    private String run(String line, InputStream typed, int status) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertThat(CommandLine.run(new Testpmd.Short(program, new HostAddresses()), List.of(line.split(" ")), typed,
                print, print)).isEqualTo(status);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void linesUntilQuit() {
        assertThat(run("-l 0-1 -- -i", "start\r\nstop\nquit\nmore\n", 0)).isEqualTo(
                "opening\ntestpmd> answer\ntestpmd> answer\ntestpmd> answer\nfinish\n");
        assertThat(lines).containsExactly("start", "stop", "quit");
        assertThat(words).containsExactly("-l", "0-1", "--", "-i");
    }

    @Test
    void aDryRunShowsPortsAndTakesNone() {
        assertThat(run("-l 0-1 --dry-run -- -i", "", 0))
                .containsPattern("7870:00:00.0 +1 +00:0d:3a:00:00:01 +mana0 +network stack +\\S* *(true|yes)")
                .contains("It has no address.", "ip link set mana0 down");
        assertThat(run("-l 0-1 --dry-run --json", "", 0)).contains("\"owner\": \"network stack\"", "\"taken\": false")
                .containsPattern("\"device\": \"7870:00:07.0\",\\s*\"port\": null");
        assertThat(words).containsExactly("-l", "0-1", "--dry-run");
        assertThat(finished).as("nothing was started").isFalse();
    }

    @Test
    void aDryRunTellsTheVersionToo() {
        assertThat(run("-l 0-1 -v --dry-run", "", 0)).startsWith("RTE Version: 'Manafold'\n").contains("7870:00:00.0");
        assertThat(run("-l 0-1 --version --dry-run -- -i", "", 0)).startsWith("RTE Version: 'Manafold'\n");
        assertThat(run("-l 0-1 --dry-run -- -v", "", 0)).doesNotContain("RTE Version");
        assertThat(run("-l 0-1 -v --dry-run --json", "", 0)).as("objects alone").doesNotContain("RTE Version");
    }

    @Test
    void helpIsShownAndNothingStarted() {
        assertThat(run("-l 0-1 -h -- -i", "", 0)).isEqualTo("usage\n");
        assertThat(words).isEmpty();
    }

    @Test
    void theEndOfInputEndsIt() {
        assertThat(run("-- -i", "start", 0)).endsWith("answer\ntestpmd> finish\n");
        assertThat(finished).isTrue();
    }

    /** As the platform's inputs tell of it: by an exception, and by the thread's own sign. */
    private static InputStream interrupted() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for input");
            }
        };
    }

    /** What ends the program waits for cores and ports, which a thread that counts as interrupted cannot. */
    @Test
    void whatIsInterruptedAtALineOrBeforeEnterEndsAsOthersDo() {
        assertThat(run("-- -i", interrupted(), 1)).startsWith("opening\ntestpmd> finish\n");
        asks = false;
        finished = false;
        assertThat(run("--", interrupted(), 1)).startsWith("opening\nfinish\n");
    }

    /** What is here already is taken without a wait, which alone would tell of the interrupt. */
    @Test
    void noLineFollowsTheOneThatIsInterrupted(@TempDir Path folder) throws Exception {
        interruptedLine = "show port stats all";
        InputStream typed = new ByteArrayInputStream((interruptedLine + "\nstop\nquit\n")
                .getBytes(StandardCharsets.UTF_8));
        assertThat(run("-- -i", typed, 1)).startsWith("opening\ntestpmd> answer\ntestpmd> finish\n");
        assertThat(new String(typed.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("stop\nquit\n");
        finished = false;
        assertThat(run("-- -i", interruptedLine + "\n", 1)).as("the last of the input").contains("> finish\n");
        finished = false;
        Path file = Files.writeString(folder.resolve("lines"), interruptedLine + "\nstart\n");
        assertThat(run("-- -i --cmdline-file-noecho=" + file, "stop\n", 1)).startsWith("opening\nanswer\nfinish\n");
        assertThat(lines).containsOnly(interruptedLine);
    }

    @Test
    void whatIsInterruptedWhileItQuitsEndsAsOthersDoAndTellsTheShell() {
        interruptedLine = "quit";
        String text = run("-- -i", "quit\n", 0);
        assertThat(Thread.interrupted()).as("the shell is told").isTrue();
        assertThat(text).endsWith("answer\nfinish\n");
    }

    @Test
    void withoutPromptEnterEndsIt() {
        asks = false;
        assertThat(run("--", "\n", 0)).isEqualTo("opening\nfinish\n");
    }

    @Test
    void objectsForPrograms() {
        asks = false;
        assertThat(run("-- --json", "\n", 0).replaceAll("\\s", "")).isEqualTo(
                "{\"event\":\"start\",\"ports\":[{\"port\":0}]}{\"event\":\"end\",\"ports\":[{\"port\":1}],"
                + "\"text\":\"finish\\n\"}");
    }

    @Test
    void linesOfAFileComeFirst(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("lines"), "set fwd mac\nquit\n");
        assertThat(run("-- -i --cmdline-file=" + file, "never\n", 0)).contains("testpmd> set fwd mac\nanswer\n");
        assertThat(lines).containsExactly("set fwd mac", "quit");
        lines.clear();
        assertThat(run("-- -i --cmdline-file-noecho " + file, "", 0)).contains("opening\nanswer\nanswer\n")
                .doesNotContain("set fwd mac");
        lines.clear();
        finished = false;
        assertThat(run("-- -i --cmdline-file-no=" + file, "", 0)).as("an option that is abbreviated")
                .contains("opening\nanswer\nanswer\nfinish").doesNotContain("set fwd mac");
        assertThat(run("-- --cmdline-file-noecho=/bin/sh", "", 2)).contains("is no file of text");
        assertThat(run("-- --cmdline-file /nowhere/at/all", "", 2)).contains("is no file of lines");
    }

    @Test
    void aFileThatIsTooLargeForLinesIsRefused(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("lines");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(64L << 30);
        }
        assertThat(run("-- -i --cmdline-file=" + file, "quit\n", 1))
                .contains("is larger than 1048576 bytes", "Take lines out. (EINVAL)");
        Files.writeString(file, "\n".repeat(10_001));
        assertThat(run("-- -i --cmdline-file=" + file, "quit\n", 1))
                .contains("has more than 10000 lines", "Take lines out. (EINVAL)");
        assertThat(words).as("nothing was started").isEmpty();
        Files.writeString(file, "\n".repeat(9_999) + "quit");
        assertThat(run("-- -i --cmdline-file=" + file, "", 0)).contains("finish");
        finished = false;
        Files.writeString(file, "x".repeat((1 << 20) - 5) + "\nquit");
        assertThat(run("-- -i --cmdline-file=" + file, "", 0)).contains("finish");
        assertThat(lines).last().isEqualTo("quit");
    }

    /** Programs read an object a line, lines of files among them. */
    @Test
    void linesOfAFileAreObjectsForPrograms(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("lines"), "set fwd mac\n");
        for (String option : List.of("--cmdline-file=", "--cmdline-file-noecho=")) {
            lines.clear();
            finished = false;
            String object = "\"ports\":[{\"port\":0}]";
            assertThat(run("-- -i --json " + option + file, "quit\n", 0).replaceAll("\\s", "")).isEqualTo(
                    "{\"event\":\"start\"," + object + "}"
                    + "{\"event\":\"line\"," + object + ",\"line\":\"setfwdmac\",\"text\":\"answer\\n\","
                    + "\"errno\":\"EINVAL\"}"
                    + "{\"event\":\"line\"," + object + ",\"line\":\"quit\",\"text\":\"answer\\n\",\"status\":0}"
                    + "{\"event\":\"end\"," + object.replace("0", "1") + ",\"text\":\"finish\\n\"}");
        }
    }

    @Test
    void objectsOfPeriodsSayWhatHasHappened() {
        asks = false;
        period = 1;
        assertThat(run("-- --json", "", 0).replaceAll("\\s", "")).contains("{\"event\":\"statistics\",\"events\":"
                + "[\"Port0:intr_lscevent\",\"Port1:intr_rmvevent\"],\"ports\":[{\"port\":0}]}");
    }

    /** The program refuses it, as it has more characters than a line may have. */
    @Test
    void aLineThatIsTooLongIsNotCutToOneThatIsCarriedOut() {
        run("-- -i", "start" + " ".repeat(4096) + "x\n" + "\u20ac".repeat(4096) + "\nquit\n", 0);
        assertThat(lines.getFirst()).hasSizeGreaterThan(4096);
        assertThat(lines.get(1)).isEqualTo("\u20ac".repeat(4096));
        lines.clear();
        run("-- -i", "\u20ac".repeat(5000) + "\nquit\n", 0);
        assertThat(lines.getFirst()).hasSizeGreaterThan(4096);
    }

    @Test
    void refusalsAreSentences() {
        assertThat(run("-- --nonsense", "", 1)).contains("There is no such option. (EINVAL)");
    }
}
