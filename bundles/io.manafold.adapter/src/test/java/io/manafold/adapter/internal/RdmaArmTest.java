package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.RdmaRequest;
import io.manafold.testkit.PieceList;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which packets a driver is told of: those it has asked for, once, and never one that it has not posted. */
@Timeout(120)
class RdmaArmTest {
    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);
    private RcPair one;
    private RcPair other;
    private int first;

    @BeforeEach
    void connect() {
        RdmaEnd.plug(net, left, right);
        one = left.pair(RcSettings.of(1024).withPatience(18, 7, 7, 12));
        other = right.pair(RcSettings.of(1024).withPatience(18, 7, 7, 12));
        one.armByHand();
        RdmaEnd.connect(left, one, right, other);
        first = one.nextPsn();
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    private void write(int count) {
        PieceList piece = new PieceList().add(RdmaEnd.VIRTUAL, left.key(), 16);
        for (int i = 0; i < count; i++) {
            one.post(RdmaRequest.WRITE, 0, piece, RdmaEnd.VIRTUAL, right.registered.remoteKey(), 0);
        }
        one.ring();
    }

    /** Writes what the peer sees, so that all before it has been acknowledged when it is there. */
    private void settle() {
        int before = other.received();
        other.receive(RdmaEnd.VIRTUAL + 8192, right.key(), 16);
        other.ringReceives();
        one.post(RdmaRequest.SEND, 0, new PieceList().add(RdmaEnd.VIRTUAL, left.key(), 16), 0, 0, 0);
        one.ring();
        assertThat(RdmaEnd.until(() -> other.received() > before, one, other)).isTrue();
        left.pause();
        one.poll();
    }

    private int psn(int number) {
        return first + number & 0xff_ffff;
    }

    @Test
    void whatWasNotAskedForIsNotTold() {
        write(5);
        settle();
        assertThat(one.acknowledgements()).isZero();
    }

    @Test
    void aPacketIsToldOnceAndWithAllThatWasAcknowledged() {
        one.arm(psn(2));
        write(1);
        settle();
        assertThat(one.acknowledgements()).isZero();
        write(5);
        assertThat(RdmaEnd.until(() -> one.acknowledgements() == 1, one)).isTrue();
        assertThat(one.lastAcknowledged() - first << 8 >> 8).isBetween(2, 6);
        settle();
        assertThat(one.acknowledgements()).isEqualTo(1);
    }

    @Test
    void whatIsAcknowledgedAlreadyIsToldAtOnceAndNeverMoreThanWasPosted() {
        write(3);
        settle();
        one.arm(psn(1));
        assertThat(RdmaEnd.until(() -> one.acknowledgements() == 1, one)).isTrue();
        assertThat(one.lastAcknowledged()).isEqualTo(psn(3));
        one.arm(psn(4));
        left.pause();
        one.poll();
        assertThat(one.acknowledgements()).isEqualTo(1);
        write(1);
        assertThat(RdmaEnd.until(() -> one.acknowledgements() == 2, one)).isTrue();
        assertThat(one.lastAcknowledged()).isEqualTo(psn(4));
    }

    @Test
    void severalAreKeptAndALaterOneDoesNotReplaceThem() {
        one.arm(psn(0));
        one.arm(psn(9));
        one.arm(psn(1));
        write(1);
        assertThat(RdmaEnd.until(() -> one.acknowledgements() == 1, one)).isTrue();
        write(1);
        assertThat(RdmaEnd.until(() -> one.acknowledgements() == 2, one)).isTrue();
        write(7);
        settle();
        // the message that settles is the tenth packet
        assertThat(RdmaEnd.until(() -> one.acknowledgements() == 3, one)).isTrue();
        assertThat(one.lastAcknowledged()).isEqualTo(psn(9));
    }

    @Test
    void beforeAReceiverThatIsNotReadyAllThatIsDoneIsTold() {
        one.arm(psn(2));
        write(3);
        one.post(RdmaRequest.SEND, 0, new PieceList().add(RdmaEnd.VIRTUAL, left.key(), 16), 0, 0, 0);
        one.ring();
        one.arm(psn(3));
        assertThat(RdmaEnd.until(() -> one.acknowledgements() == 1, one)).isTrue();
        assertThat(one.lastAcknowledged()).isEqualTo(psn(2));
        other.receive(RdmaEnd.VIRTUAL + 8192, right.key(), 16);
        other.ringReceives();
        assertThat(RdmaEnd.until(() -> one.acknowledgements() == 2, one)).isTrue();
        assertThat(one.lastAcknowledged()).isEqualTo(psn(3));
    }

    @Test
    void aReadIsToldWhenItsLastByteIsInItsPlace() throws InterruptedException {
        byte[] data = right.fill(0, 1 << 20, 3);
        one.post(RdmaRequest.READ, 0, new PieceList().add(RdmaEnd.VIRTUAL, left.key(), 1 << 20), RdmaEnd.VIRTUAL,
                right.registered.remoteKey(), 0);
        one.arm(one.nextPsn() - 1 & 0xff_ffff);
        one.ring();
        assertThat(RdmaEnd.until(() -> one.acknowledgements() == 1, one)).isTrue();
        assertThat(left.bytes(0, 1 << 20)).isEqualTo(data);
        TimeUnit.MILLISECONDS.sleep(20);
        one.poll();
        assertThat(one.acknowledgements()).isEqualTo(1);
    }

    @Test
    void aResetForgetsWhatWasAskedFor() {
        one.arm(psn(1));
        one.reset();
        other.reset();
        RdmaEnd.connect(left, one, right, other);
        write(6);
        settle();
        assertThat(one.acknowledgements()).isZero();
    }
}
