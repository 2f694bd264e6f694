package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.MacAddress;
import io.manafold.fabric.internal.HandSwitch;
import io.manafold.gdma.Gid;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long an acknowledgement is awaited that never comes: as long as the driver asks, or the adapter's least. */
class RdmaTimeoutTest {
    /** 4.096 µs × 2^11 = 8.4 ms. */
    private static final int ASKED = 11;
    private static final long WATCHED = TimeUnit.MILLISECONDS.toNanos(45);
    private static final long STEP = TimeUnit.MICROSECONDS.toNanos(100);

    @ParameterizedTest
    @CsvSource({"50000000, 0", "20000000, 2", "0, 5", "1000000, 5"})
    void theLongerOneOfTheTwoCounts(long least, int timeouts) {
        try (HandSwitch net = new HandSwitch(null, "one/1");
                RdmaEnd one = RdmaEnd.on(net, "one", 1, "rdma-timeout", least);
                RcPair pair = one.pair(RcSettings.of(1024).withPatience(ASKED, 7, 7, 1))) {
            RdmaEnd.connectOne(one, pair, Gid.ofIpv4(0x0a00_0009), MacAddress.parse("00:0d:3a:00:00:99"), 9);
            pair.write(RdmaEnd.VIRTUAL, one.key(), 64, RdmaEnd.VIRTUAL, one.key());
            pair.ring();
            for (long end = net.now() + WATCHED; net.now() < end;) {
                net.step(STEP);
            }
            assertThat(one.bench.adapter.rdma().status().ports().getFirst().counters().get("requester_timeout"))
                    .isEqualTo(timeouts);
        }
    }
}
