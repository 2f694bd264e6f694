package io.manafold.example.store.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Commands in streams that come in pieces of any size, from clients that send anything. */
class RespParserTest {
    private static final long STREAMS = Long.getLong("manafold.store.streams", 100_000);
    private static final int ARGUMENTS = 8;
    private static final int LONGEST = 100;

    private final RespParser parser = new RespParser(ARGUMENTS, LONGEST);
    private final Random random = new Random(20);

    /** What a stream says, when it comes in pieces of at most so many bytes. */
    private String read(byte[] stream, int most) {
        MemorySegment memory = MemorySegment.ofArray(stream);
        StringBuilder said = new StringBuilder();
        parser.reset();
        int at = 0;
        int end = 0;
        while (true) {
            int found = parser.next(memory, at, end);
            assertThat(parser.position()).isBetween((long) at, (long) end);
            at = (int) parser.position();
            switch (found) {
                case RespParser.ARGUMENT -> {
                    assertThat(parser.length()).isBetween(0, LONGEST);
                    assertThat(parser.index()).isBetween(0, ARGUMENTS - 1);
                    said.append(parser.index() == 0 ? "" : " ").append(parser.length()).append(':');
                    if (parser.isInline()) {
                        said.append(new String(parser.line(), (int) parser.from(), parser.count(),
                                StandardCharsets.ISO_8859_1));
                    }
                }
                case RespParser.BYTES -> said.append(new String(stream, (int) parser.from(), parser.count(),
                        StandardCharsets.ISO_8859_1));
                case RespParser.COMMAND -> said.append(" = ").append(parser.arguments()).append('\n');
                case RespParser.BROKEN -> {
                    assertThat(parser.next(memory, at, end)).isEqualTo(RespParser.BROKEN);
                    return said.append("broken: ").append(parser.why()).toString();
                }
                default -> {
                    assertThat(at).as("all is taken before more is asked for").isEqualTo(end);
                    if (end == stream.length) {
                        return said.toString();
                    }
                    end += most == 1 ? 1 : random.nextInt(Math.min(most, stream.length - end)) + 1;
                }
            }
        }
    }

    private String read(String stream) {
        return read(stream.getBytes(StandardCharsets.ISO_8859_1), stream.length());
    }

    @Test
    void commandsAreReadOneAfterTheOther() {
        assertThat(read("*2\r\n$3\r\nGET\r\n$1\r\na\r\n*1\r\n$4\r\nPING\r\n")).isEqualTo("3:GET 1:a = 2\n4:PING = 1\n");
        assertThat(read("*3\r\n$3\r\nSET\r\n$0\r\n\r\n$4\r\n\r\n\r\n\r\n")).isEqualTo("3:SET 0: 4:\r\n\r\n = 3\n");
    }

    @Test
    void wordsInALineAreACommand() {
        assertThat(read("PING\r\n  GET\t a \n\r\n\n*1\r\n$4\r\nPING\r\n"))
                .isEqualTo("4:PING = 1\n3:GET 1:a = 2\n4:PING = 1\n");
    }

    @Test
    void nothingIsAskedByArraysOfNothing() {
        assertThat(read("*0\r\n*-1\r\nPING\r\n")).isEqualTo("4:PING = 1\n");
    }

    @Test
    void whatIsNoCommandIsSaid() {
        assertThat(read("*1\r\n*1\r\n*1\r\n")).isEqualTo("broken: an argument begins with '$'");
        assertThat(read("*9\r\n")).isEqualTo("broken: a command has more arguments than are taken");
        assertThat(read("*2147483647\r\n")).isEqualTo("broken: a command has more arguments than are taken");
        assertThat(read("*99999999999999999999\r\n"))
                .isEqualTo("broken: a command begins with the number of its arguments");
        assertThat(read("*1\r\n$101\r\n")).isEqualTo("broken: an argument is longer than any that is taken");
        assertThat(read("*1\r\n$-1\r\n")).isEqualTo("broken: an argument is longer than any that is taken");
        assertThat(read("*1\r\n$4\r\nPINGS\r\n")).isEqualTo("4:PINGbroken: an argument is longer than it says");
        assertThat(read("*1\r\n$\r\n")).isEqualTo("broken: an argument has a length");
        assertThat(read("a".repeat(1025))).isEqualTo("broken: a line is longer than any that is taken");
        assertThat(read("a b c d e f g h i\r\n")).isEqualTo("broken: a command has more arguments than are taken");
    }

    @Test
    void bytesMayGoPast() {
        byte[] stream = "*1\r\n$10\r\n01\r\nPING\r\n".getBytes(StandardCharsets.ISO_8859_1);
        MemorySegment memory = MemorySegment.ofArray(stream);
        assertThat(parser.next(memory, 0, 11)).isEqualTo(RespParser.ARGUMENT);
        assertThat(parser.next(memory, parser.position(), 11)).isEqualTo(RespParser.BYTES);
        assertThat(parser.remaining()).isEqualTo(8);
        parser.took(8);
        assertThat(parser.remaining()).isZero();
        assertThat(parser.next(memory, 11, 13)).isEqualTo(RespParser.COMMAND);
    }

    private byte[] stream() {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int commands = random.nextInt(4); commands >= 0; commands--) {
            int arguments = random.nextInt(4) + 1;
            if (random.nextInt(4) == 0) {
                stream.writeBytes("PING there\r\n".getBytes(StandardCharsets.ISO_8859_1));
                continue;
            }
            stream.writeBytes(("*" + arguments + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            for (int i = 0; i < arguments; i++) {
                byte[] argument = new byte[random.nextInt(20)];
                random.nextBytes(argument);
                stream.writeBytes(("$" + argument.length + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                stream.writeBytes(argument);
                stream.writeBytes(new byte[] {'\r', '\n'});
            }
        }
        byte[] bytes = stream.toByteArray();
        for (int changes = random.nextInt(6) - 2; changes > 0; changes--) {
            bytes[random.nextInt(bytes.length)] = random.nextBoolean() ? (byte) "*$\r\n-0129".charAt(random.nextInt(9))
                    : (byte) random.nextInt(256);
        }
        return bytes;
    }

    @Test
    void piecesOfAnySizeSayTheSame() {
        long whole = 0;
        long broken = 0;
        for (long i = 0; i < STREAMS; i++) {
            byte[] stream = stream();
            String said = read(stream, stream.length);
            assertThat(read(stream, 1)).isEqualTo(said);
            assertThat(read(stream, 9)).isEqualTo(said);
            if (said.contains("broken: ")) {
                broken++;
            } else {
                whole++;
            }
        }
        assertThat(whole).as("streams that are whole").isGreaterThan(STREAMS / 10);
        assertThat(broken).as("streams that are broken").isGreaterThan(STREAMS / 10);
    }
}
