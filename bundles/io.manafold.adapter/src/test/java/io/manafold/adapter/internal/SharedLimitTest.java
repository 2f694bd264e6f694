package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.message.Counter;
import io.manafold.gdma.message.QueryStatistics;
import io.manafold.gdma.message.SetBandwidthClamp;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port's bandwidth is for all that it sends: frames of its queues and packets of its queue pairs, neither without the other. */
@Timeout(300)
class SharedLimitTest {
    private static final int MEGABITS = 80;
    private static final int FRAME = 1000;
    private static final int MESSAGE = 16 << 10;
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    @Test
    void bothGoOnUnderOneLimit() {
        try (TestSwitch net = new TestSwitch("left/1", "right/1"); RdmaEnd left = new RdmaEnd("left", 1);
                RdmaEnd right = new RdmaEnd("right", 2);
                PortSession frames = new PortSession(left.ethernet, 0, PortSettings.small(1), (at, length, flags, hash) -> { });
                RcPair one = left.pair(RcSettings.of(1024)); RcPair other = right.pair(RcSettings.of(1024))) {
            RdmaEnd.plug(net, left, right);
            RdmaEnd.connect(left, one, right, other);
            left.ethernet.call(new SetBandwidthClamp(left.ethernet.vports().get(0).vport(), 1, MEGABITS));
            byte[] frame = DriverTest.frame(right.rdma.mac().value(), left.rdma.mac().value(), FRAME);
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < NANOS) {
                frames.poll();
                while (frames.send(0).outstanding() < 32 && frames.send(0).send(frame, frame.length)) {
                    frames.send(0).ring();
                }
                one.poll();
                while (one.outstanding() < 8 && one.write(RdmaEnd.VIRTUAL, left.key(), MESSAGE, RdmaEnd.VIRTUAL,
                        right.registered.remoteKey())) {
                    one.ring();
                }
            }
            long ethernet = left.ethernet.call(new QueryStatistics(Counter.ALL)).values()[Counter.TX_UCAST_BYTES.ordinal()];
            long rdma = left.bench.adapter.rdma().status().ports().getFirst().counters().get("tx_bytes");
            double seconds = (System.nanoTime() - begin) / 1e9;
            assertThat(ethernet).as("of %d and %d bytes", ethernet, rdma).isGreaterThan((ethernet + rdma) / 5);
            assertThat(rdma).as("of %d and %d bytes", ethernet, rdma).isGreaterThan((ethernet + rdma) / 5);
            assertThat((ethernet + rdma) * 8 / seconds / 1e6).as("Mbit/s").isLessThan(MEGABITS * 1.1);
        }
    }
}
