package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.LinkStatus.QueueStatus;
import io.manafold.api.fabric.Queueing;
import io.manafold.fabric.internal.HandSwitch;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two senders write into one port of 1 Gbit/s: what marks, pauses and their absence do, measured at its queue. Time
 * passes by steps of the test, so that each run has the same outcome on any machine.
 */
@Timeout(300)
class CongestionTest {
    private static final long RATE = 1_000_000_000;
    private static final int MESSAGE = 32 << 10;
    private static final int MTU = 1024;
    /** Both begin as fast as they can; what is measured is what comes after. */
    private static final long BEGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1000);
    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long STEP = TimeUnit.MICROSECONDS.toNanos(20);
    private static final int BUFFER = 32 << 10;

    private static Queueing plain() {
        return new Queueing(RATE, BUFFER, 0, 0, 0, 0, 0, 0);
    }

    private static Queueing marking() {
        return new Queueing(RATE, 1 << 20, 10 << 10, 60 << 10, 20, 0, 0, 0);
    }

    private static Queueing deep() {
        return new Queueing(RATE, 1 << 20, 0, 0, 0, 0, 0, 0);
    }

    private static Queueing pausing() {
        return new Queueing(RATE, 1 << 20, 0, 0, 0, 1, 64 << 10, 32 << 10);
    }

    /**
     * What two senders and the queue in front of the receiver have seen.
     *
     * @param length of the queue on average, in bytes
     * @param repeated times that packets had to be sent again
     */
    private record Outcome(long first, long second, QueueStatus queue, double length, long notifications,
            long repeated) {
        double fairness() {
            return (double) Math.min(first, second) / Math.max(first, second);
        }
    }

    private static Outcome run(Queueing queueing) {
        try (HandSwitch net = new HandSwitch(queueing, "one/1", "two/1", "sink/1");
                RdmaEnd one = RdmaEnd.on(net, "one", 1);
                RdmaEnd two = RdmaEnd.on(net, "two", 2); RdmaEnd sink = RdmaEnd.on(net, "sink", 3)) {
            RcSettings settings = RcSettings.of(MTU).withPatience(17, 7, 7, 1);
            try (RcPair first = one.pair(settings); RcPair second = two.pair(settings);
                    RcPair left = sink.pair(settings);
                    RcPair right = sink.pair(settings)) {
                RdmaEnd.connect(one, first, sink, left);
                RdmaEnd.connect(two, second, sink, right);
                byte[] ones = one.fill(0, MESSAGE, 1);
                byte[] twos = two.fill(0, MESSAGE, 2);
                long[] done = new long[2];
                long sum = 0;
                long samples = 0;
                long begin = net.now() + BEGIN_NANOS;
                long sample = begin;
                long end = begin + NANOS;
                for (long now = net.now(); now < end; now = net.now()) {
                    int completed = write(one, first, sink, 0);
                    int others = write(two, second, sink, MESSAGE);
                    if (now > begin) {
                        done[0] += completed;
                        done[1] += others;
                    }
                    if (now > sample) {
                        sum += net.queue("sink/1").bytes();
                        samples++;
                        sample = now + SAMPLE_NANOS;
                    }
                    net.step(STEP);
                }
                for (long most = net.now() + NANOS; first.outstanding() + second.outstanding() > 0
                        && net.now() < most;) {
                    net.step(STEP);
                    first.poll();
                    second.poll();
                }
                assertThat(first.outstanding() + second.outstanding()).isZero();
                assertThat(first.sendErrors() + second.sendErrors()).isZero();
                assertThat(sink.bytes(0, MESSAGE)).isEqualTo(ones);
                assertThat(sink.bytes(MESSAGE, MESSAGE)).isEqualTo(twos);
                return new Outcome(done[0], done[1], net.queue("sink/1"), (double) sum / samples,
                        counted(one, "received_cnps") + counted(two, "received_cnps"),
                        counted(one, "requester_oos_nak") + counted(two, "requester_oos_nak")
                                + counted(one, "requester_timeout") + counted(two, "requester_timeout"));
            }
        }
    }

    private static long counted(RdmaEnd end, String counter) {
        return end.bench.adapter.rdma().status().ports().getFirst().counters().get(counter);
    }

    /** Keeps some writes under way; how many were completed. */
    private static int write(RdmaEnd from, RcPair pair, RdmaEnd to, int offset) {
        int before = pair.outstanding();
        pair.poll();
        int completed = before - pair.outstanding();
        boolean posted = false;
        while (pair.outstanding() < 8 && pair.write(RdmaEnd.VIRTUAL, from.key(), MESSAGE, RdmaEnd.VIRTUAL + offset,
                to.registered.remoteKey())) {
            posted = true;
        }
        if (posted) {
            pair.ring();
        }
        return completed;
    }

    @Test
    void withoutAnythingFramesAreLostAndTheDataIsRight() {
        Outcome outcome = run(plain());
        assertThat(outcome.queue().dropped()).isPositive();
        assertThat(outcome.repeated()).isPositive();
        assertThat(outcome.notifications()).isZero();
    }

    @Test
    void marksKeepTheQueueShortAndTheSharesFair() {
        Outcome without = run(deep());
        Outcome with = run(marking());
        System.out.printf("with marks: queue of %.0f bytes, fairness %.2f (%s)%nwithout: queue of %.0f bytes, fairness "
                + "%.2f (%s)%n", with.length(), with.fairness(), with, without.length(), without.fairness(), without);
        assertThat(with.queue().marked()).isPositive();
        assertThat(with.notifications()).isPositive();
        assertThat(with.queue().dropped()).isZero();
        assertThat(with.length()).as("%s against %s", with, without).isLessThan(without.length() / 4);
        assertThat(with.fairness()).as("%s", with).isGreaterThan(0.75);
        // two that begin alike share a queue alike, which marks must not change
        assertThat(without.fairness()).as("%s", without).isGreaterThan(0.75);
        assertThat(with.first() + with.second()).as("%s against %s", with, without)
                .isGreaterThan((without.first() + without.second()) * 9 / 10);
    }

    @Test
    void pausesLoseNothing() {
        Outcome outcome = run(pausing());
        assertThat(outcome.queue().dropped()).isZero();
        assertThat(outcome.queue().highest()).as("%s", outcome).isLessThan(512 << 10);
        assertThat(outcome.first()).isPositive();
        assertThat(outcome.second()).isPositive();
        assertThat(outcome.repeated()).isZero();
    }
}
