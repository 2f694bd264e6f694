package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import org.junit.jupiter.api.Test;

class SendFaultTest extends PortPair {
    private void postPlain() {
        sender.post(one.put(plain(60)), 60);
    }

    /** Overwrites a word of the request posted last; it was of one unit. */
    private void spoil(int offset, int value) {
        sender.put32(offset - 32, value);
    }

    private void run() {
        sender.ring();
        one.port.duty().doWork();
    }

    /** The queue goes on after a request that is not sent. */
    private void refusedAndGoesOn(SendFault fault) {
        run();
        assertThat(sender.completion()).isEqualTo(fault.completion);
        assertThat(one.rejected).containsExactly("one/1 send queue 0: " + fault.rule);
        assertThat(arrived()).isEmpty();
        assertThat(counter(one, fault.counter.label())).isEqualTo(1);
        sender.flags = 0;
        sender.transportOffset = 0;
        sender.vportOffset = 0;
        sender.segment = 0;
        sender.headerBytes = 0;
        postPlain();
        run();
        assertThat(sender.completion()).isEqualTo(32);
        assertThat(arrived()).hasSize(1);
        assertThat(queueCounter(one, "tx_errors")).isEqualTo(1);
    }

    /** The queue ends with the request. */
    private void endsQueue(SendFault fault) {
        run();
        assertThat(sender.completion()).isEqualTo(fault.completion);
        assertThat(one.rejected).containsExactly("one/1 send queue 0: " + fault.rule);
        assertThat(arrived()).isEmpty();
        assertThat(queueCounter(one, "tx_ended")).isEqualTo(1);
        postPlain();
        run();
        assertThat(sender.completion()).isEqualTo(-1);
        assertThat(arrived()).isEmpty();
    }

    @Test
    void requestsWithoutPieces() {
        postPlain();
        spoil(4, WorkRequest.word1(0, 8, false, 0));
        endsQueue(SendFault.PIECES);
    }

    @Test
    void requestsWithTooManyPieces() {
        postPlain();
        spoil(4, WorkRequest.word1(31, 8, false, 0));
        endsQueue(SendFault.PIECES);
    }

    @Test
    void inlinePartOfAnotherLength() {
        postPlain();
        spoil(4, WorkRequest.word1(1, 16, false, 0));
        endsQueue(SendFault.INLINE);
    }

    @Test
    void requestThatReachesBeyondTheDoorbell() {
        postPlain();
        spoil(4, WorkRequest.word1(2, 8, false, 0));
        endsQueue(SendFault.BEYOND_DOORBELL);
    }

    @Test
    void keyOfSomebodyElse() {
        postPlain();
        spoil(24, 0x333);
        endsQueue(SendFault.KEY);
    }

    @Test
    void memoryThatIsNotMapped() {
        sender.post(0x1000, 60);
        endsQueue(SendFault.RANGE);
    }

    @Test
    void memoryThatWrapsRound() {
        sender.post(-16, 60);
        endsQueue(SendFault.RANGE);
    }

    @Test
    void memoryThatEndsTooEarly() {
        sender.post(Guest.DMA + one.block.size() - 20, 60);
        endsQueue(SendFault.RANGE);
    }

    @Test
    void pieceOfNothing() {
        sender.post(one.put(plain(60)), 0);
        endsQueue(SendFault.EMPTY_PIECE);
    }

    @Test
    void doorbellsThatLie() {
        for (int lie : new int[] {8192 + 32, -32, 33, Integer.MIN_VALUE}) {
            GuestSender other = one.sender(0x800, 4096);
            other.queue.doorbell(lie);
            one.port.duty().doWork();
            assertThat(other.queue.ended).as("doorbell %d", lie).isTrue();
            one.port.destroy(other.queue);
        }
        assertThat(one.rejected).hasSize(4).allMatch(rejection -> rejection.contains("doorbell"));
    }

    @Test
    void longFormatInAShortRequest() {
        sender.flags = SendRequest.LONG_FORM;
        postPlain();
        refusedAndGoesOn(SendFault.FORMAT);
    }

    @Test
    void completionQueueOfSomebodyElse() {
        postPlain();
        spoil(8, SendRequest.flags(0, 0x777));
        refusedAndGoesOn(SendFault.COMPLETION_QUEUE);
    }

    @Test
    void bitsOfAnotherQueue() {
        postPlain();
        spoil(12, SendRequest.place(0, 0x800, 0));
        refusedAndGoesOn(SendFault.QUEUE_BITS);
    }

    @Test
    void anotherVportOffset() {
        sender.vportOffset = 3;
        postPlain();
        refusedAndGoesOn(SendFault.VPORT_OFFSET);
    }

