package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A platform that stays up: ready, attached to, refused to a second, stopped, killed. */
class RunningTest {
    @TempDir
    static Path other;

    /** For what leaves it as it was. */
    private static Run shared;
    private static String sharedData;

    @TempDir
    Path folder;

    private String data;

    @BeforeAll
    static void start() {
        sharedData = other.resolve("data").toString();
        shared = Run.manafold("--headless", "--data", sharedData).start();
        shared.awaitOut("ready\n");
    }

    @AfterAll
    static void end() {
        shared.close();
    }

    @BeforeEach
    void name() {
        data = folder.resolve("data").toString();
    }

    private Run headless() {
        Run run = Run.manafold("--headless", "--data", data).start();
        run.awaitOut("ready\n");
        return run;
    }

    @Test
    void saysReadyAndStopsInOrder() {
        try (Run run = headless()) {
            assertThat(run.outSoFar()).isEqualTo("ready\n");
            run.terminate();
            Run.Ended ended = run.ended(Duration.ofSeconds(60));
            assertThat(ended.status()).isZero();
            assertThat(ended.err()).isEmpty();
        }
    }

    @Test
    void othersAttachWithTheSameRules() {
        assertThat(Run.manafold("attach", "--data", sharedData, "-c", "drivers --json").end().done().json())
                .isInstanceOf(JsonArray.class);
        Run.manafold("attach", "--data", sharedData, "-c", "nosuch").end().refused(2, "nosuch");
        Run.manafold("attach", "--data", sharedData, "-c", "unbind 0000:00:00.0; drivers").end().refused(1, "ENODEV");
        assertThat(Run.manafold("attach", "--data", sharedData).fed("drivers\nexit 5\n").status()).isEqualTo(5);
        assertThat(shared.process().isAlive()).isTrue();
    }

