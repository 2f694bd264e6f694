package io.manafold.launcher.internal.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.shell.Candidate;
import io.manafold.shell.Session;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines of an input and what their statuses come to. */
class LinesTest {
    /** Knows {@code 0}, {@code 1} and {@code 2}, which end with that status, and {@code exit N}. */
    private static final class Digits implements Session {
        private final List<String> lines = new ArrayList<>();
        private boolean ended;

        @Override
        public int execute(String line) {
            lines.add(line);
            ended = line.startsWith("exit ");
            return Integer.parseInt(ended ? line.substring(5) : line);
        }

        @Override
        public boolean ended() {
            return ended;
        }

        @Override
        public boolean isBuiltIn(String line) {
            return false;
        }

        @Override
        public List<Candidate> complete(String line, int cursor) {
            return List.of();
        }

        @Override
        public void close() {
            ended = true;
        }
    }

    private final Digits session = new Digits();

    private static InputStream in(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private int run(String text) throws IOException {
        return new Script(session, () -> false).run(new LineSource(in(text)));
    }

    @Test
    void theStatusIsThatOfTheFirstLineThatFailed() throws IOException {
        assertThat(run("0\n2\n1\n0\n")).isEqualTo(2);
        assertThat(session.lines).containsExactly("0", "2", "1", "0");
    }

    @Test
    void nothingFailedIsZero() throws IOException {
        assertThat(run("0\n0")).isZero();
        assertThat(run("")).isZero();
    }

    @Test
    void exitEndsAtOnceWithItsStatus() throws IOException {
        assertThat(run("1\nexit 7\n0\n")).isEqualTo(7);
        assertThat(session.lines).containsExactly("1", "exit 7");
    }

    @Test
    void emptyLinesAndCommentsAreNotCommands() throws IOException {
        assertThat(run("#!/usr/bin/env manafold\n\n  # a remark\r\n0\r\n")).isZero();
        assertThat(session.lines).containsExactly("0");
    }

    @Test
    void nothingIsCarriedOutForSomeoneWhoHasGone() throws IOException {
        assertThat(new Script(session, () -> true).run(new LineSource(in("1\n")))).isZero();
        assertThat(session.lines).isEmpty();
    }

    @Test
    void aLineTakesNotAByteMoreThanItself() throws IOException {
        InputStream in = in("grep x\nfor the command");
        assertThat(new LineSource(in).next()).isEqualTo("grep x");
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("for the command");
    }

    @Test
    void anEndlessLineIsRefused() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 'x';
            }
        };
        assertThatThrownBy(() -> new LineSource(endless).next()).isInstanceOf(IOException.class)
                .hasMessageContaining("more than");
    }

    @Test
    void completionDividesWhereTheShellDoes() {
        var parsed = new WordParser().parse("devices; bind 'my dev", 21, null);
        assertThat(parsed.words()).containsExactly("devices", "bind", "'my dev");
        assertThat(parsed.word()).isEqualTo("'my dev");
        assertThat(parsed.wordCursor()).isEqualTo(7);
        assertThat(new WordParser().parse("bind ", 5, null).word()).isEmpty();
        assertThat(new WordParser().parse("", 0, null).word()).isEmpty();
    }
}
