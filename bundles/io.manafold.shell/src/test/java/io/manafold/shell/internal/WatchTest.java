package io.manafold.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Session;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WatchTest {
    private static final Syntax SYNTAX = Syntax.command("count", "test", "Counts").shows()
            .example("count", "a number").build();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int calls;
    private int last = 3;

    /** Its reader goes away in the call of number {@link #last}. */
    private Outcome run(int width, FakeCommand.Body body, String... words) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8) {
            @Override
            public boolean checkError() {
                return calls >= last;
            }
        };
        return Runner.run(new FakeCommand(SYNTAX, call -> {
            calls++;
            body.run(call);
        }), SYNTAX, List.of(words), new Streams(new ByteArrayInputStream(new byte[0]), stream,
                new PrintStream(OutputStream.nullOutputStream()), width), null);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theCallIsMadeAgainUntilItsReaderHasGone() {
        assertThat(run(Streams.PIPE, call -> call.print(new Table().column("N", "n").row(calls)), "--watch", "0.1"))
                .isEqualTo(Outcome.DONE);
        assertThat(out()).isEqualTo("N\n1\n\nN\n2\n\nN\n3\n");
    }

    @Test
    void aTerminalShowsItInPlace() {
        last = 2;
        run(80, call -> call.print(new Table().column("N", "n").row(calls)), "--watch", "0.5");
        String end = "\u001b[K\n";
        assertThat(out().replaceAll("\\d\\d:\\d\\d:\\d\\d", "TIME"))
                .isEqualTo("\u001b[H\u001b[2JTIME  count  (every 0.5 s)" + end + end + "N" + end + "1" + end
                + "\u001b[J\u001b[HTIME  count  (every 0.5 s)" + end + end + "N" + end + "2" + end + "\u001b[J");
    }

    @Test
    void whatFailsAtFirstEndsItAndLaterIsShown() {
        Outcome outcome = run(80, call -> {
            throw new Refusal(Errno.ENODEV, "There is no device 'x'.");
        }, "--watch", "1");
        assertThat(outcome.status()).isEqualTo(Session.FAILED);
        assertThat(calls).isOne();
        calls = 0;
        run(Streams.PIPE, call -> {
            if (calls == 2) {
                throw new Refusal(Errno.ENODEV, "It went.");
            }
            call.out().println("there");
        }, "--watch", "0.1");
        assertThat(out()).isEqualTo("there\n\nmanafold: It went. (ENODEV)\n\nthere\n");
    }

    @Test
    void interruptionEndsIt() {
        last = 100;
        assertThat(run(Streams.PIPE, call -> Thread.currentThread().interrupt(), "--watch", "10"))
                .isEqualTo(Outcome.INTERRUPTED);
        assertThat(calls).isOne();
    }

    @Test
    void anAnswerWithoutEndCostsNoMemory() {
        last = 1;
        run(Streams.PIPE, call -> {
            for (int i = 0; i < 3_000; i++) {
                call.out().println("x".repeat(1000));
            }
        }, "--watch", "0.1");
        assertThat(out.size()).isEqualTo(1 << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--watch", "--watch 0", "--watch -1", "--watch x", "--watch 1e9", "--watch NaN"})
    void whatIsNoTimeIsASentence(String words) {
        Outcome outcome = run(80, call -> { }, words.split(" "));
        assertThat(outcome.status()).isEqualTo(Session.USAGE);
        assertThat(outcome.message()).startsWith("--watch ");
        assertThat(calls).isZero();
    }

    @Test
    void theVerbThatIsUsualNeedNotBeTyped() {
        Syntax verbs = Syntax.command("verbs", "test", "Has verbs")
                .verb(Syntax.verb("list", "Lists").shows().example("verbs", "all")).usually("list").build();
        assertThat(Watch.isAskedFor(verbs, List.of("--watch", "1"))).isTrue();
        assertThat(Watch.isAskedFor(verbs, List.of("list", "--watch", "1"))).isTrue();
        assertThat(Watch.isAskedFor(verbs, List.of("list"))).isFalse();
    }

    @Test
    void whatShowsNothingHasNoSuchOption() {
        Syntax quiet = Syntax.command("quiet", "test", "Says nothing").example("quiet", "nothing").build();
        Outcome outcome = Runner.run(new FakeCommand(quiet, call -> { }), quiet, List.of("--watch", "1"),
                new Streams(null, new PrintStream(out), null, 80), null);
        assertThat(outcome.message()).contains("--watch");
        assertThat(outcome.status()).isEqualTo(Session.USAGE);
    }
}
