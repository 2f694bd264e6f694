package io.manafold.launcher.internal.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameTest {
    private static final long SEED = 20261120;

    private static ReadableByteChannel in(byte[] bytes) {
        return Channels.newChannel(new ByteArrayInputStream(bytes));
    }

    private static byte[] bytes(Frame frame) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        frame.write(Channels.newChannel(out));
        return out.toByteArray();
    }

    private static byte[] header(int type, int length) {
        return ByteBuffer.allocate(5).put((byte) type).putInt(length).array();
    }

    @Test
    void arrivesAsItWasSent() throws IOException {
        Frame sent = Frame.number(FrameType.EXIT, -2);
        Frame read = Frame.read(in(bytes(sent)), false);
        assertThat(read.type()).isEqualTo(FrameType.EXIT);
        assertThat(read.number()).isEqualTo(-2);
        assertThat(Frame.read(in(bytes(Frame.window(65535, 1))), true).window()).containsExactly(65535, 1);
        assertThat(Frame.read(in(bytes(Frame.empty(FrameType.INPUT_END))), true).payload()).isEmpty();
    }

    @Test
    void theEndBetweenFramesIsNoError() throws IOException {
        assertThat(Frame.read(in(new byte[0]), true)).isNull();
    }

    @Test
    void theEndWithinAFrameIs() {
        assertThatThrownBy(() -> Frame.read(in(new byte[3]), true)).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> Frame.read(in(header(FrameType.INPUT.code(), 4)), true))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void aLengthIsNotBelievedBeforeThereIsAFrame() {
        for (int length : new int[] {Frame.LONGEST_PAYLOAD + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> Frame.read(in(header(FrameType.INPUT.code(), length)), true))
                    .isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void nobodySendsWhatIsTheOthers() {
        assertThatThrownBy(() -> Frame.read(in(header(FrameType.EXIT.code(), 0)), true))
                .isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> Frame.read(in(header(FrameType.INPUT.code(), 0)), false))
                .isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> Frame.read(in(header(99, 0)), true)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void aNumberHasItsLength() {
        assertThatThrownBy(() -> new Frame(FrameType.EXIT, new byte[3]).number())
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void aHelloArrivesAsItWasSent() throws IOException {
        Hello sent = new Hello(Hello.Mode.PROMPT, 100, 40, "tmux-256color", "héllo; drivers");
        assertThat(Hello.of(sent.frame())).isEqualTo(sent);
    }

    @Test
    void aTerminalTypeThatIsNoneIsDumb() throws IOException {
        for (String type : new String[] {"", "../../etc/passwd", "-x", "a b", "x".repeat(65)}) {
            assertThat(Hello.of(new Hello(Hello.Mode.PROMPT, 1, 1, type, "").frame()).terminal()).isEqualTo("dumb");
        }
    }

    @Test
    void anyBytesAreAHelloOrAProtocolError() {
        Random random = new Random(SEED);
        byte[] good = new Hello(Hello.Mode.LINE, 80, 24, "xterm", "devices").frame().payload();
        int refused = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = i % 2 == 0 ? new byte[random.nextInt(40)] : good.clone();
            if (i % 2 == 0) {
                random.nextBytes(bytes);
            } else {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(Hello.of(new Frame(FrameType.HELLO, bytes)).mode()).isNotNull();
            } catch (ProtocolException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(1000, 49_999);
    }

    @Test
    void anyBytesAreFramesOrAProtocolError() throws IOException {
        Random random = new Random(SEED);
        int refused = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            if (bytes.length > 5 && i % 2 == 0) {
                ByteBuffer.wrap(bytes).put((byte) (1 + random.nextInt(5))).putInt(random.nextInt(bytes.length));
            }
            ReadableByteChannel channel = in(bytes);
            try {
                while (Frame.read(channel, true) != null) {
                    assertThat(channel.isOpen()).isTrue();
                }
            } catch (ProtocolException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(1000, 49_999);
    }
}
