package io.manafold.launcher.internal.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TypedLinesTest {
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    private TypedLines typed(String keys) {
        return new TypedLines(new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)), shown);
    }

    private static String next(TypedLines typed) throws IOException {
        byte[] room = new byte[8192];
        int amount = typed.read(room, 0, room.length);
        return amount < 0 ? null : new String(room, 0, amount, StandardCharsets.UTF_8);
    }

    @Test
    void aReaderGetsALineAtATimeAndTheTyperSeesIt() throws IOException {
        TypedLines typed = typed("start\rstop\r\nquit\n");
        assertThat(next(typed)).isEqualTo("start\n");
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("start\n");
        assertThat(next(typed)).isEqualTo("stop\n");
        assertThat(next(typed)).isEqualTo("quit\n");
        assertThat(next(typed)).isNull();
    }

    @Test
    void whatIsTakenBackIsNotRead() throws IOException {
        assertThat(next(typed("sa\u007f\u007f\u007ftä\bart\r"))).isEqualTo("tart\n");
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("sa\b \b\b \btä\b \bart\n");
        assertThat(next(typed("all of it\u0015quit\r"))).isEqualTo("quit\n");
        assertThat(next(typed("a\u001b[A\u001bOB\u001b[1;5Cb\r"))).isEqualTo("ab\n");
    }

    @Test
    void anEmptyLineEndsWithControlD() throws IOException {
        TypedLines typed = typed("ab\u0004c\r\u0004d\r");
        assertThat(next(typed)).isEqualTo("abc\n");
        assertThat(next(typed)).isNull();
        assertThat(next(typed)).isEqualTo("d\n");
    }

    @Test
    void aLineWithoutEndIsCut() throws IOException {
        TypedLines typed = typed("x".repeat(10_000) + "\rnext\r");
        assertThat(next(typed)).hasSize(4097).endsWith("x\n");
        assertThat(next(typed)).isEqualTo("next\n");
    }

    @Test
    void whatWasHalfTypedWhenReadingFailedIsNotForTheNextReader() throws IOException {
        InputStream interruptedOnce = new InputStream() {
            private final byte[] keys = "half\0whole\r".getBytes(StandardCharsets.UTF_8);
            private int next;

            @Override
            public int read() throws IOException {
                byte key = keys[next++];
                if (key == 0) {
                    throw new InterruptedIOException();
                }
                return key;
            }
        };
        TypedLines typed = new TypedLines(interruptedOnce, shown);
        assertThatThrownBy(() -> next(typed)).isInstanceOf(InterruptedIOException.class);
        assertThat(typed.available()).isZero();
        assertThat(next(typed)).isEqualTo("whole\n");
    }

    @Test
    void oneAfterTheOther() throws IOException {
        TypedLines typed = typed("ab\r");
        assertThat(typed.read()).isEqualTo('a');
        assertThat(typed.available()).isEqualTo(2);
        assertThat(typed.read()).isEqualTo('b');
        assertThat(typed.read()).isEqualTo('\n');
        assertThat(typed.read()).isEqualTo(-1);
    }

    @Test
    void arrowsBringLinesFromBeforeBack() throws IOException {
        String up = "\u001b[A";
        String down = "\u001bOB";
        TypedLines typed = typed("first\rsecond\r" + up + up + up + "!\r" + "draft" + up + down + down + "s\r" + up
                + up + "\r\u001b[1;5A\r");
        assertThat(next(typed)).isEqualTo("first\n");
        assertThat(next(typed)).isEqualTo("second\n");
        assertThat(next(typed)).isEqualTo("first!\n");
        assertThat(next(typed)).isEqualTo("drafts\n");
        assertThat(next(typed)).isEqualTo("first!\n");
        assertThat(next(typed)).as("with another key held down").isEqualTo("\n");
    }

    @Test
    void tabCompletesWordsThatTheCommandOffers() throws IOException {
        TypedLines typed = typed("st\tt\t\rsh\t\tx\tq\t1\r\tend\r");
        typed.offer("> ", line -> switch (line) {
            case "st" -> List.of("start", "stop");
            case "stt" -> List.of();
            case "sh", "show " -> List.of("show", "rxq", "rxd");
            case "show x" -> List.of("other");
            default -> List.of();
        });
        assertThat(next(typed)).as("common letters are there already, and no word begins so").isEqualTo("stt\n");
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("st\nstart  stop\n> stt\n");
        shown.reset();
        assertThat(next(typed)).isEqualTo("show xq1\n");
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("show \nshow  rxq  rxd\n> show xq1\n");
        typed.offer("", null);
        assertThat(next(typed)).as("a tab as any other key").isEqualTo("\tend\n");
    }

    @Test
    void tabAddsWhatAllWordsHaveInCommon() throws IOException {
        TypedLines typed = typed("set r\tq\t\r");
        typed.offer("> ", line -> line.equals("set r") ? List.of("rxq-one", "rxd", "rxq-two") : List.of("rxqueue"));
        assertThat(next(typed)).isEqualTo("set rxqueue \n");
    }
}