    @Test
    void onlyItsOwnerCanAttach() throws IOException {
        Path socket = Path.of(sharedData, "attach.sock");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket))).isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(sharedData))))
                .isEqualTo("rwx------");
    }

    @Test
    void leavingEndsTheCommandAndNotThePlatform() throws InterruptedException {
        try (Run follower = Run.manafold("attach", "--data", sharedData, "-c", "events --follow --json").start()) {
            Run.manafold("attach", "--data", sharedData, "-c", "lab down default; lab up default").end();
            Thread.sleep(200);
            follower.terminate();
            assertThat(follower.ended(Duration.ofSeconds(60)).status()).isNotZero();
        }
        Run.manafold("attach", "--data", sharedData, "-c", "drivers").end().done();
    }

    @Test
    void aSecondOneIsRefusedWithThePidAndTheLineToType() {
        Run.manafold("--data", sharedData, "-c", "drivers").end()
                .refused(1, Long.toString(shared.pid()), Run.TOP.resolve("manafold") + " attach --data " + sharedData);
    }

    @Test
    void aLockOfAProcessThatWasKilledIsTakenOver() {
        try (Run run = headless()) {
            run.process().destroyForcibly();
            run.ended();
        }
        Run.manafold("--data", data, "-c", "drivers").end().done();
        try (Run again = headless()) {
            Run.manafold("attach", "--data", data, "-c", "drivers").end().done();
        }
    }

    @Test
    void thereIsNobodyToAttachTo() {
        Run.manafold("attach", "--data", data, "-c", "drivers").end().refused(1, data);
    }

    @Test
    void aPathTooLongForASocketIsASentence() {
        String deep = folder.resolve("d".repeat(120)).toString();
        Run.manafold("--headless", "--data", deep).end().refused(1, "107");
    }

    @Test
    void aFileWhereTheFolderShouldBeIsASentence() throws IOException {
        Files.writeString(Path.of(data), "in the way");
        Run.manafold("--data", data, "-c", "drivers").end().refused(1, data);
    }

    @Test
    void theLogIsAFileAndCanBeReadInside() {
        assertThat(Path.of(sharedData, "log", "manafold.log")).exists();
        Run.manafold("attach", "--data", sharedData, "-c", "log --json").end().done();
    }

    @Test
    void endsWithItsTerminal() {
        // end of input at a terminal is Ctrl-D
        try (Run prompt = atTerminal()) {
            prompt.awaitOut("manafold> ");
            prompt.type("drivers\r");
            // typed only when it reads again, as people do; completion adds the rest
            prompt.awaitOut("VERSION", "manafold> ");
            prompt.type("dri\t");
            prompt.awaitOut("VERSION", "vers");
            prompt.type("--json\r");
            prompt.awaitOut("\"version\":", "manafold> ");
            prompt.type("\u0004");
            assertThat(prompt.ended().status()).isZero();
        }
    }

    @Test
    void aLineTypedWhileThePlatformComesUpIsCarriedOutWhenItIs() throws IOException {
        try (Run prompt = atTerminal()) {
            prompt.awaitOut("manafold> ");
            prompt.type("ping -c 1 -I mana0 10.77.0.2\r");
            prompt.awaitOut("1 received", "manafold> ");
            prompt.type("exit 3\r");
            assertThat(prompt.ended().status()).isEqualTo(3);
        }
        assertThat(Files.readString(Path.of(data, "log", "manafold.log"))).doesNotContain("WARN", "ERROR");
    }

    @Test
    void greetsWithWhatIsUp() {
        try (Run prompt = atTerminal()) {
            prompt.awaitOut("Up: lab default; 3 devices with their drivers; network devices mana0, mana1.");
            prompt.awaitOut("Words to begin with: help, devices, events.", "manafold> ");
            prompt.type("exit\r");
            assertThat(prompt.ended().status()).isZero();
        }
    }

    @Test
    void aSecondTerminalIsGreetedAsTheFirst() {
        try (Run prompt = attachedTerminal()) {
            prompt.awaitOut("Up: lab default; 3 devices with their drivers; network devices mana0, mana1.");
            prompt.awaitOut("Words to begin with: help, devices, events.", "manafold> ");
            prompt.type("exit\r");
            assertThat(prompt.ended().status()).isZero();
            assertThat(shared.outSoFar()).isEqualTo("ready\n");
        }
    }

    @Test
    void theLetterBehindControlCIsNotLost() {
        try (Run prompt = atTerminal()) {
            letterBehindControlC(prompt, List.of("", "events --follow\r", "log --follow\r"));
        }
        try (Run prompt = attachedTerminal()) {
            letterBehindControlC(prompt, List.of("", "events --follow\r"));
            assertThat(shared.outSoFar()).isEqualTo("ready\n");
        }
    }

    /** In an empty line, behind what is dropped, behind a command that runs, and behind one that is typed with it. */
    private static void letterBehindControlC(Run prompt, List<String> lines) {
        prompt.awaitOut("Words to begin with");
        for (int round = 0; round < 5; round++) {
            for (String before : lines) {
                int seen = prompt.outSoFar().length();
                prompt.type(before);
                if (before.equals("events --follow\r")) {
                    prompt.awaitOutBehind(seen, " is bound to ");
                }
                int length = prompt.outSoFar().length();
                prompt.type("\u0003version\r");
                assertThat(prompt.awaitOutBehind(length, "framework").substring(length)).as("behind '%s'", before)
                        .doesNotContain("ersion' is", "nosuchv", "'nosuch");
                prompt.awaitOutBehind(prompt.outSoFar().lastIndexOf("framework"), "manafold> ");
            }
        }
        prompt.type("exit\r");
        // a shell that was interrupted last may say so
        assertThat(prompt.ended().status()).isIn(0, 130);
    }

    private static Run attachedTerminal() {
        return Run.of("script", "-qefc", Run.TOP.resolve("manafold") + " attach --data " + sharedData, "/dev/null")
                .start();
    }

    @Test
    void canBeLeftBeforeThePlatformIsUp() throws IOException {
        try (Run prompt = atTerminal()) {
            prompt.awaitOut("manafold> ");
            prompt.type("\u0004");
            assertThat(prompt.ended().status()).isZero();
        }
        assertThat(Files.readString(Path.of(data, "log", "manafold.log"))).doesNotContain("WARN", "ERROR");
    }

    /** script(1) gives it a terminal. */
    private Run atTerminal() {
        return Run.of("script", "-qefc", Run.TOP.resolve("manafold") + " --data " + data, "/dev/null").start();
    }
}
