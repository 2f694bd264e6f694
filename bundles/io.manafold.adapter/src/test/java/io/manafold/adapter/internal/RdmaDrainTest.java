package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.QpState;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.message.SetQpState;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While sends are drained, what was begun with comes to its end and new requests wait. */
@Timeout(120)
class RdmaDrainTest {
    private static final int LENGTH = 3000;
    private static final int PLACE = 1 << 20;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);
    private RcPair one;
    private RcPair other;

    @BeforeEach
    void connect() {
        RdmaEnd.plug(net, left, right);
        RcSettings settings = RcSettings.of(1024).withPatience(14, 7, 7, 12);
        one = left.pair(settings);
        other = right.pair(settings);
        RdmaEnd.connect(left, one, right, other);
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    private void change(QpState next) {
        one.change(next, 0, 0, 0, 0, SetQpState.Path.NONE);
    }

    private void write() {
        one.write(RdmaEnd.VIRTUAL + PLACE, left.key(), LENGTH, RdmaEnd.VIRTUAL + PLACE, right.key());
        one.ring();
    }

    @Test
    void whatWasBegunWithEndsAndWhatIsNewWaits() {
        byte[] first = left.fill(0, LENGTH, 1);
        byte[] data = left.fill(PLACE, LENGTH, 2);
        byte[] before = right.fill(PLACE, LENGTH, 3);
        // its peer has no receive yet
        one.send(RdmaEnd.VIRTUAL, left.key(), LENGTH);
        one.ring();
        left.pause();
        change(QpState.SENDS_DRAINED);
        write();
        left.pause();
        other.receive(RdmaEnd.VIRTUAL, right.key(), LENGTH);
        other.ringReceives();
        assertThat(RdmaEnd.until(() -> one.completed() == 1 && other.received() == 1, one, other)).isTrue();
        assertThat(right.bytes(0, LENGTH)).isEqualTo(first);
        // those of the peer are carried out all the same
        byte[] theirs = right.fill(2 * PLACE, LENGTH, 4);
        other.write(RdmaEnd.VIRTUAL + 2 * PLACE, right.key(), LENGTH, RdmaEnd.VIRTUAL + 2 * PLACE, left.key());
        other.ring();
        assertThat(RdmaEnd.until(() -> other.outstanding() == 0, one, other)).isTrue();
        assertThat(left.bytes(2 * PLACE, LENGTH)).isEqualTo(theirs);
        left.pause();
        one.poll();
        assertThat(one.outstanding()).isEqualTo(1);
        assertThat(right.bytes(PLACE, LENGTH)).isEqualTo(before);
        change(QpState.READY_TO_SEND);
        assertThat(RdmaEnd.until(() -> one.outstanding() == 0, one, other)).isTrue();
        assertThat(right.bytes(PLACE, LENGTH)).isEqualTo(data);
        assertThat(one.sendErrors() + other.receiveErrors()).isZero();
    }

    @Test
    void whatWaitsIsFlushedWithTheOthers() {
        change(QpState.SENDS_DRAINED);
        write();
        left.pause();
        one.fail();
        assertThat(RdmaEnd.until(() -> one.sendErrors() == 1, one)).isTrue();
        assertThat(VendorError.of(one.sendError())).isEqualTo(VendorError.FLUSHED);
    }
}
