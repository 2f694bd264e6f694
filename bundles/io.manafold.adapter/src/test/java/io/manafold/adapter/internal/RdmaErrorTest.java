package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.RdmaReceiveRequest;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.driver.ProtectionDomain;
import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.SetQpState;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PieceList;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What ends a queue pair: one error on each side that has work, the right one, and no other queue pair changes. */
@Timeout(120)
class RdmaErrorTest {
    private static final int PLACE = 1 << 20;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);
    private RcSettings settings = RcSettings.of(1024).withPatience(12, 2, 2, 12);
    private RcPair one;
    private RcPair other;
    private RcPair quietOne;
    private RcPair quietOther;

    @BeforeEach
    void connect() {
        RdmaEnd.plug(net, left, right);
        connect(settings);
        quietOne = left.pair(RcSettings.of(1024));
        quietOther = right.pair(RcSettings.of(1024));
        RdmaEnd.connect(left, quietOne, right, quietOther);
    }

    private void connect(RcSettings with) {
        settings = with;
        one = left.pair(with);
        other = right.pair(with);
        RdmaEnd.connect(left, one, right, other);
    }

    @AfterEach
    void othersGoOn() {
        byte[] data = left.fill(2 << 20, 5000, 77);
        quietOther.receive(RdmaEnd.VIRTUAL + (3 << 20), right.key(), 5000);
        quietOther.ringReceives();
        quietOne.send(RdmaEnd.VIRTUAL + (2 << 20), left.key(), 5000);
        quietOne.ring();
        assertThat(until(() -> quietOne.outstanding() == 0 && quietOther.received() == 1)).isTrue();
        assertThat(right.bytes(3 << 20, 5000)).isEqualTo(data);
        assertThat(quietOne.sendErrors() + quietOther.receiveErrors()).isZero();
        left.close();
        right.close();
        net.close();
    }

    private void poll() {
        left.poll(one, quietOne);
        right.poll(other, quietOther);
    }

    private boolean until(BooleanSupplier condition) {
        return RdmaEnd.until(() -> {
            poll();
            return condition.getAsBoolean();
        });
    }

    private void settle() {
        left.pause();
        poll();
    }

    private void post(int operation, int flags, long address, int key, int length, long remote, int remoteKey) {
        assertThat(one.post(operation, flags, new PieceList().add(address, key, length), remote, remoteKey, 0))
                .isTrue();
    }

    private void write(int key, long address, int remoteKey, long remote, int length) {
        post(RdmaRequest.WRITE, RdmaRequest.SIGNALED, address, key, length, remote, remoteKey);
    }

    private void good() {
        write(left.key(), RdmaEnd.VIRTUAL, right.registered.remoteKey(), RdmaEnd.VIRTUAL, 100);
    }

    /** Both sides have told of one error at most, and tell of no other whatever comes. */
    private void isOver(VendorError sending, VendorError receiving) {
        assertThat(until(() -> one.sendErrors() == 1)).as("an error of the sender").isTrue();
        assertThat(VendorError.of(one.sendError())).isEqualTo(sending);
        if (receiving != null) {
            assertThat(until(() -> other.receiveErrors() == 1)).as("an error of the receiver").isTrue();
            assertThat(VendorError.of(other.receiveError())).isEqualTo(receiving);
        }
        one.fail();
        other.fail();
        one.ring();
        other.ringReceives();
        settle();
        assertThat(one.sendErrors()).isEqualTo(1);
        assertThat(other.receiveErrors()).isEqualTo(receiving == null ? 0 : 1);
    }

    // ---- memory of the sender

    private void failsLocally(int key, long address, int length, VendorError error) {
        good();
        int psn = one.nextPsn();
        write(key, address, right.registered.remoteKey(), RdmaEnd.VIRTUAL, length);
        good();
        one.ring();
        isOver(error, null);
        assertThat(one.sendErrorPsn()).as("the packet of the request that was wrong").isEqualTo(psn);
        assertThat(one.completed()).isEqualTo(1);
    }

    @Test
    void aKeyThatDoesNotExist() {
        failsLocally(0x00fe_dc01, RdmaEnd.VIRTUAL, 10, VendorError.KEY_MISSING);
    }

    @Test
    void noKeyAtAll() {
        failsLocally(0, RdmaEnd.VIRTUAL, 10, VendorError.KEY_MISSING);
    }

    @Test
    void aKeyOfAnEarlierLife() {
        failsLocally(left.key() ^ 1, RdmaEnd.VIRTUAL, 10, VendorError.KEY_STALE);
    }

    @Test
    void aKeyOfAnotherDomain() {
        try (ProtectionDomain foreign = left.rdma.createDomain();
                ProtectionDomain.RegisteredMemory memory = foreign.register(left.block, 4096, RdmaEnd.VIRTUAL,
                        RdmaEnd.ALL)) {
            failsLocally(memory.localKey(), RdmaEnd.VIRTUAL, 10, VendorError.KEY_DOMAIN);
        }
    }

    @Test
    void moreThanTheRegionHas() {
        failsLocally(left.key(), RdmaEnd.VIRTUAL + RdmaEnd.BYTES - 9, 10, VendorError.SEND_RANGE);
    }

    @Test
    void anAddressThatGoesRound() {
        failsLocally(left.key(), -5, 10, VendorError.SEND_RANGE);
    }

    @Test
    void aReadIntoMemoryThatMayNotBeWritten() {
        ProtectionDomain.RegisteredMemory memory = left.domain.register(left.block, 4096, RdmaEnd.VIRTUAL,
                CreateMr.LOCAL_READ);
        byte[] before = left.bytes(0, 4096);
        post(RdmaRequest.READ, RdmaRequest.SIGNALED, RdmaEnd.VIRTUAL, memory.localKey(), 100, RdmaEnd.VIRTUAL,
                right.registered.remoteKey());
        one.ring();
        isOver(VendorError.KEY_RIGHT, null);
        assertThat(left.bytes(0, 4096)).isEqualTo(before);
    }

    // ---- memory of the peer

    private void isRefused(int operation, int remoteKey, long remote, int length) {
        byte[] before = right.fill(0, RdmaEnd.BYTES, 8);
        left.fill(0, PLACE, 9);
        byte[] own = left.bytes(0, PLACE);
        good();
        one.ring();
        assertThat(until(() -> one.outstanding() == 0)).isTrue();
        System.arraycopy(own, 0, before, 0, 100);
        int psn = one.nextPsn();
        post(operation, RdmaRequest.SIGNALED, RdmaEnd.VIRTUAL, left.key(), length, remote, remoteKey);
        one.ring();
        isOver(VendorError.REMOTE_ACCESS_DENIED, null);
        assertThat(one.sendErrorPsn() - psn << 8 >> 8).isBetween(0, length / 1024);
        assertThat(right.bytes(0, RdmaEnd.BYTES)).isEqualTo(before);
        assertThat(left.bytes(0, PLACE)).isEqualTo(own);
    }

    @Test
    void aWriteWithAWrongKey() {
        isRefused(RdmaRequest.WRITE, right.registered.remoteKey() ^ 0x100, RdmaEnd.VIRTUAL, 5000);
    }

    @Test
    void aWriteWithAnOldKey() {
        isRefused(RdmaRequest.WRITE, right.registered.remoteKey() ^ 1, RdmaEnd.VIRTUAL, 5000);
    }

    @Test
    void aWriteWhoseEndIsOutside() {
        isRefused(RdmaRequest.WRITE, right.registered.remoteKey(), RdmaEnd.VIRTUAL + RdmaEnd.BYTES - 4999, 5000);
    }

    @Test
    void aReadWhoseEndIsOutside() {
        isRefused(RdmaRequest.READ, right.registered.remoteKey(), RdmaEnd.VIRTUAL + RdmaEnd.BYTES - 4999, 5000);
    }

    @Test
    void aWriteToMemoryThatPeersMayOnlyRead() {
        isRefused(RdmaRequest.WRITE, register(CreateMr.LOCAL_WRITE | CreateMr.REMOTE_READ), RdmaEnd.VIRTUAL, 5000);
    }

    @Test
    void aReadOfMemoryThatPeersMayOnlyWrite() {
        isRefused(RdmaRequest.READ, register(CreateMr.LOCAL_WRITE | CreateMr.REMOTE_WRITE), RdmaEnd.VIRTUAL, 5000);
    }

    @Test
    void aWriteWithAKeyOfAnotherDomain() {
        ProtectionDomain foreign = right.rdma.createDomain();
        int key = foreign.register(right.block, RdmaEnd.BYTES, RdmaEnd.VIRTUAL, RdmaEnd.ALL).remoteKey();
        isRefused(RdmaRequest.WRITE, key, RdmaEnd.VIRTUAL, 5000);
    }

    private int register(int access) {
        return right.domain.register(right.block, RdmaEnd.BYTES, RdmaEnd.VIRTUAL, access).remoteKey();
    }

    @Test
    void aQueuePairThatLetsItsPeerOnlyRead() {
        connect(settings.withAccess(SetQpState.LOCAL_WRITE | SetQpState.REMOTE_READ));
        byte[] before = right.fill(0, 100, 3);
        good();
        one.ring();
        isOver(VendorError.REMOTE_ACCESS_DENIED, null);
        assertThat(right.bytes(0, 100)).isEqualTo(before);
    }

    // ---- receives

    private void send(int length) {
        post(RdmaRequest.SEND, RdmaRequest.SIGNALED, RdmaEnd.VIRTUAL, left.key(), length, 0, 0);
        one.ring();
    }

    private void receive(int key, long address, int length) {
        other.receive(address, key, length);
        other.ringReceives();
    }

    @Test
    void aMessageThatIsLongerThanItsReceive() {
        byte[] before = right.bytes(0, 4096);
        receive(right.key(), RdmaEnd.VIRTUAL + 100, 1023);
        receive(right.key(), RdmaEnd.VIRTUAL + 100, 4096);
        send(1024);
        isOver(VendorError.REMOTE_REQUEST_INVALID, VendorError.MESSAGE_TOO_LONG);
        assertThat(right.bytes(0, 4096)).isEqualTo(before);
    }

    @Test
    void aReceiveIntoMemoryThatMayNotBeWritten() {
        byte[] before = right.bytes(0, 4096);
        receive(register(CreateMr.LOCAL_READ), RdmaEnd.VIRTUAL, 1024);
        send(1024);
        isOver(VendorError.REMOTE_OPERATION_FAILED, VendorError.RECEIVE_RIGHT);
        assertThat(right.bytes(0, 4096)).isEqualTo(before);
    }

    @Test
    void aReceiveOutsideOfItsRegion() {
        receive(right.key(), RdmaEnd.VIRTUAL - 1, 1024);
        send(1024);
        isOver(VendorError.REMOTE_OPERATION_FAILED, VendorError.RECEIVE_RANGE);
    }

    @Test
    void aReceiverThatIsNeverReady() {
        send(100);
        isOver(VendorError.RNR_RETRIES_EXCEEDED, null);
    }

    @Test
    void aReceiverThatIsReadyLate() {
        connect(settings.withPatience(12, 2, 7, 12));
        send(100);
        settle();
        assertThat(one.sendErrors()).isZero();
        receive(right.key(), RdmaEnd.VIRTUAL, 100);
        assertThat(until(() -> one.outstanding() == 0 || one.sendErrors() > 0)).isTrue();
        assertThat(one.sendErrors()).isZero();
    }

    @Test
    void memoryThatIsGoneWhenItIsSentAgainCostsItsOwnRequest() {
        connect(settings.withPatience(14, 7, 7, 20));
        ProtectionDomain.RegisteredMemory second = left.domain.register(left.block, RdmaEnd.BYTES, RdmaEnd.VIRTUAL,
                RdmaEnd.ALL);
        byte[] first = left.fill(0, 700, 5);
        one.send(RdmaEnd.VIRTUAL, left.key(), 700);
        one.send(RdmaEnd.VIRTUAL, second.localKey(), 500);
        one.ring();
        // no receive yet: both are going to be sent again
        left.pause();
        second.close();
        other.receive(RdmaEnd.VIRTUAL, right.key(), 700);
        other.receive(RdmaEnd.VIRTUAL, right.key(), 700);
        other.ringReceives();
        assertThat(until(() -> one.sendErrors() == 1)).isTrue();
        assertThat(one.completed()).isEqualTo(1);
        assertThat(one.sendError()).isEqualTo(VendorError.KEY_MISSING.code());
        assertThat(other.received()).isEqualTo(1);
        assertThat(right.bytes(0, 700)).isEqualTo(first);
    }

    @Test
    void aPeerThatIsSilent() {
        other.reset();
        good();
        one.ring();
        isOver(VendorError.RETRIES_EXCEEDED, null);
    }

    // ---- requests that are none

    /** Posts a good request, and changes a word of it before the doorbell. */
    private void isMalformed(int word, int value, VendorError error) {
        good();
        int start = one.sendRing().produced();
        int psn = one.nextPsn();
        good();
        RawMemory.put32(one.sendRing().memory().pointer() + start + word, value);
        good();
        one.ring();
        isOver(error, null);
        assertThat(one.sendErrorPsn()).isEqualTo(psn);
        assertThat(one.completed()).isEqualTo(1);
    }

    @Test
    void anOperationThatDoesNotExist() {
        isMalformed(RdmaRequest.CONTROL, RdmaRequest.control(13, 0, one.nextPsn() + 1),
                VendorError.OPERATION_UNSUPPORTED);
    }

    @Test
    void aPacketNumberThatIsNotTheNext() {
        isMalformed(RdmaRequest.CONTROL, RdmaRequest.control(RdmaRequest.WRITE, 0, one.nextPsn() + 7),
                VendorError.WRONG_SEQUENCE);
        isExplained(left, "a request begins with the number behind the last packet");
    }

    @Test
    void aRequestNumberThatIsNotTheNext() {
        isMalformed(RdmaRequest.SEQUENCE, 77, VendorError.WRONG_SEQUENCE);
        isExplained(left, "requests are numbered from 1 on");
    }

    /** An administrator sees which of the rules that one error stands for was broken. */
    private static void isExplained(RdmaEnd end, String rule) {
        assertThat(end.bench.rejections.all()).anySatisfy(one -> assertThat(one.rule()).startsWith(rule));
    }

    @Test
    void aReadWithoutAPlaceForItsData() {
        isMalformed(RdmaRequest.CONTROL, RdmaRequest.control(RdmaRequest.READ, 0, one.nextPsn() + 1),
                VendorError.WRONG_SEQUENCE);
        isExplained(left, "a read has a place for its data");
    }

    @Test
    void aReadWhosePlaceIsForAnother() {
        post(RdmaRequest.READ, RdmaRequest.SIGNALED, RdmaEnd.VIRTUAL, left.key(), 100, RdmaEnd.VIRTUAL,
                right.registered.remoteKey());
        long landing = one.landingRing().memory().pointer();
        RawMemory.put32(landing + RdmaReceiveRequest.PSN, 4711);
        one.ring();
        isOver(VendorError.WRONG_SEQUENCE, null);
        isExplained(left, "the place for the data of a read names the first packet");
    }

    @Test
    void aDoorbellOfLandingsFarBehindTheirRing() {
        post(RdmaRequest.READ, RdmaRequest.SIGNALED, RdmaEnd.VIRTUAL, left.key(), 100, RdmaEnd.VIRTUAL,
                right.registered.remoteKey());
        left.rdma.page().ring(Doorbell.RECEIVE, Doorbell.work(one.made().receiveRequester(), 0x7fff_ffe0));
        left.rdma.page().ring(Doorbell.SEND, Doorbell.work(one.made().sendRequester(),
                one.sendRing().produced()));
        isOver(VendorError.WRONG_SEQUENCE, null);
        isExplained(left, "the doorbell of landings stays within their ring");
    }

    @Test
    void aDoorbellOfReceivesFarBehindTheirRing() {
        right.rdma.page().ring(Doorbell.RECEIVE, Doorbell.work(other.made().receiveResponder(), 0x7fff_ffe0));
        send(100);
        isOver(VendorError.REMOTE_OPERATION_FAILED, VendorError.RECEIVE_MALFORMED);
        isExplained(right, "the doorbell stays within the ring");
    }

    @Test
    void aReceiveThatIsLongerThanTheDoorbellSays() {
        other.receive(RdmaEnd.VIRTUAL, right.key(), 100);
        RawMemory.put32(other.receiveRing().memory().pointer() + 4, RdmaReceiveRequest.receive(15));
        other.ringReceives();
        send(100);
        isOver(VendorError.REMOTE_OPERATION_FAILED, VendorError.RECEIVE_MALFORMED);
        isExplained(right, "a receive is as long as its head says");
    }

    @Test
    void aRequestThatIsLongerThanTheDoorbellSays() {
        isMalformed(4, RdmaRequest.word1(RdmaRequest.WRITE, 28, 1024), VendorError.REQUEST_SIZE);
    }

    @Test
    void aLengthThatIsNotThatOfThePieces() {
        isMalformed(RdmaRequest.LENGTH, 101, VendorError.REQUEST_LENGTH);
    }

    @Test
    void aDoorbellFarBehindTheRing() {
        good();
        one.ring();
        assertThat(until(() -> one.outstanding() == 0)).isTrue();
        left.rdma.page().ring(Doorbell.SEND,
                Doorbell.work(one.made().sendRequester(), 0x7fff_ffe0));
        isOver(VendorError.WRONG_SEQUENCE, null);
        isExplained(left, "the doorbell stays within the ring");
    }

    // ---- states

    @Test
    void intoTheErrorStateWithWorkOnBothSides() {
        // the peer will not answer: longer than any machine rests must pass before that is what is wrong
        connect(settings.withPatience(20, 7, 7, 12));
        other.receive(RdmaEnd.VIRTUAL, right.key(), 100);
        other.ringReceives();
        one.receive(RdmaEnd.VIRTUAL, left.key(), 100);
        one.ringReceives();
        other.reset();
        good();
        one.ring();
        int psn = one.nextPsn() - 1 & 0xff_ffff;
        settle();
        one.fail();
        assertThat(until(() -> one.sendErrors() == 1 && one.receiveErrors() == 1)).isTrue();
        assertThat(List.of(VendorError.of(one.sendError()), VendorError.of(one.receiveError())))
                .containsOnly(VendorError.FLUSHED);
        assertThat(one.sendErrorPsn()).isEqualTo(psn);
        one.fail();
        one.ring();
        settle();
        assertThat(one.sendErrors() + one.receiveErrors()).isEqualTo(2);
    }

    /** How often the driver of this end was told by an event that a queue pair of its own has failed. */
    private static int events(RdmaEnd end, RcPair pair) {
        int[] count = new int[1];
        end.rdma.events().poll((type, data) -> {
            if (type == EventEntry.QUEUE_PAIR_FATAL && EventEntry.queuePair(data) == pair.number()) {
                count[0]++;
            }
        }, RdmaEnd.ENTRIES);
        return count[0];
    }

    /** The peer has sent what the queue pair does not allow. */
    private void offend() {
        write(left.key(), RdmaEnd.VIRTUAL, right.registered.remoteKey() ^ 0x100, RdmaEnd.VIRTUAL, 100);
        one.ring();
        assertThat(until(() -> one.sendErrors() == 1)).isTrue();
    }

    /** Work of the queue pair comes back flushed, once for each side. */
    private void comesBack(int psn) {
        assertThat(until(() -> other.sendErrors() == 1 && other.receiveErrors() == 1)).as("work comes back").isTrue();
        assertThat(List.of(VendorError.of(other.sendError()), VendorError.of(other.receiveError())))
                .containsOnly(VendorError.FLUSHED);
        assertThat(other.sendErrorPsn()).isEqualTo(psn);
    }

    private void postOnOther() {
        other.receive(RdmaEnd.VIRTUAL, right.key(), 100);
        other.ringReceives();
        other.write(RdmaEnd.VIRTUAL, right.key(), 100, RdmaEnd.VIRTUAL, left.key());
        other.ring();
    }

    @Test
    void aQueuePairThatFailsWithNothingPostedTellsByAnEventAndFlushesWhatIsPostedLater() {
        offend();
        int[] told = new int[1];
        assertThat(until(() -> (told[0] += events(right, other)) > 0)).as("an event").isTrue();
        assertThat(other.sendErrors() + other.receiveErrors()).isZero();
        int psn = other.nextPsn();
        postOnOther();
        comesBack(psn);
        postOnOther();
        settle();
        assertThat(told[0] + events(right, other)).isEqualTo(1);
        assertThat(other.sendErrors() + other.receiveErrors()).as("one error a side").isEqualTo(2);
        one.reset();
        other.reset();
        RdmaEnd.connect(left, one, right, other);
        byte[] data = right.fill(0, 3000, 4);
        other.write(RdmaEnd.VIRTUAL, right.key(), 3000, RdmaEnd.VIRTUAL + PLACE, left.key());
        other.ring();
        assertThat(until(() -> other.outstanding() == 0)).isTrue();
        assertThat(left.bytes(PLACE, 3000)).isEqualTo(data);
        assertThat(other.sendErrors() + other.receiveErrors()).isZero();
        other.fail();
        settle();
        assertThat(events(right, other)).as("its driver has asked for that").isZero();
    }

    @Test
    void aQueuePairWithSendsAloneTellsByAnEventThatItHasFailed() {
        connect(settings.withPatience(20, 7, 7, 12));
        // it waits for a receive of the peer, and is under way until then
        other.send(RdmaEnd.VIRTUAL, right.key(), 100);
        other.ring();
        offend();
        int[] told = new int[1];
        assertThat(until(() -> other.sendErrors() == 1 && (told[0] += events(right, other)) > 0)).isTrue();
        assertThat(VendorError.of(other.sendError())).isEqualTo(VendorError.FLUSHED);
        settle();
        assertThat(told[0] + events(right, other)).isEqualTo(1);
    }

    @Test
    void memoryThatIsGoneWhileThePeerReadsItIsToldByAnEvent() {
        connect(settings.withPatience(20, 7, 7, 12));
        ProtectionDomain.RegisteredMemory gone = right.domain.register(right.block, RdmaEnd.BYTES, RdmaEnd.VIRTUAL,
                RdmaEnd.ALL);
        int key = gone.remoteKey();
        for (int i = 0; i < 8; i++) {
            post(RdmaRequest.READ, RdmaRequest.SIGNALED, RdmaEnd.VIRTUAL, left.key(), 1 << 20, RdmaEnd.VIRTUAL, key);
        }
        one.ring();
        gone.close();
        int[] told = new int[1];
        assertThat(until(() -> one.sendErrors() == 1 && (told[0] += events(right, other)) > 0)).isTrue();
        int psn = other.nextPsn();
        postOnOther();
        comesBack(psn);
    }

    @Test
    void whatIsPostedInTheErrorStateComesBack() {
        other.fail();
        int psn = other.nextPsn();
        postOnOther();
        comesBack(psn);
        settle();
        assertThat(events(right, other)).isZero();
    }

    @Test
    void intoTheErrorStateWithoutWork() {
        good();
        one.ring();
        assertThat(until(() -> one.outstanding() == 0)).isTrue();
        one.fail();
        other.fail();
        settle();
        assertThat(one.sendErrors() + one.receiveErrors() + other.sendErrors() + other.receiveErrors()).isZero();
    }

    @Test
    void afterAResetAllBeginsAnew() {
        for (int round = 0; round < 5; round++) {
            other.receive(RdmaEnd.VIRTUAL, right.key(), 10);
            other.ringReceives();
            send(1024);
            assertThat(until(() -> one.sendErrors() == 1 && other.receiveErrors() == 1)).isTrue();
            one.reset();
            other.reset();
            RdmaEnd.connect(left, one, right, other);
            byte[] data = left.fill(0, 3000, round);
            other.receive(RdmaEnd.VIRTUAL + PLACE, right.key(), 3000);
            other.ringReceives();
            send(3000);
            assertThat(until(() -> one.outstanding() == 0 && other.received() == 1)).isTrue();
            assertThat(right.bytes(PLACE, 3000)).isEqualTo(data);
            assertThat(other.misplaced() + one.sendErrors() + other.receiveErrors()).isZero();
        }
    }
}
