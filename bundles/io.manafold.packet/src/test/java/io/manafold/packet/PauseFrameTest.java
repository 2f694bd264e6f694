package io.manafold.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PauseFrameTest {
    private final PauseFrame pause = new PauseFrame();

    private static byte[] written(int stop, int go) {
        byte[] frame = new byte[PauseFrame.LENGTH + 2];
        Arrays.fill(frame, (byte) 0x55);
        PauseFrame.write(frame, 1, 0x020000000001L, stop, go);
        assertThat(frame[0]).isEqualTo((byte) 0x55);
        assertThat(frame[frame.length - 1]).isEqualTo((byte) 0x55);
        return Arrays.copyOfRange(frame, 1, frame.length - 1);
    }

    @Test
    void bytesAreThoseOfTheStandard() {
        assertThat(HexFormat.of().formatHex(written(1 << 3, 1))).isEqualTo("0180c2000001" + "020000000001" + "8808"
                + "0101" + "0009" + "0000" + "0000" + "0000" + "ffff" + "0000" + "0000" + "0000" + "0000"
                + "00".repeat(26));
    }

    @Test
    void whatIsWrittenIsRead() {
        assertThat(pause.parse(written(0x88, 0x01), 0, PauseFrame.HEAD)).isTrue();
        for (int of = 0; of < PauseFrame.CLASSES; of++) {
            assertThat(pause.tells(of)).isEqualTo(of == 0 || of == 3 || of == 7);
            assertThat(pause.quanta(of)).isEqualTo(of == 3 || of == 7 ? 0xffff : 0);
        }
    }

    @Test
    void aTimeOfAClassThatIsNotEnabledSaysNothing() {
        byte[] frame = written(0, 1 << 2);
        frame[18 + 2 * 5] = 7;
        frame[18 + 2 * 2 + 1] = 9;
        frame[16] = (byte) 0xff;
        assertThat(pause.parse(frame, 0, frame.length)).isTrue();
        assertThat(pause.quanta(5)).isZero();
        assertThat(pause.tells(5)).isFalse();
        assertThat(pause.quanta(2)).isEqualTo(9);
    }

    @Test
    void whatIsNoPauseFrameOrCutShortIsNone() {
        byte[] good = written(0xff, 0);
        for (int at : new int[] {0, 1, 2, 3, 4, 5, 12, 13, 14, 15}) {
            byte[] other = good.clone();
            other[at] ^= 1;
            assertThat(pause.parse(good, 0, good.length)).isTrue();
            assertThat(pause.parse(other, 0, other.length)).as("byte " + at).isFalse();
            assertThat(pause.tells(0)).as("nothing is left of the frame before").isFalse();
        }
        for (int count = 0; count < PauseFrame.HEAD; count++) {
            assertThat(pause.parse(good, 0, count)).isFalse();
            assertThat(pause.parse(Arrays.copyOf(good, count), 0, good.length)).isFalse();
        }
        assertThat(pause.parse(good, 40, good.length)).isFalse();
        assertThat(pause.parse(good, -1, good.length)).isFalse();
    }

    @Test
    void quantaAreBitTimes() {
        assertThat(PauseFrame.nanos(1, 1_000_000_000)).isEqualTo(512);
        assertThat(PauseFrame.nanos(0xffff, 1_000_000_000)).isEqualTo(33_553_920);
        assertThat(PauseFrame.nanos(0xffff, 100_000_000_000L)).isEqualTo(335_539);
        assertThat(PauseFrame.nanos(0xffff, 1)).isPositive();
        assertThat(PauseFrame.nanos(7, 0)).isZero();
    }

    @Test
    void noBytesMakeItFail() {
        Random random = new Random(4);
        byte[] good = written(0xff, 0);
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = random.nextBoolean() ? good.clone() : new byte[random.nextInt(80)];
            for (int flips = random.nextInt(4); flips > 0 && bytes.length > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            pause.parse(bytes, random.nextInt(8), random.nextInt(90));
            for (int of = 0; of < PauseFrame.CLASSES; of++) {
                assertThat(pause.quanta(of)).isBetween(0, 0xffff);
            }
        }
    }
}
