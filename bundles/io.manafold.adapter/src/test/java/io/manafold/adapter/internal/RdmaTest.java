package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** RDMA from a driver's point of view: two adapters on a switch. */
@Timeout(300)
class RdmaTest {
    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);

    @BeforeEach
    void plug() {
        RdmaEnd.plug(net, left, right);
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    @Test
    void aMessageAWriteAndARead() {
        try (RcPair one = left.pair(RcSettings.of(1024)); RcPair other = right.pair(RcSettings.of(1024))) {
            RdmaEnd.connect(left, one, right, other);
            byte[] sent = left.fill(0, 5000, 1);
            other.receive(RdmaEnd.VIRTUAL, right.key(), 8192);
            other.ringReceives();
            one.send(RdmaEnd.VIRTUAL, left.key(), 5000);
            one.ring();
            assertThat(RdmaEnd.until(() -> one.outstanding() == 0 && other.received() == 1, one, other)).isTrue();
            assertThat(other.receivedType()).isEqualTo(RdmaCompletion.SEND);
            assertThat(other.receivedLength()).isEqualTo(5000);
            assertThat(right.bytes(0, 5000)).isEqualTo(sent);

            byte[] written = left.fill(0, 5000, 2);
            one.write(RdmaEnd.VIRTUAL, left.key(), 5000, RdmaEnd.VIRTUAL + 10_001, right.registered.remoteKey());
            one.ring();
            assertThat(RdmaEnd.until(() -> one.outstanding() == 0, one)).isTrue();
            assertThat(right.bytes(10_001, 5000)).isEqualTo(written);

            byte[] there = right.fill(20_003, 5000, 3);
            one.read(RdmaEnd.VIRTUAL + 30_005, left.key(), 5000, RdmaEnd.VIRTUAL + 20_003, right.registered.remoteKey());
            one.ring();
            assertThat(RdmaEnd.until(() -> one.outstanding() == 0, one)).isTrue();
            assertThat(left.bytes(30_005, 5000)).isEqualTo(there);
            assertThat(one.sendErrors() + other.receiveErrors() + other.misplaced()).isZero();
        }
    }
}
