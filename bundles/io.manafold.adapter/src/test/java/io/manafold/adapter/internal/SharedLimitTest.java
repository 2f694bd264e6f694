package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.HandSwitch;
import io.manafold.gdma.message.Counter;
import io.manafold.gdma.message.QueryStatistics;
import io.manafold.gdma.message.SetBandwidthClamp;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A port's bandwidth is for all that it sends: frames of its queues and packets of its queue pairs. Both always have
 * something to send here, so that one who goes first each time would leave nothing to the other.
 */
@Timeout(300)
class SharedLimitTest {
    private static final int MEGABITS = 80;
    private static final int FRAME = 1000;
    private static final int MESSAGE = 16 << 10;
    private static final long STEP = 20_000;
    private static final long NANOS = 1_000_000_000;

    @Test
    void bothGoOnUnderOneLimit() {
        try (HandSwitch net = new HandSwitch(null, "left/1", "right/1"); RdmaEnd left = RdmaEnd.on(net, "left", 1);
                RdmaEnd right = RdmaEnd.on(net, "right", 2);
                PortSession frames = new PortSession(left.ethernet, 0, PortSettings.small(1),
                        (at, length, flags, hash) -> { });
                RcPair one = left.pair(RcSettings.of(1024)); RcPair other = right.pair(RcSettings.of(1024))) {
            RdmaEnd.connect(left, one, right, other);
            left.ethernet.call(new SetBandwidthClamp(left.ethernet.vports().get(0).vport(), 1, MEGABITS));
            byte[] frame = DriverTest.frame(right.rdma.mac().value(), left.rdma.mac().value(), FRAME);
            long end = net.now() + NANOS;
            while (net.now() < end) {
                frames.poll();
                while (frames.send(0).outstanding() < 32 && frames.send(0).send(frame, frame.length)) {
                    frames.send(0).ring();
                }
                one.poll();
                while (one.outstanding() < 8 && one.write(RdmaEnd.VIRTUAL, left.key(), MESSAGE, RdmaEnd.VIRTUAL,
                        right.registered.remoteKey())) {
                    one.ring();
                }
                net.step(STEP);
            }
            long ethernet = left.ethernet.call(new QueryStatistics(Counter.ALL))
                    .values()[Counter.TX_UCAST_BYTES.ordinal()];
            long rdma = left.bench.adapter.rdma().status().ports().getFirst().counters().get("tx_bytes");
            assertThat(ethernet).as("of %d and %d bytes", ethernet, rdma).isGreaterThan((ethernet + rdma) / 3);
            assertThat(rdma).as("of %d and %d bytes", ethernet, rdma).isGreaterThan((ethernet + rdma) / 3);
            while (frames.send(0).outstanding() > 0 || one.outstanding() > 0) {
                net.step(STEP);
                frames.poll();
                one.poll();
            }
            assertThat((ethernet + rdma) * 8 / 1e6).as("Mbit in a second").isBetween(MEGABITS * 0.99, MEGABITS * 1.01);
        }
    }
}
