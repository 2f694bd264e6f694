package io.manafold.roce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResponderTest {
    private static final int START = 0xff_ffff;
    private static final int MTU = 256;

    private final Responder responder = new Responder(8);
    private final Packet packet = new Packet();

    @BeforeEach
    void start() {
        responder.start(START, MTU, 2);
    }

    private int judge(int packets, int opcode, int bytes) {
        packet.psn = Psn.add(START, packets);
        packet.opcode = opcode;
        packet.payloadBytes = bytes;
        packet.acknowledgeRequest = false;
        packet.remoteAddress = 0x5000 + packets * MTU;
        packet.remoteKey = 3;
        return responder.judge(0, packet);
    }

    private int execute(int packets, int opcode, int bytes) {
        int verdict = judge(packets, opcode, bytes);
        if (verdict == Responder.READ || verdict == Responder.REPEAT_READ) {
            responder.acceptRead(packet);
        } else if (verdict == Responder.SEND || verdict == Responder.WRITE) {
            responder.executed(packet);
        }
        return verdict;
    }

    private int read(int packets, int length) {
        packet.dmaLength = length;
        return execute(packets, Opcode.READ_REQUEST, 0);
    }

    private String answers() {
        StringBuilder all = new StringBuilder();
        while (responder.next(packet)) {
            all.append(Integer.toHexString(packet.psn)).append(' ').append(Opcode.label(packet.opcode));
            all.append(Opcode.isReadResponse(packet.opcode) ? " %x %d".formatted(responder.readAddress(),
                    packet.payloadBytes)
                    : " %x %d".formatted(packet.syndrome, packet.msn)).append('\n');
        }
        return all.toString();
    }

    @Test
    void oneAcknowledgementIsForMany() {
        assertThat(execute(0, Opcode.SEND_ONLY, 7)).isEqualTo(Responder.SEND);
        assertThat(execute(1, Opcode.SEND_FIRST, MTU)).isEqualTo(Responder.SEND);
        assertThat(execute(2, Opcode.SEND_MIDDLE, MTU)).isEqualTo(Responder.SEND);
        assertThat(responder.messageOffset()).isEqualTo(2 * MTU);
        assertThat(answers()).isEqualTo("1 acknowledge 1f 1\n");
        assertThat(execute(3, Opcode.SEND_LAST, 1)).isEqualTo(Responder.SEND);
        assertThat(answers()).isEqualTo("2 acknowledge 1f 2\n");
        assertThat(responder.hasAnswer()).isFalse();
    }

    @Test
    void aGapIsToldOnce() {
        assertThat(judge(1, Opcode.SEND_ONLY, 7)).isEqualTo(Responder.ANSWERED);
        assertThat(judge(2, Opcode.SEND_ONLY, 7)).isEqualTo(Responder.IGNORE);
        assertThat(answers()).isEqualTo("ffffff acknowledge 60 0\n");
        assertThat(judge(2, Opcode.SEND_ONLY, 7)).isEqualTo(Responder.IGNORE);
        assertThat(execute(0, Opcode.SEND_ONLY, 7)).isEqualTo(Responder.SEND);
        assertThat(judge(2, Opcode.SEND_ONLY, 7)).isEqualTo(Responder.ANSWERED);
        assertThat(answers()).isEqualTo("0 acknowledge 60 1\n");
        assertThat(responder.outOfSequence).isEqualTo(4);
    }

    @Test
    void aGapThatIsClosedBeforeItWasToldIsNotTold() {
        judge(1, Opcode.SEND_MIDDLE, MTU);
        execute(0, Opcode.SEND_FIRST, MTU);
        assertThat(answers()).isEmpty();
        judge(2, Opcode.SEND_LAST, 1);
        execute(1, Opcode.SEND_MIDDLE, MTU);
        execute(2, Opcode.SEND_LAST, 1);
        assertThat(answers()).isEqualTo("1 acknowledge 1f 1\n");
    }

    @Test
    void whatHasComeBeforeIsAcknowledgedAgainAndNotExecuted() {
        execute(0, Opcode.SEND_ONLY, 7);
        answers();
        assertThat(judge(0, Opcode.SEND_ONLY, 7)).isEqualTo(Responder.ANSWERED);
        assertThat(judge(-5, Opcode.WRITE_ONLY, 7)).isEqualTo(Responder.ANSWERED);
        assertThat(answers()).isEqualTo("ffffff acknowledge 1f 1\n");
        assertThat(responder.duplicates).isEqualTo(2);
    }

    @Test
    void aReceiverThatIsNotReadySaysSoAndTakesThePacketLater() {
        execute(0, Opcode.SEND_ONLY, 7);
        assertThat(judge(1, Opcode.SEND_ONLY, 7)).isEqualTo(Responder.SEND);
        responder.notReady(0, 12);
        assertThat(judge(2, Opcode.SEND_ONLY, 7)).isEqualTo(Responder.IGNORE);
        assertThat(answers()).isEqualTo("0 acknowledge 2c 1\n");
        assertThat(execute(1, Opcode.SEND_ONLY, 7)).isEqualTo(Responder.SEND);
        assertThat(answers()).isEqualTo("0 acknowledge 1f 2\n");
    }

    @Test
    void readsAreAnsweredInOrderAndBeforeLaterAcknowledgements() {
        assertThat(read(0, 2 * MTU + 1)).isEqualTo(Responder.READ);
        assertThat(execute(3, Opcode.SEND_ONLY, 7)).isEqualTo(Responder.SEND);
        assertThat(read(4, 0)).isEqualTo(Responder.READ);
        assertThat(answers()).isEqualTo("""
                ffffff read-response-first 5000 256
                0 read-response-middle 5100 256
                1 read-response-last 5200 1
                3 read-response-only 5400 0
                3 acknowledge 1f 3
                """);
    }

    @Test
    void aReadThatIsAskedForAgainStartsAnewAndTakesNoMoreRoom() {
        read(0, 3 * MTU);
        read(3, 2 * MTU);
        responder.next(packet);
        for (int i = 0; i < 100; i++) {
            assertThat(read(1, 2 * MTU)).isEqualTo(Responder.REPEAT_READ);
            assertThat(read(3, 2 * MTU)).isEqualTo(Responder.REPEAT_READ);
            assertThat(read(-4, MTU)).isEqualTo(Responder.REPEAT_READ);
        }
        assertThat(answers()).isEqualTo("""
                0 read-response-first 5100 256
                1 read-response-last 5200 256
                2 read-response-first 5300 256
                3 read-response-last 5400 256
                """);
        read(-4, MTU);
        read(-5, MTU);
        assertThat(read(5, MTU)).as("repeated ones give way").isEqualTo(Responder.READ);
        assertThat(answers()).isEqualTo("""
                fffffb read-response-only 4c00 256
                4 read-response-only 5500 256
                """);
        assertThat(responder.isBroken()).isFalse();
    }

    @Test
    void aReadAskedForAgainMayNotReachBeyondWhatWasAsked() {
        read(0, 2 * MTU);
        assertThat(read(0, 3 * MTU)).isEqualTo(Responder.IGNORE);
        assertThat(read(1, 2 * MTU)).isEqualTo(Responder.IGNORE);
        assertThat(read(0, -1)).isEqualTo(Responder.IGNORE);
    }

    private void assertInvalid(int packets, int opcode, int bytes) {
        assertThat(judge(packets, opcode, bytes)).as(Opcode.label(opcode)).isEqualTo(Responder.INVALID);
        assertThat(responder.isBroken()).isTrue();
        assertThat(answers()).endsWith(Integer.toHexString(Psn.add(START, packets)) + " acknowledge 61 "
                + responder.msn() + "\n");
        assertThat(judge(packets, Opcode.SEND_ONLY, 0)).isEqualTo(Responder.IGNORE);
        start();
    }

    @Test
    void whatBreaksTheRulesIsRefused() {
        assertInvalid(0, Opcode.SEND_MIDDLE, MTU);
        assertInvalid(0, Opcode.SEND_LAST, 1);
        assertInvalid(0, Opcode.WRITE_LAST, 1);
        assertInvalid(0, Opcode.SEND_FIRST, MTU - 1);
        assertInvalid(0, Opcode.SEND_ONLY, MTU + 1);
        assertInvalid(0, Opcode.COMPARE_SWAP, 0);
        assertInvalid(0, Opcode.FETCH_ADD, 0);
        assertInvalid(0, 0x15, 0);
        assertInvalid(0, 0x1f, 0);
        for (int opcode : new int[] {Opcode.SEND_ONLY, Opcode.SEND_FIRST, Opcode.WRITE_ONLY, Opcode.WRITE_MIDDLE,
                Opcode.READ_REQUEST}) {
            packet.dmaLength = 0;
            execute(0, Opcode.SEND_FIRST, MTU);
            assertInvalid(1, opcode, opcode == Opcode.READ_REQUEST ? 0 : MTU);
        }
        execute(0, Opcode.SEND_FIRST, MTU);
        assertInvalid(1, Opcode.SEND_LAST, 0);
        packet.dmaLength = MTU;
        assertInvalid(0, Opcode.WRITE_FIRST, MTU);
        packet.dmaLength = 6;
        assertInvalid(0, Opcode.WRITE_ONLY, 7);
        packet.dmaLength = -1;
        assertInvalid(0, Opcode.WRITE_FIRST, MTU);
        packet.dmaLength = Responder.MOST_BYTES + 1;
        assertInvalid(0, Opcode.WRITE_FIRST, MTU);
        assertInvalid(0, Opcode.READ_REQUEST, 0);
        packet.dmaLength = 2 * MTU;
        assertThat(execute(0, Opcode.WRITE_FIRST, MTU)).isEqualTo(Responder.WRITE);
        assertInvalid(1, Opcode.WRITE_LAST, MTU - 1);
        read(0, 1);
        read(1, 1);
        packet.dmaLength = 1;
        assertInvalid(2, Opcode.READ_REQUEST, 0);
        assertThat(responder.invalid).isEqualTo(22);
    }

    @Test
    void aSendMayNotBeLongerThanTheLongestMessage() {
        responder.start(START, 4096, 2);
        int packets = Responder.MOST_BYTES / 4096;
        for (int i = 0; i < packets; i++) {
            assertThat(execute(i, i == 0 ? Opcode.SEND_FIRST : Opcode.SEND_MIDDLE, 4096)).isEqualTo(Responder.SEND);
        }
        assertThat(judge(packets, Opcode.SEND_LAST, 1)).isEqualTo(Responder.INVALID);
    }

    @Test
    void writesKeepTheirPlace() {
        packet.dmaLength = MTU + 3;
        assertThat(execute(0, Opcode.WRITE_FIRST, MTU)).isEqualTo(Responder.WRITE);
        packet.dmaLength = 0;
        assertThat(judge(1, Opcode.WRITE_LAST, 3)).isEqualTo(Responder.WRITE);
        assertThat(responder.writeAddress()).isEqualTo(0x5000);
        assertThat(responder.writeKey()).isEqualTo(3);
        assertThat(responder.writeLength()).isEqualTo(MTU + 3);
        assertThat(responder.messageOffset()).isEqualTo(MTU);
    }

    @Test
    void aRefusalComesAfterEarlierAnswersAndEndsIt() {
        read(0, 2 * MTU);
        assertThat(judge(2, Opcode.WRITE_ONLY, 1)).isEqualTo(Responder.INVALID);
        assertThat(answers()).isEqualTo("""
                ffffff read-response-first 5000 256
                0 read-response-last 5100 256
                1 acknowledge 61 1
                """);
    }

    @Test
    void dataThatIsGoneWhenItIsToBeSentIsRefusedAtItsPlace() {
        read(0, 3 * MTU);
        read(3, MTU);
        responder.next(packet);
        responder.next(packet);
        responder.refuse(Syndrome.NAK_ACCESS);
        assertThat(answers()).isEqualTo("0 acknowledge 62 2\n");
        assertThat(responder.accessErrors).isEqualTo(1);
        assertThat(responder.hasAnswer()).isFalse();
    }
}