    @Test
    void vportOffsetsOfBothForms() {
        for (int offset : new int[] {7, 300}) {
            one.port.transmitVia(Guest.PD, 4, offset);
            sender.vportOffset = offset;
            postPlain();
            run();
            assertThat(sender.completion()).isEqualTo(32);
        }
        assertThat(arrived()).hasSize(2);
    }

    @Test
    void framesThatAreTooLong() {
        sender.post(one.put(plain(1515)), 1515);
        refusedAndGoesOn(SendFault.MTU);
    }

    @Test
    void aTagOfTheDriversOwnMayMakeTheFrameLonger() {
        byte[] frame = plain(1518);
        Packets.put32(frame, 12, 0x8100_0005);
        sender.send(frame);
        assertThat(sender.completion()).isEqualTo(32);
        sender.send(java.util.Arrays.copyOf(frame, 1519));
        assertThat(sender.completion()).isEqualTo(34);
    }

    @Test
    void hugeLengthsAreRefusedBeforeTheyAreFollowed() {
        sender.post(one.put(plain(60)), 0xffff_ffffL);
        refusedAndGoesOn(SendFault.MTU);
    }

    @Test
    void framesThatAreTooShort() {
        sender.post(one.put(plain(14)), 13);
        refusedAndGoesOn(SendFault.SHORT_FRAME);
    }

    @Test
    void checksumForAFrameWithoutHeaders() {
        sender.flags = SendRequest.IPV4 | SendRequest.TCP_CHECKSUM;
        postPlain();
        refusedAndGoesOn(SendFault.HEADERS);
    }

    @Test
    void segmentationWhoseHeadersAreNotAlone() {
        byte[] frame = Packets.ip(4, Packets.TCP, two.mac.value(), 1000, 1);
        long at = one.put(frame);
        sender.flags = SendRequest.IPV4 | SendRequest.TCP_CHECKSUM | SendRequest.IP_CHECKSUM;
        sender.segment = 500;
        sender.headerBytes = 66;
        sender.post(at, 80, at + 80, 500);
        refusedAndGoesOn(SendFault.SEGMENT);
    }

    @Test
    void segmentsLongerThanTheMtu() {
        byte[] frame = Packets.ip(4, Packets.TCP, two.mac.value(), 4000, 1);
        long at = one.put(frame);
        sender.flags = SendRequest.IPV4 | SendRequest.TCP_CHECKSUM | SendRequest.IP_CHECKSUM;
        sender.segment = 1449;
        sender.headerBytes = 66;
        sender.post(at, 66, at + 66, 4000);
        refusedAndGoesOn(SendFault.MTU);
    }

    @Test
    void sendingBeforeTheVportIsConfigured() {
        GuestSender early = two.sender(0x400, 4096);
        early.post(two.put(plain(60)), 60).ring();
        two.port.duty().doWork();
        assertThat(early.completion()).isEqualTo(40);
        assertThat(counter(two, "hc_tx_err_vport_disabled")).isEqualTo(1);
    }

    @Test
    void theWayOfSendingEndsWithTheLastQueue() {
        one.port.destroy(sender.queue);
        sender = one.sender(0x400, 4096);
        postPlain();
        run();
        assertThat(sender.completion()).isEqualTo(40);
    }

    @Test
    void sendingFromAnotherProtectionDomain() {
        one.port.transmitVia(0x99, 4, 0);
        postPlain();
        run();
        assertThat(sender.completion()).isEqualTo(40);
        assertThat(counter(one, "hc_tx_err_sqpdid_enforcement")).isEqualTo(1);
    }

    @Test
    void suppressedCompletionsStayAway() {
        sender.flags = SendRequest.SUPPRESS_COMPLETION;
        postPlain();
        sender.flags = 0;
        postPlain();
        run();
        assertThat(arrived()).hasSize(2);
        assertThat(sender.completion()).isEqualTo(32);
        assertThat(sender.completion()).isEqualTo(-1);
    }

    @Test
    void aWithheldCompletionStaysAwayOnce() {
        one.port.withholdCompletion();
        postPlain();
        postPlain();
        run();
        assertThat(arrived()).hasSize(2);
        assertThat(sender.completions.drain()).isEqualTo(1);
    }

    @Test
    void completionsKeepTheOrderOfRequests() {
        for (int i = 0; i < 200; i++) {
            sender.post(one.put(plain(60)), i % 3 == 0 ? 10 : 60);
        }
        sender.ring();
        while (one.port.duty().doWork() > 0) {
            // as an agent would
        }
        for (int i = 0; i < 200; i++) {
            byte[] entry = sender.completions.poll();
            assertThat(entry[0] & 0x3f).as("request %d", i).isEqualTo(i % 3 == 0 ? 37 : 32);
            assertThat(GuestReceiver.u32(entry, 8) >>> 5).isEqualTo(i % 256);
        }
        assertThat(sender.completions.poll()).isNull();
    }
}
