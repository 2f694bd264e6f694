package io.manafold.fabric.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.memory.RawMemory;
import io.manafold.packet.InternetChecksum;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CodepointTest {
    private static final int ROOM = 512;

    private final Arena arena = Arena.ofConfined();
    private final long at = arena.allocate(ROOM, 8).address();
    private final Codepoint codepoint = new Codepoint();

    @AfterEach
    void close() {
        arena.close();
    }

    private void look(byte[] frame) {
        RawMemory.copy(frame, 0, at, frame.length);
        codepoint.look(at, frame.length);
    }

    private byte[] there(int length) {
        byte[] bytes = new byte[length];
        RawMemory.copy(at, bytes, 0, length);
        return bytes;
    }

    @Test
    void aMarkChangesTwoBitsAndTheChecksumFollows() {
        for (int dscp = 0; dscp < 64; dscp++) {
            for (int sequence = 0; sequence < 64; sequence++) {
                byte[] frame = Packets.roce(4, dscp, 1 + sequence % 2, 4, sequence, sequence, 8);
                frame[18] = (byte) (sequence * 37);
                frame[19] = (byte) dscp;
                frame[24] = 0;
                frame[25] = 0;
                int sum = InternetChecksum.finish(
                        InternetChecksum.add(0, frame, 14, 20));
                frame[24] = (byte) (sum >>> 8);
                frame[25] = (byte) sum;
                look(frame);
                assertThat(codepoint.isCapable()).isTrue();
                codepoint.mark();
                byte[] marked = there(frame.length);
                assertThat(Packets.isGood(marked, 14)).as(dscp + " " + sequence).isTrue();
                assertThat(marked[15]).isEqualTo((byte) (dscp << 2 | 3));
                System.arraycopy(frame, 24, marked, 24, 2);
                marked[15] = frame[15];
                assertThat(marked).isEqualTo(frame);
            }
        }
    }

    @Test
    void aMarkOfIpv6ChangesTwoBits() {
        byte[] frame = Packets.roce(6, 26, Packets.ECT, 4, 1, 1, 8);
        look(frame);
        assertThat(codepoint.trafficClass()).isEqualTo(3);
        codepoint.mark();
        byte[] marked = there(frame.length);
        assertThat(marked[15]).isEqualTo((byte) (frame[15] | 0x30));
        marked[15] = frame[15];
        assertThat(marked).isEqualTo(frame);
    }

    @Test
    void whoMayBeMarked() {
        for (int version : new int[] {4, 6}) {
            for (int ecn = 0; ecn < 4; ecn++) {
                byte[] frame = Packets.roce(version, 63, ecn, 4, 1, 1, 8);
                look(frame);
                assertThat(codepoint.isCapable()).as(version + " " + ecn).isEqualTo(ecn == 1 || ecn == 2);
                assertThat(codepoint.trafficClass()).isEqualTo(7);
                look(Packets.tagged(Packets.tagged(frame, 2), 1));
                assertThat(codepoint.isCapable()).isEqualTo(ecn == 1 || ecn == 2);
                assertThat(codepoint.trafficClass()).as("what IP says holds").isEqualTo(7);
            }
        }
    }

    @Test
    void aTagHasTheClassOfWhatIsNotIp() {
        byte[] other = Station.frame(1, 2, 3, 60);
        look(other);
        assertThat(codepoint.trafficClass()).isZero();
        look(Packets.tagged(other, 5));
        assertThat(codepoint.trafficClass()).isEqualTo(5);
        assertThat(codepoint.isIp()).isFalse();
    }

    @Test
    void whatIsNoWholeHeaderIsNeverMarked() {
        byte[] good = Packets.roce(4, 10, 1, 4, 1, 1, 8);
        for (int length = 0; length < 34; length++) {
            look(Arrays.copyOf(good, length));
            assertThat(codepoint.isCapable()).as(length + " bytes").isFalse();
        }
        byte[] six = Packets.roce(6, 10, 1, 4, 1, 1, 8);
        for (int length = 0; length < 54; length++) {
            look(Arrays.copyOf(six, length));
            assertThat(codepoint.isCapable()).as(length + " bytes").isFalse();
        }
        for (int first : new int[] {0x44, 0x40, 0x65, 0x55, 0x4f}) {
            byte[] bad = Arrays.copyOf(good, first == 0x4f ? 14 + 59 : good.length);
            bad[14] = (byte) first;
            look(bad);
            assertThat(codepoint.isCapable()).as("first byte " + first).isFalse();
        }
    }

    @Test
    void noBytesMakeItReachBeyondTheFrame() {
        Random random = new Random(9);
        byte[] start = Packets.tagged(Packets.roce(4, 10, 1, 4, 1, 1, 40), 1);
        byte[] guard = new byte[ROOM];
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = Arrays.copyOf(random.nextBoolean() ? start : Packets.roce(6, 1, 1, 4, 1, 1, 9),
                    random.nextInt(100));
            for (int flips = random.nextInt(5); flips > 0 && bytes.length > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            RawMemory.copy(guard, 0, at, ROOM);
            look(bytes);
            assertThat(codepoint.trafficClass()).isBetween(0, 7);
            if (codepoint.isIp()) {
                codepoint.mark();
            }
            byte[] after = there(ROOM);
            for (int place = bytes.length; place < ROOM; place++) {
                if (after[place] != 0) {
                    throw new AssertionError("byte " + place + " of a frame of " + bytes.length + " was written");
                }
            }
        }
    }
}
