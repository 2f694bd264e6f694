package io.manafold.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.memory.RawMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A peer that sends anything. */
class FuzzTest {
    private static final long PACKETS = Long.getLong("manafold.roce.packets", 100_000);
    private static final int MTU = 1024;
    private static final int MOST_READS = 4;

    private final long memory = Native.allocate(8192);
    private final Packet packet = new Packet();
    private final Random random = new Random(11);

    @Test
    void anyFrameIsReadOrNot() throws IOException {
        List<byte[]> frames = new ArrayList<>();
        List<String> lines = SoftRoceTest.lines();
        for (int i = 1; i < lines.size(); i += 2) {
            frames.add(Native.bytes(lines.get(i)));
        }
        Icrc icrc = new Icrc();
        long read = 0;
        for (long i = 0; i < PACKETS; i++) {
            byte[] frame = frames.get(random.nextInt(frames.size())).clone();
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                frame[random.nextInt(Math.min(frame.length, 110))] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(8) == 0 ? random.nextInt(frame.length + 1) : frame.length;
            RawMemory.copy(frame, 0, memory, length);
            int available = Math.min(length, random.nextInt(8) == 0 ? random.nextInt(Packet.HEAD) : Packet.HEAD);
            int answer = packet.read(memory, available, length);
            assertThat(answer).isBetween(Packet.BAD_CHECKSUM, 0);
            if (answer == 0) {
                read++;
                assertThat(packet.headerBytes).isLessThanOrEqualTo(available);
                assertThat(packet.payloadBytes).isNotNegative();
                assertThat(packet.frameBytes()).isLessThanOrEqualTo(length);
                icrc.begin(memory, packet.headerBytes);
            }
        }
        assertThat(read).as("some are read").isBetween(PACKETS / 100, PACKETS * 99 / 100);
    }

    private void randomPacket(int expected, int acknowledged) {
        packet.opcode = random.nextInt(8) == 0 ? random.nextInt(256) : random.nextInt(0x18);
        int base = random.nextBoolean() ? expected : acknowledged;
        packet.psn = random.nextInt(4) == 0 ? random.nextInt(1 << 24) : Psn.add(base, random.nextInt(20) - 8);
        packet.payloadBytes = random.nextInt(4) == 0 ? random.nextInt(5000) : random.nextInt(3) * MTU / 2;
        packet.acknowledgeRequest = random.nextBoolean();
        packet.remoteAddress = random.nextLong();
        packet.dmaLength = random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(5 * MTU);
        packet.syndrome = random.nextInt(4) == 0 ? random.nextInt(256) : random.nextBoolean() ? Syndrome.ACK
                : Syndrome.NAK_SEQUENCE;
        packet.msn = random.nextInt(1 << 24);
    }

    @Test
    void aRequesterStaysSaneWhateverComes() {
        Requester requester = new Requester(16);
        long now = 0;
        int failures = 0;
        requester.start(0xff_ff00, MTU, 7, 7, 100_000, MOST_READS);
        long completed = 0;
        for (long i = 0; i < PACKETS; i++) {
            while (!requester.isFull() && random.nextBoolean()) {
                requester.post(random.nextInt(6), random.nextInt(10 * MTU), false, random.nextInt(5) == 0, 0, 0, 0, 0);
            }
            for (int burst = random.nextInt(20); burst > 0 && requester.next(now, packet); burst--) {
                assertThat(packet.payloadBytes).isBetween(0, MTU);
                assertThat(requester.offset()).isBetween(0, 10 * MTU);
                assertThat(Psn.distance(packet.psn, requester.nextPsn())).isPositive();
            }
            int before = requester.outstanding();
            int unacknowledged = Psn.distance(requester.acknowledged(), requester.nextPsn());
            randomPacket(requester.nextPsn(), requester.acknowledged());
            if (Opcode.isReadResponse(packet.opcode)) {
                if (requester.readResponse(now, packet)) {
                    assertThat(packet.payloadBytes).isLessThanOrEqualTo(MTU);
                    requester.placed(now);
                }
            } else {
                requester.acknowledge(now, packet.psn, packet.syndrome, packet.msn);
            }
            now += random.nextInt(10_000);
            if (now >= requester.deadline()) {
                requester.expire(now);
            }
            assertThat(requester.outstanding()).isBetween(0, before);
            assertThat(Psn.distance(requester.acknowledged(), requester.nextPsn())).isBetween(1, unacknowledged);
            completed += before - requester.outstanding();
            if (requester.failure() != 0) {
                assertThat(requester.next(now, packet)).isFalse();
                assertThat(requester.deadline()).isEqualTo(Long.MAX_VALUE);
                failures++;
                requester.start(random.nextInt(1 << 24), MTU, 7, 7, 100_000, MOST_READS);
            }
        }
        assertThat(failures).isGreaterThan(100);
        assertThat(completed).isGreaterThan(1000);
    }

