package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.MacAddress;
import io.manafold.fabric.internal.HandSwitch;
import io.manafold.gdma.Gid;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long an acknowledgement is awaited that never comes: as long as the driver asks, or the adapter's least. */
class RdmaTimeoutTest {
    /** 4.096 µs × 2^11 = 8.4 ms. */
    private static final int ASKED = 11;
    /** 10.24 ms, as a peer tells how long it is not ready. */
    private static final int NOT_READY = 20;
    private static final long WATCHED = TimeUnit.MILLISECONDS.toNanos(45);
    private static final long STEP = TimeUnit.MICROSECONDS.toNanos(100);
    /** Of an agent that has too much to do: answers that have come are looked at before it is taken that none has. */
    private static final long LONG_STEP = TimeUnit.MILLISECONDS.toNanos(6);

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

    @Test
    void anAgentWhoseCyclesAreAllLongSeesThatNoAnswerHasCome() {
        try (HandSwitch net = new HandSwitch(null, "one/1");
                RdmaEnd one = RdmaEnd.on(net, "one", 1, "rdma-timeout", 0);
                RcPair pair = one.pair(RcSettings.of(1024).withPatience(ASKED, 1, 7, 1))) {
            RdmaEnd.connectOne(one, pair, Gid.ofIpv4(0x0a00_0009), MacAddress.parse("00:0d:3a:00:00:99"), 9);
            pair.write(RdmaEnd.VIRTUAL, one.key(), 64, RdmaEnd.VIRTUAL, one.key());
            pair.ring();
            for (int i = 0; i < 20; i++) {
                net.step(LONG_STEP);
            }
            pair.poll();
            assertThat(pair.sendErrors()).isEqualTo(1);
            assertThat(one.bench.adapter.rdma().status().ports().getFirst().counters().get("requester_timeout"))
                    .isEqualTo(2);
        }
    }

    @Test
    void anAgentWhoseCyclesAreAllLongSendsAgainWhatFoundNoReceive() {
        try (HandSwitch net = new HandSwitch(null, "one/1", "two/1"); RdmaEnd one = RdmaEnd.on(net, "one", 1);
                RdmaEnd two = RdmaEnd.on(net, "two", 2);
                RcPair pair = one.pair(RcSettings.of(1024).withPatience(18, 7, 7, NOT_READY));
                RcPair its = two.pair(RcSettings.of(1024).withPatience(18, 7, 7, NOT_READY))) {
            RdmaEnd.connect(one, pair, two, its);
            pair.send(RdmaEnd.VIRTUAL, one.key(), 64);
            pair.ring();
            for (int i = 0; i < 4; i++) {
                net.step(LONG_STEP);
            }
            its.receive(RdmaEnd.VIRTUAL, two.key(), 64);
            its.ringReceives();
            for (int i = 0; i < 8; i++) {
                net.step(LONG_STEP);
            }
            pair.poll();
            its.poll();
            assertThat(its.received()).isEqualTo(1);
            assertThat(pair.outstanding()).isZero();
        }
    }
}
