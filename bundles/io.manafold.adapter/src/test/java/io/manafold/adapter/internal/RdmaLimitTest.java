package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.HandSwitch;
import io.manafold.gdma.message.SetBandwidthClamp;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port with a limit that sends nothing but RDMA: what is made up for after the agent was late, and after a rest. */
@Timeout(300)
class RdmaLimitTest {
    private static final int MEGABITS = 80;
    private static final int MESSAGE = 16 << 10;
    private static final long STEP = 20_000;
    private static final long MILLISECOND = 1_000_000;

    private HandSwitch net;
    private RdmaEnd left;
    private RdmaEnd right;
    private RcPair one;
    private RcPair other;

    @BeforeEach
    void connect() {
        net = new HandSwitch(null, "left/1", "right/1");
        left = RdmaEnd.on(net, "left", 1);
        right = RdmaEnd.on(net, "right", 2);
        one = left.pair(RcSettings.of(1024));
        other = right.pair(RcSettings.of(1024));
        RdmaEnd.connect(left, one, right, other);
        left.ethernet.call(new SetBandwidthClamp(left.ethernet.vports().get(0).vport(), 1, MEGABITS));
    }

    @AfterEach
    void disconnect() {
        one.close();
        other.close();
        left.close();
        right.close();
        net.close();
    }

    /** The agent is kept from its work for 2 ms in 10, and there is always something to send. */
    @Test
    void anAgentThatIsLateCostsNothingOfTheRate() {
        long begin = net.now();
        long before = sent();
        while (net.now() - begin < 1000 * MILLISECOND) {
            long late = net.now() + 8 * MILLISECOND;
            while (net.now() < late) {
                keepSending();
                net.step(STEP);
            }
            net.step(2 * MILLISECOND);
        }
        double megabits = (sent() - before) * 8 / 1e6 / ((net.now() - begin) / 1e9);
        assertThat(megabits).isBetween(MEGABITS * 0.99, MEGABITS * 1.01);
        drain();
    }

    /** Between two messages their sender waits for as long as it takes to acknowledge them, and then some. */
    @Test
    void whoHasWaitedMakesUpForNothing() {
        for (int i = 0; i < 20; i++) {
            drain();
            rest(10 * MILLISECOND);
            long begin = net.now();
            long before = sent();
            for (int message = 0; message < 4; message++) {
                send();
            }
            drain();
            double nanos = (sent() - before) * 8_000.0 / MEGABITS;
            assertThat((double) (net.now() - begin)).as("nanoseconds").isGreaterThan(nanos - MILLISECOND / 2);
        }
    }

    private void send() {
        one.write(RdmaEnd.VIRTUAL, left.key(), MESSAGE, RdmaEnd.VIRTUAL, right.registered.remoteKey());
        one.ring();
    }

    private void keepSending() {
        one.poll();
        while (one.outstanding() < 8) {
            send();
        }
    }

    private void drain() {
        while (one.outstanding() > 0) {
            net.step(STEP);
            one.poll();
        }
    }

    private void rest(long nanos) {
        for (long end = net.now() + nanos; net.now() < end;) {
            net.step(STEP);
        }
    }

    private long sent() {
        return left.bench.adapter.rdma().status().ports().getFirst().counters().get("tx_bytes");
    }
}
