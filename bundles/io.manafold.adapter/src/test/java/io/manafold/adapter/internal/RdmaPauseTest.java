package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.ethernet.ToldPauses;
import io.manafold.fabric.internal.HandSwitch;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue pair and a send queue of one port whose frames are of the same class, which the link pauses: both go on. */
@Timeout(60)
class RdmaPauseTest {
    private static final long STEP = TimeUnit.MICROSECONDS.toNanos(20);
    /** At which 65,535 times 512 bits are less than 4 ms. */
    private static final long FAST = 10_000_000_000L;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(4);
    private static final int LENGTH = 64;
    private static final int FRAME = 100;

    private final HandSwitch net = new HandSwitch(null, "one/1", "two/1");

    /** Pauses the class of all frames here, that of what has no better one. */
    private static void pause(RdmaEnd end, boolean runsOut) {
        ToldPauses.tell(port(end), 1, 0, runsOut ? FAST : ToldPauses.SLOW);
    }

    private static EthernetPort port(RdmaEnd end) {
        return end.bench.function.hardware().ports().getFirst();
    }

    private void goOn(RdmaEnd end, boolean runsOut) {
        if (runsOut) {
            net.step(PAUSE);
        } else {
            ToldPauses.tell(port(end), 0, 1, ToldPauses.SLOW);
        }
    }

    private void steps() {
        for (int i = 0; i < 20; i++) {
            net.step(STEP);
        }
    }

    private static PortSession open(RdmaEnd end) {
        return new PortSession(end.ethernet, 0, PortSettings.small(1), (at, length, flags, hash) -> { });
    }

    private static void send(RdmaEnd end, PortSession port) {
        byte[] frame = DriverTest.frame(0xffff_ffff_ffffL, port.mac().value(), FRAME);
        assertThat(port.send(0).send(frame, frame.length)).isTrue();
        port.send(0).ring();
    }

    private static long frames(RdmaEnd end) {
        return end.bench.adapter.ports().getFirst().counters().get("tx_packets");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatHasRungGoesOn(boolean runsOut) {
        try (RdmaEnd one = RdmaEnd.on(net, "one", 1); RdmaEnd two = RdmaEnd.on(net, "two", 2);
                PortSession port = open(one); RcPair pair = one.pair(RcSettings.of(1024));
                RcPair its = two.pair(RcSettings.of(1024))) {
            RdmaEnd.connect(one, pair, two, its);
            byte[] data = one.fill(0, LENGTH, 1);
            pause(one, runsOut);
            send(one, port);
            pair.write(RdmaEnd.VIRTUAL, one.key(), LENGTH, RdmaEnd.VIRTUAL, two.key());
            pair.ring();
            steps();
            assertThat(frames(one)).isZero();
            assertThat(two.bytes(0, LENGTH)).containsOnly(0);
            goOn(one, runsOut);
            steps();
            assertThat(frames(one)).isEqualTo(1);
            assertThat(two.bytes(0, LENGTH)).isEqualTo(data);
            pair.poll();
            assertThat(pair.outstanding()).isZero();
        } finally {
            net.close();
        }
    }

    /** Its peer would repeat without end: what comes gives a queue pair no turn that waits for one already. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAnswerThatIsDueGoesOn(boolean runsOut) {
        try (RdmaEnd one = RdmaEnd.on(net, "one", 1); RdmaEnd two = RdmaEnd.on(net, "two", 2);
                PortSession port = open(one); RcPair pair = one.pair(RcSettings.of(1024));
                RcPair its = two.pair(RcSettings.of(1024))) {
            RdmaEnd.connect(one, pair, two, its);
            pause(one, runsOut);
            send(one, port);
            its.write(RdmaEnd.VIRTUAL, two.key(), LENGTH, RdmaEnd.VIRTUAL, one.key());
            its.ring();
            steps();
            its.poll();
            assertThat(its.outstanding()).isEqualTo(1);
            goOn(one, runsOut);
            steps();
            its.poll();
            assertThat(its.outstanding()).as("requests without an answer").isZero();
            assertThat(frames(one)).isEqualTo(1);
        } finally {
            net.close();
        }
    }

    /** What it sends while its port is plugged into nothing is lost, and sent again. */
    @Test
    void aPauseEndsWithTheLinkThatHasAskedForIt() {
        try (RdmaEnd one = RdmaEnd.on(net, "one", 1); RdmaEnd two = RdmaEnd.on(net, "two", 2);
                RcPair pair = one.pair(RcSettings.of(1024)); RcPair its = two.pair(RcSettings.of(1024))) {
            RdmaEnd.connect(one, pair, two, its);
            byte[] data = one.fill(0, LENGTH, 1);
            pause(one, false);
            pair.write(RdmaEnd.VIRTUAL, one.key(), LENGTH, RdmaEnd.VIRTUAL, two.key());
            pair.ring();
            steps();
            assertThat(two.bytes(0, LENGTH)).containsOnly(0);
            port(one).detach(net);
            port(one).attach(net);
            for (int i = 0; i < 1000 && pair.outstanding() > 0; i++) {
                net.step(PAUSE);
                pair.poll();
            }
            assertThat(pair.outstanding()).isZero();
            assertThat(two.bytes(0, LENGTH)).isEqualTo(data);
        } finally {
            net.close();
        }
    }
}
