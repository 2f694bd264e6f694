package io.manafold.roce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequesterTest {
    private static final int START = 0xff_fffe;
    private static final int MTU = 1024;
    private static final long TIMEOUT = 1000;
    private static final int RETRIES = 2;

    private final Requester requester = new Requester(64);
    private final Packet packet = new Packet();

    @BeforeEach
    void start() {
        requester.start(START, MTU, RETRIES, RETRIES, TIMEOUT, 2);
    }

    private int post(int operation, int length) {
        return requester.post(operation, length, true, false, 0x1000, 7, 9, 100 + requester.outstanding());
    }

    private String send(long now) {
        StringBuilder sent = new StringBuilder();
        while (requester.next(now, packet)) {
            sent.append(Integer.toHexString(packet.psn)).append(' ').append(Opcode.label(packet.opcode)).append(' ')
                    .append(packet.payloadBytes)
                    .append(packet.acknowledgeRequest ? " A" : "").append(packet.solicited ? " S" : "").append('\n');
        }
        return sent.toString();
    }

    private void ack(int packets) {
        requester.acknowledge(0, Psn.add(START, packets), Syndrome.ACK, 1);
    }

    private void nak(int packets, int syndrome) {
        requester.acknowledge(0, Psn.add(START, packets), syndrome, 1);
    }

    private boolean response(int packets, int opcode, int bytes) {
        packet.psn = Psn.add(START, packets);
        packet.opcode = opcode;
        packet.payloadBytes = bytes;
        boolean placed = requester.readResponse(0, packet);
        if (placed) {
            requester.placed(0);
        }
        return placed;
    }

    @Test
    void messagesAreCutIntoPackets() {
        assertThat(post(Operation.SEND, 2049)).isEqualTo(START);
        assertThat(post(Operation.WRITE_IMMEDIATE, 2048)).isEqualTo(1);
        post(Operation.SEND_INVALIDATE, 0);
        post(Operation.READ, 5000);
        assertThat(post(Operation.WRITE, 1024)).isEqualTo(9);
        assertThat(send(0)).isEqualTo("""
                fffffe send-first 1024
                ffffff send-middle 1024
                0 send-last 1 A S
                1 write-first 1024
                2 write-last-immediate 1024 A S
                3 send-only-invalidate 0 A S
                4 read-request 0
                9 write-only 1024 A S
                """);
        assertThat(requester.acknowledged()).isEqualTo(START - 1);
    }

    @Test
    void whatWasNeverSentIsNotAcknowledged() {
        post(Operation.SEND, 10);
        post(Operation.SEND, 10);
        ack(0);
        assertThat(requester.outstanding()).isEqualTo(2);
        requester.next(0, packet);
        ack(1);
        ack(-1);
        ack(0x7f_ffff);
        nak(1, Syndrome.NAK_ACCESS);
        nak(-1, Syndrome.NAK_SEQUENCE);
        assertThat(requester.outstanding()).isEqualTo(2);
        assertThat(requester.failure()).isZero();
        ack(0);
        assertThat(requester.outstanding()).isEqualTo(1);
        assertThat(requester.acknowledged()).isEqualTo(START);
    }

    @Test
    void allBeginsAgainAtTheMissingPacketAndOnlyOnce() {
        post(Operation.WRITE, 3000);
        post(Operation.SEND, 1);
        send(0);
        nak(1, Syndrome.NAK_SEQUENCE);
        nak(1, Syndrome.NAK_SEQUENCE);
        assertThat(send(0)).isEqualTo("""
                ffffff write-middle 1024
                0 write-last 952 A S
                1 send-only 1 A S
                """);
        nak(1, Syndrome.NAK_SEQUENCE);
        assertThat(send(0)).isEmpty();
        assertThat(requester.sequenceNaks).isEqualTo(1);
        assertThat(requester.retransmitted).isEqualTo(3);
    }

    @Test
    void whatIsAcknowledgedLateIsNotSentAgain() {
        post(Operation.SEND, 1);
        post(Operation.WRITE, 3000);
        send(0);
        requester.expire(TIMEOUT);
        ack(1);
        assertThat(send(TIMEOUT)).isEqualTo("""
                0 write-middle 1024
                1 write-last 952 A S
                """);
        requester.expire(3 * TIMEOUT);
        ack(3);
        assertThat(send(3 * TIMEOUT)).isEmpty();
        assertThat(requester.outstanding()).isZero();
        assertThat(requester.deadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatCouldNotBeMadeAgainAndHasArrivedBeforeHoldsUpNothing() {
        post(Operation.SEND, 1);
        post(Operation.SEND, 1);
        send(0);
        requester.expire(TIMEOUT);
        requester.next(TIMEOUT, packet);
        requester.next(TIMEOUT, packet);
        requester.withhold();
        assertThat(requester.isStuck()).as("while the first is not acknowledged").isFalse();
        ack(1);
        assertThat(requester.outstanding()).isZero();
        post(Operation.SEND, 1);
        assertThat(requester.isStuck()).isFalse();
        assertThat(send(TIMEOUT)).isEqualTo("0 send-only 1 A S\n");
    }

    @Test
    void aReadIsAskedForAgainFromWhereDataIsMissing() {
        post(Operation.READ, 4 * MTU + 5);
        post(Operation.SEND, 1);
        send(0);
        assertThat(response(0, Opcode.READ_RESPONSE_FIRST, MTU)).isTrue();
        assertThat(requester.offset()).isZero();
        assertThat(response(1, Opcode.READ_RESPONSE_MIDDLE, MTU)).isTrue();
        assertThat(requester.offset()).isEqualTo(MTU);
        assertThat(requester.context()).isEqualTo(100);
        assertThat(response(3, Opcode.READ_RESPONSE_MIDDLE, MTU)).as("beyond a gap").isFalse();
        assertThat(response(4, Opcode.READ_RESPONSE_LAST, 5)).isFalse();
        ack(5);
        assertThat(requester.impliedNaks).isEqualTo(1);
        assertThat(requester.next(0, packet)).isTrue();
        assertThat(packet.opcode).isEqualTo(Opcode.READ_REQUEST);
        assertThat(packet.psn).isEqualTo(Psn.add(START, 2));
        assertThat(packet.remoteAddress).isEqualTo(0x1000 + 2 * MTU);
        assertThat(packet.dmaLength).isEqualTo(2 * MTU + 5);
        send(0);
        assertThat(response(2, Opcode.READ_RESPONSE_FIRST, MTU)).isTrue();
        assertThat(response(3, Opcode.READ_RESPONSE_MIDDLE, MTU)).isTrue();
        assertThat(response(4, Opcode.READ_RESPONSE_LAST, 5)).isTrue();
        assertThat(response(4, Opcode.READ_RESPONSE_LAST, 5)).isFalse();
        ack(5);
        assertThat(requester.outstanding()).isZero();
    }

    @Test
    void anAnswerToAReadAcknowledgesWhatWasBefore() {
        post(Operation.SEND, 10);
        post(Operation.READ, 10);
        send(0);
        assertThat(response(1, Opcode.READ_RESPONSE_ONLY, 10)).isTrue();
        assertThat(requester.outstanding()).isZero();
    }

    @Test
    void dataOfAnotherLengthThanAskedForIsAFailure() {
        post(Operation.READ, 10);
        send(0);
        assertThat(response(0, Opcode.READ_RESPONSE_ONLY, 11)).isFalse();
        assertThat(requester.failure()).isEqualTo(Requester.BAD_RESPONSE);
        assertThat(requester.readMismatches).isEqualTo(1);
    }

    @Test
    void noMoreReadsThanAllowedAndFencesWaitForThem() {
        post(Operation.READ, 10);
        post(Operation.READ, 10);
        post(Operation.READ, 10);
        requester.post(Operation.SEND, 1, false, true, 0, 0, 0, 0);
        assertThat(send(0)).hasLineCount(2);
        response(0, Opcode.READ_RESPONSE_ONLY, 10);
        assertThat(send(0)).contains("read-request").hasLineCount(1);
        response(1, Opcode.READ_RESPONSE_ONLY, 10);
        assertThat(send(0)).isEmpty();
        response(2, Opcode.READ_RESPONSE_ONLY, 10);
        assertThat(send(0)).contains("send-only");
    }

    @Test
    void longMessagesAskForAcknowledgementsAndStopAtTheWindow() {
        requester.window(100);
        post(Operation.SEND, 200 * MTU);
        String sent = send(0);
        assertThat(sent).hasLineCount(100);
        assertThat(sent.lines().filter(line -> line.endsWith(" A")).map(line -> line.substring(0, line.indexOf(' '))))
                .containsExactly("1d", "3d", "5d", "61");
        ack(0);
        assertThat(send(0)).hasLineCount(1);
    }

    @Test
    void afterAllRetriesTheOldestRequestHasFailed() {
        post(Operation.SEND, 1);
        post(Operation.SEND, 1);
        assertThat(requester.deadline()).isEqualTo(Long.MAX_VALUE);
        send(0);
        ack(0);
        long now = 0;
        for (int i = 0; i < RETRIES; i++) {
            assertThat(requester.deadline()).isEqualTo(now + TIMEOUT);
            now += TIMEOUT;
            requester.expire(now - 1);
            assertThat(send(now)).as("too early").isEmpty();
            requester.expire(now);
            assertThat(send(now)).isEqualTo("ffffff send-only 1 A S\n");
        }
        requester.expire(now + TIMEOUT);
        assertThat(requester.failure()).isEqualTo(Requester.RETRIES);
        assertThat(requester.failedPsn()).isEqualTo(START + 1);
        assertThat(requester.timeouts).isEqualTo(RETRIES + 1);
        assertThat(requester.deadline()).isEqualTo(Long.MAX_VALUE);
        assertThat(requester.hasUnsent()).isFalse();
        assertThat(send(now)).isEmpty();
    }

    @Test
    void progressForgivesEarlierTimeouts() {
        for (int i = 0; i < 5; i++) {
            post(Operation.SEND, 1);
            send(0);
            requester.expire(TIMEOUT);
            send(0);
            requester.expire(TIMEOUT);
            send(0);
            ack(i);
        }
        assertThat(requester.failure()).isZero();
        assertThat(requester.outstanding()).isZero();
    }

    @Test
    void aReceiverThatIsNotReadyIsAskedAgainAfterItsTime() {
        post(Operation.SEND, 1);
        post(Operation.SEND, 1);
        send(0);
        nak(1, Syndrome.RNR | 1);
        nak(1, Syndrome.RNR | 1);
        assertThat(requester.rnrNaks).isEqualTo(1);
        assertThat(requester.outstanding()).isEqualTo(1);
        assertThat(requester.deadline()).isEqualTo(10_000);
        assertThat(send(9_999)).isEmpty();
        assertThat(send(10_000)).hasLineCount(1);
        nak(1, Syndrome.RNR);
        assertThat(send(655_360_000)).hasLineCount(1);
        nak(1, Syndrome.RNR);
        assertThat(requester.failure()).isEqualTo(Requester.RNR_RETRIES);
        assertThat(requester.failedPsn()).isEqualTo(START + 1);
    }

    @Test
    void aReceiverMayBeNotReadyForEver() {
        requester.start(START, MTU, RETRIES, Requester.FOR_EVER, TIMEOUT, 2);
        post(Operation.SEND, 1);
        for (int i = 0; i < 100; i++) {
            assertThat(send(i * 10_000L)).hasLineCount(1);
            requester.acknowledge(i * 10_000L, START, Syndrome.RNR | 1, 0);
        }
        assertThat(requester.failure()).isZero();
    }

    @Test
    void refusalsEndIt() {
        int[] syndromes = {Syndrome.NAK_INVALID, Syndrome.NAK_ACCESS, Syndrome.NAK_OPERATIONAL};
        int[] failures = {Requester.REMOTE_INVALID, Requester.REMOTE_ACCESS, Requester.REMOTE_OPERATION};
        for (int i = 0; i < syndromes.length; i++) {
            start();
            post(Operation.SEND, 1);
            post(Operation.WRITE, 2000);
            post(Operation.SEND, 1);
            send(0);
            nak(2, syndromes[i]);
            assertThat(requester.failure()).isEqualTo(failures[i]);
            assertThat(requester.failedPsn()).isEqualTo(START + 1);
            assertThat(requester.outstanding()).isEqualTo(2);
        }
    }
}