    private static final int[] GOOD = {Opcode.SEND_ONLY, Opcode.WRITE_ONLY, Opcode.READ_REQUEST, Opcode.SEND_FIRST,
            Opcode.SEND_MIDDLE, Opcode.SEND_LAST, Opcode.WRITE_FIRST, Opcode.WRITE_MIDDLE, Opcode.WRITE_LAST};

    /** As an honest peer might send it, if it is in order. */
    private void goodPacket(int expected) {
        packet.opcode = GOOD[random.nextInt(random.nextInt(3) == 0 ? GOOD.length : 3)];
        packet.psn = expected;
        packet.payloadBytes = packet.opcode == Opcode.READ_REQUEST ? 0 : MTU;
        packet.dmaLength = Opcode.isOnly(packet.opcode) ? packet.payloadBytes : 3 * MTU;
    }

    @Test
    void aResponderStaysSaneWhateverComes() {
        Responder responder = new Responder(MOST_READS);
        responder.start(5, MTU, MOST_READS);
        int broken = 0;
        int executed = 0;
        int answered = 0;
        for (long i = 0; i < PACKETS; i++) {
            int expected = responder.expectedPsn();
            randomPacket(expected, Psn.add(expected, -10));
            if (random.nextInt(4) != 0) {
                goodPacket(expected);
            }
            int verdict = responder.judge(i, packet);
            boolean inOrder = packet.psn == expected;
            switch (verdict) {
                case Responder.SEND, Responder.WRITE -> {
                    assertThat(inOrder).isTrue();
                    assertThat(packet.payloadBytes).isBetween(0, MTU);
                    assertThat(responder.messageOffset() + packet.payloadBytes).isLessThanOrEqualTo(
                            verdict == Responder.WRITE ? responder.writeLength() : Responder.MOST_BYTES);
                    if (random.nextInt(10) == 0) {
                        responder.notReady(i, 3);
                        assertThat(responder.expectedPsn()).isEqualTo(expected);
                    } else {
                        responder.executed(packet);
                        assertThat(responder.expectedPsn()).isEqualTo(Psn.add(expected, 1));
                        executed++;
                    }
                }
                case Responder.READ, Responder.REPEAT_READ -> {
                    assertThat(packet.dmaLength).isBetween(0, Responder.MOST_BYTES);
                    assertThat(inOrder).isEqualTo(verdict == Responder.READ);
                    responder.acceptRead(packet);
                }
                case Responder.INVALID -> assertThat(inOrder && responder.isBroken()).isTrue();
                default -> assertThat(responder.expectedPsn()).isEqualTo(expected);
            }
            for (int burst = random.nextInt(4); burst > 0 && responder.next(packet); burst--) {
                answered++;
                assertThat(packet.payloadBytes).isBetween(0, MTU);
                assertThat(Psn.distance(packet.psn, responder.expectedPsn())).isNotNegative();
                assertThat(Opcode.hasAeth(packet.opcode) || packet.opcode == Opcode.READ_RESPONSE_MIDDLE).isTrue();
            }
            if (responder.isBroken()) {
                broken++;
                // at most what the READs that it has accepted are long, and the refusal
                int most = MOST_READS * Psn.packets(Responder.MOST_BYTES, MTU) + 1;
                while (responder.next(packet)) {
                    assertThat(most--).isPositive();
                }
                responder.start(random.nextInt(1 << 24), MTU, MOST_READS);
            }
        }
        assertThat(broken).isGreaterThan(100);
        assertThat(executed).isGreaterThan(1000);
        assertThat(answered).isGreaterThan(1000);
    }
}
