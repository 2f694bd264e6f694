package io.manafold.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Candidate;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class GogoSessionTest {
    private final GogoFixture shell = new GogoFixture();

    @AfterEach
    void close() {
        shell.close();
    }

    @Test
    void wordsArriveAsTheyWereTyped() {
        assertThat(shell.run("say % * ? $x ~ {a [b =c <d >e (f) & ! `g` a=b #not")).isZero();
        assertThat(shell.out().lines()).containsExactly("%", "*", "?", "$x", "~", "{a", "[b", "=c", "<d", ">e", "(f)",
                "&",
                "!", "`g`", "a=b");
    }

    @Test
    void wordsArriveAsTheyWereTypedInAPipeAsWell() {
        assertThat(shell.run("say % * $x '{a b' [c \"don't\" | cat")).isZero();
        assertThat(shell.out().lines()).containsExactly("%", "*", "$x", "{a b", "[c", "don't");
        assertThat(shell.err()).isEmpty();
    }

    @Test
    void aPipeEndsWithTheStatusOfItsLastCommandOrOfAFailureOfOurs() {
        assertThat(shell.run("list | grep two")).isZero();
        assertThat(shell.out()).isEqualTo("two      22\n");
        assertThat(shell.run("list | grep nosuch")).isEqualTo(1);
        assertThat(shell.run("refuse | cat")).isEqualTo(1);
        assertThat(shell.err()).isEqualTo("manafold: There is no device 'x'. (ENODEV)\n");
        assertThat(shell.run("misuse | cat")).isEqualTo(2);
        assertThat(shell.run("list | nosuch")).isEqualTo(2);
        assertThat(shell.run("list | say ours")).isZero();
        assertThat(shell.out()).isEqualTo("ours\n");
    }

    @Test
    void builtInIsWhatNeedsNoCommandOfAnyBundle() {
        assertThat(List.of("echo first'-'answer", "echo a; echo b | grep \"b\"", "", " # nothing"))
                .allMatch(shell.session::isBuiltIn);
        assertThat(List.of("list", "nosuch", "echo a; nosuch", "echo (list)", "echo $x", "x = 5", "each [1 2] {list}",
                "list | grep two", "felix:lb", "echo a |")).noneMatch(shell.session::isBuiltIn);
        shell.close();
        assertThat(shell.session.isBuiltIn("echo a")).isFalse();
    }

    @Test
    void aFailingStatementEndsTheLine() {
        assertThat(shell.run("say a; refuse; say b")).isEqualTo(1);
        assertThat(shell.out()).isEqualTo("a\n");
        assertThat(shell.run("say a\nmisuse\nsay b")).isEqualTo(2);
        assertThat(shell.run("refuse || say b; say c && say d # all of them")).isZero();
        assertThat(shell.out()).isEqualTo("b\nc\nd\n");
        assertThat(shell.run("say a || say b")).isZero();
        assertThat(shell.out()).isEqualTo("a\n");
        assertThat(shell.run("")).isZero();
        assertThat(shell.run(" ; # nothing\n;; ")).isZero();
    }

    @Test
    void sentencesNeverComeWithAStackTrace() {
        assertThat(shell.run("refuse")).isEqualTo(1);
        assertThat(shell.err()).isEqualTo("manafold: There is no device 'x'. (ENODEV)\n");
        assertThat(shell.run("misuse")).isEqualTo(2);
        assertThat(shell.err()).isEqualTo("manafold: That makes no sense.\nusage: misuse\n");
        assertThat(shell.run("crash")).isEqualTo(1);
        assertThat(shell.err())
                .isEqualTo("manafold: crash failed: IllegalStateException: seven of nine; 'log' has the details.\n");
        assertThat(shell.run("explode")).isEqualTo(1);
        assertThat(shell.err()).startsWith("manafold: explode failed: StackOverflowError");
        assertThat(shell.run("explode | cat")).isEqualTo(1);
    }

    @Test
    void aSingleWrongWordIsOneSentence() {
        assertThat(shell.run("list --emty")).isEqualTo(2);
        assertThat(shell.err()).isEqualTo("manafold: There is no option of list '--emty'; did you mean '--empty'?\n");
        assertThat(shell.run("list -z")).isEqualTo(2);
        assertThat(shell.err()).isEqualTo("manafold: There is no option of list '-z'. Type: help list\n");
    }

    @Test
    void whoAsksForJsonReadsFailuresAsJson() {
        shell.add(shown("deny", call -> {
            throw new Refusal(Errno.ENODEV, "There is no device 'x'.");
        }));
        shell.add(shown("burst", call -> {
            throw new IllegalStateException("seven");
        }));
        assertThat(shell.run("list --json --emty")).isEqualTo(2);
        assertThat(shell.err()).isEqualTo(
                "{\"error\":\"There is no option of list '--emty'; did you mean '--empty'?\","
                        + "\"errno\":null,\"status\":2}\n");
        assertThat(shell.run("deny --json")).isEqualTo(1);
        assertThat(shell.err())
                .isEqualTo("{\"error\":\"There is no device 'x'.\",\"errno\":\"ENODEV\",\"status\":1}\n");
        assertThat(shell.run("deny --json | cat")).isEqualTo(1);
        assertThat(shell.err()).startsWith("{\"error\":");
        assertThat(shell.run("each [a] { deny --json }")).isEqualTo(1);
        assertThat(shell.err()).startsWith("{\"error\":");
        assertThat(shell.run("burst --json")).isEqualTo(1);
        assertThat(shell.err()).startsWith("{\"error\":\"burst failed: ").endsWith("\"status\":1}\n");
    }

    private static FakeCommand shown(String name, FakeCommand.Body body) {
        return new FakeCommand(Syntax.command(name, "test", "Does " + name).shows().example(name, "it").build(), body);
    }

    @Test
    void aCommandThatIsKnownByNameIsMadeWhenItIsUsed() {
        AtomicInteger made = new AtomicInteger();
        shell.commands.add("late", () -> {
            made.incrementAndGet();
            return new FakeCommand(Syntax.command("late", "test", "Comes late").raw(Completer.NONE).example("late",
                    "it").build(), call -> call.out().println("here"));
        });
        shell.commands.add("never", () -> null);
        assertThat(shell.commands.names()).contains("late", "never");
        assertThat(shell.run("list")).isZero();
        assertThat(made).hasValue(0);
        assertThat(shell.run("late; late")).isZero();
        assertThat(shell.out()).isEqualTo("here\nhere\n");
        assertThat(made).hasValue(1);
        assertThat(shell.run("never")).isEqualTo(1);
        assertThat(shell.err()).contains("The command never has just gone");
        assertThat(shell.run("help")).isZero();
        assertThat(shell.out()).contains("late").doesNotContain("never");
    }

    @Test
    void aCommandThatItsBundleDoesNotMakeReadyHoldsUpNoOther() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch made = new CountDownLatch(1);
        shell.commands.add("late", () -> {
            awaitWhateverInterrupts(release);
            made.countDown();
            return new FakeCommand(Syntax.command("late", "test", "Comes late").raw(Completer.NONE)
                    .example("late", "it").build(), call -> call.out().println("here"));
        });
        shell.commands.add("cannot be typed", () -> {
            awaitWhateverInterrupts(release);
            return null;
        });
        try {
            assertThat(shell.session.complete("l", 1)).extracting(Candidate::value)
                    .containsExactly("late", "linger", "list");
            assertThat(shell.session.complete("late ", 5)).isEmpty();
            assertThat(shell.session.complete("help late ", 10)).isEmpty();
            assertThat(shell.run("help")).isZero();
            assertThat(shell.out()).contains("not ready yet\n  late  ", "  list").doesNotContain("typed");
            assertThat(shell.run("help --json")).isZero();
            assertThat(shell.out()).contains("\"late\"", "not made it ready");
            assertThat(made.getCount()).isOne();
            interrupt("late; say no");
            interrupt("list | late; say no");
            interrupt("help late");
            assertThat(made.getCount()).isOne();
        } finally {
            release.countDown();
        }
        assertThat(shell.run("late")).isZero();
        assertThat(shell.out()).isEqualTo("here\n");
        assertThat(shell.session.complete("lat", 3)).extracting(Candidate::description).containsExactly("Comes late");
    }

    /** As a bundle does that waits for a lock. */
    private static void awaitWhateverInterrupts(CountDownLatch release) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (release.getCount() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            Thread.interrupted();
        }
    }

    /** Interrupts a line until it ends. */
    private void interrupt(String line) throws InterruptedException {
        AtomicInteger status = new AtomicInteger(-1);
        Thread runner = new Thread(() -> status.set(shell.run(line)));
        runner.start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!runner.join(Duration.ofMillis(50)) && System.nanoTime() < end) {
            runner.interrupt();
        }
        assertThat(runner.isAlive()).isFalse();
        assertThat(status).hasValue(1);
        assertThat(shell.err()).endsWith("manafold: interrupted\n");
        assertThat(shell.out()).isEmpty();
    }

    @Test
    void unknownCommandsAreWrongUsageAndNameTheNearest() {
        assertThat(shell.run("lsit")).isEqualTo(2);
        assertThat(shell.err())
                .isEqualTo("manafold: There is no command 'lsit'; did you mean 'list'?\n'help' lists the commands.\n");
        assertThat(shell.run("gerp x")).isEqualTo(2);
        assertThat(shell.err()).contains("did you mean 'grep'?");
    }

    @Test
    void whatGogoCannotReadIsWrongUsage() {
        assertThat(shell.run("echo (")).isEqualTo(2);
        assertThat(shell.run("echo 'abc")).isEqualTo(2);
        assertThat(shell.run("echo }")).isEqualTo(2);
        assertThat(shell.err()).startsWith("manafold: The statement that begins with 'echo' cannot be read: ");
        assertThat(shell.run("say 'abc")).isEqualTo(2);
        assertThat(shell.err()).isEqualTo("manafold: The quote ' at character 5 is not closed.\n");
        assertThat(shell.run("list |")).isEqualTo(2);
        assertThat(shell.run("| list")).isEqualTo(2);
    }

    @Test
    void gogosOwnConstructsWorkBesideOurs() {
        assertThat(shell.run("x = 5; echo $x; say $x")).isZero();
        assertThat(shell.out()).isEqualTo("5\n5\n$x\n");
        assertThat(shell.run("each [a b] { say $it }")).isZero();
        assertThat(shell.run("y = (list --json); echo $y | grep name")).isZero();
        assertThat(shell.run("{ say a; refuse; say b }")).isZero();
        assertThat(shell.run("each [a b] { refuse }")).isEqualTo(1);
        assertThat(shell.err()).isEqualTo("manafold: There is no device 'x'. (ENODEV)\n");
        assertThat(shell.run("try { refuse } { say caught }")).isZero();
        assertThat(shell.out()).isEqualTo("caught\n");
    }

    @Test
    void aListIsATableOrJson() {
        assertThat(shell.run("list")).isZero();
        assertThat(shell.out()).isEqualTo("NAME  COUNT\none       1\ntwo      22\n");
        assertThat(shell.run("list --empty")).isZero();
        assertThat(shell.out()).isEqualTo("NAME  COUNT\n");
        assertThat(shell.run("--json list")).isEqualTo(2);
        assertThat(shell.run("list --json --empty")).isZero();
        assertThat(shell.out()).isEqualTo("[]\n");
        assertThat(shell.run("list --json")).isZero();
        assertThat(shell.out().replaceAll("\\s", ""))
                .isEqualTo("[{\"name\":\"one\",\"count\":1},{\"name\":\"two\",\"count\":22}]");
    }

    @Test
    void jsonOfACommandThatShowsNothingIsWrongUsage() {
        assertThat(shell.run("say --json")).isEqualTo(2);
        assertThat(shell.err())
                .startsWith("{\"error\":\"say shows nothing, so there is nothing for --json to show.\",");
    }

    @Test
    void exitEndsTheSessionWithItsStatus() {
        assertThat(shell.run("exit 256")).isEqualTo(2);
        assertThat(shell.session.ended()).isFalse();
        assertThat(shell.run("exit 3; say no")).isEqualTo(3);
        assertThat(shell.session.ended()).isTrue();
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err()).isEmpty();
    }

    @Test
    void helpListsAndExplains() {
        assertThat(shell.run("help")).isZero();
        assertThat(shell.out()).contains("shell\n  exit").contains("test\n").contains("  list");
        assertThat(shell.run("help list")).isZero();
        String explained = shell.out();
        assertThat(explained).startsWith("usage: list [-e] [--json]\n\nLists.\n").contains("\nexamples\n");
        assertThat(shell.run("list --nosuch --help")).isZero();
        assertThat(shell.out()).isEqualTo(explained);
        assertThat(shell.run("say x --help")).isZero();
        assertThat(shell.out()).startsWith("usage: say\n");
        assertThat(shell.run("help --json")).isZero();
        assertThat(shell.out()).startsWith("[");
        assertThat(shell.run("help --markdown")).isZero();
        assertThat(shell.out()).startsWith("# Commands\n").contains("\n### list\n");
        assertThat(shell.run("help lisst")).isEqualTo(2);
        assertThat(shell.err()).contains("did you mean 'list'?");
    }

    @Test
    void interruptionEndsACommandAndTheLine() throws Exception {
        assertInterrupted("linger; say no");
    }

    @Test
    void interruptionEndsAPipeAndTheSessionGoesOn() throws Exception {
        assertThat(shell.run("x = kept")).isZero();
        assertInterrupted("linger | cat; say no");
        assertThat(shell.run("echo $x")).isZero();
        assertThat(shell.out()).isEqualTo("kept\n");
    }

    private void assertInterrupted(String line) throws Exception {
        AtomicInteger status = new AtomicInteger(-1);
        Thread runner = new Thread(() -> status.set(shell.run(line)));
        runner.start();
        assertThat(shell.waiting.await(30, TimeUnit.SECONDS)).isTrue();
        runner.interrupt();
        runner.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(runner.isAlive()).isFalse();
        assertThat(shell.left.await(0, TimeUnit.SECONDS)).isTrue();
        assertThat(status).hasValue(1);
        assertThat(shell.err()).endsWith("manafold: interrupted\n");
        assertThat(shell.out()).isEmpty();
    }

    @Test
    void hostileLinesAreAnsweredWithAStatus() {
        assertThat(shell.run("(".repeat(20_000))).isEqualTo(2);
        assertThat(shell.run("nosuch ".repeat(20_000))).isEqualTo(2);
        assertThat(shell.run("x".repeat(2_000_000))).isEqualTo(2);
        assertThat(shell.run("\u001b[31m\u0000nosuch")).isEqualTo(2);
        assertThat(shell.err()).doesNotContain("\u001b").doesNotContain("\u0000");
        assertThat(shell.run("say " + "y ".repeat(300_000))).isZero();
        assertThat(shell.run("misuse '")).isEqualTo(2);
        assertThat(shell.err().lines()).hasSize(1);
    }

    @Test
    void completesNamesOptionsAndForeignCommands() {
        assertThat(shell.session.complete("li", 2)).extracting(Candidate::value).containsExactly("linger", "list");
        assertThat(shell.session.complete("list -", 6)).extracting(Candidate::value)
                .containsExactly("-e", "--empty", "--json", "--watch", "--help");
        assertThat(shell.session.complete("list | gr", 9)).extracting(Candidate::value).containsExactly("grep");
        assertThat(shell.session.complete("say x; help re", 14)).extracting(Candidate::value).containsExactly("refuse");
        assertThat(shell.session.complete("", 0)).extracting(Candidate::value).contains("help", "list")
                .doesNotContain("grep");
        assertThat(shell.session.complete("say '", 5)).extracting(Candidate::value).containsExactly("--help");
    }
}
