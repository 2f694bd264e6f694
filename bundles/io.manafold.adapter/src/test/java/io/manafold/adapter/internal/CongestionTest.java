package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.LinkStatus.QueueStatus;
import io.manafold.api.fabric.Queueing;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two senders write into one port of a slow link: what marks, pauses and their absence do, measured at its queue. */
@Timeout(300)
class CongestionTest {
    private static final long RATE = 100_000_000;
    private static final int MESSAGE = 32 << 10;
    private static final int MTU = 1024;
    /** Both begin as fast as they can; what is measured is what comes after. */
    private static final long BEGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(700);
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
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
    private record Outcome(long first, long second, QueueStatus queue, double length, long notifications, long repeated) {
        double fairness() {
            return (double) Math.min(first, second) / Math.max(first, second);
        }
    }

    private static Outcome run(Queueing queueing) {
        try (TestSwitch net = new TestSwitch(queueing, "one/1", "two/1", "sink/1"); RdmaEnd one = new RdmaEnd("one", 1);
                RdmaEnd two = new RdmaEnd("two", 2); RdmaEnd sink = new RdmaEnd("sink", 3)) {
            RdmaEnd.plug(net, one, two, sink);
            RcSettings settings = RcSettings.of(MTU).withPatience(17, 7, 7, 1);
            try (RcPair first = one.pair(settings); RcPair second = two.pair(settings); RcPair left = sink.pair(settings);
                    RcPair right = sink.pair(settings)) {
                RdmaEnd.connect(one, first, sink, left);
                RdmaEnd.connect(two, second, sink, right);
                byte[] ones = one.fill(0, MESSAGE, 1);
                byte[] twos = two.fill(0, MESSAGE, 2);
                long[] done = new long[2];
                long sum = 0;
                long samples = 0;
                long begin = System.nanoTime() + BEGIN_NANOS;
                long sample = begin;
                long end = begin + NANOS;
                for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
                    int completed = write(one, first, sink, 0);
                    int others = write(two, second, sink, MESSAGE);
                    if (now > begin) {
                        done[0] += completed;
                        done[1] += others;
                    }
                    if (now > sample) {
                        sum += queue(net).bytes();
                        samples++;
                        sample = now + SAMPLE_NANOS;
                    }
                }
                assertThat(RdmaEnd.until(() -> first.outstanding() + second.outstanding() == 0, first, second)).isTrue();
                assertThat(first.sendErrors() + second.sendErrors()).isZero();
                assertThat(sink.bytes(0, MESSAGE)).isEqualTo(ones);
                assertThat(sink.bytes(MESSAGE, MESSAGE)).isEqualTo(twos);
                return new Outcome(done[0], done[1], queue(net), (double) sum / samples,
                        counted(one, "received_cnps") + counted(two, "received_cnps"),
                        counted(one, "requester_oos_nak") + counted(two, "requester_oos_nak")
                                + counted(one, "requester_timeout") + counted(two, "requester_timeout"));
            }
        }
    }

    private static QueueStatus queue(TestSwitch net) {
        return net.link().status().queues().stream().filter(one -> one.port().equals("sink/1")).findFirst().orElseThrow();
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
        // a machine that is late with notifications for all of the time measured is asked again
        for (int again = 0; again < 4 && !isShorter(with, without); again++) {
            without = run(deep());
            with = run(marking());
        }
        assertThat(with.queue().marked()).isPositive();
        assertThat(with.notifications()).isPositive();
        assertThat(with.queue().dropped()).isZero();
        assertThat(isShorter(with, without)).as("%s against %s", with, without).isTrue();
    }

    /** Whether marks halve the queue, leave both senders their share, and cost no more than two thirds of what goes through. */
    private static boolean isShorter(Outcome with, Outcome without) {
        return with.length() < without.length() / 2 && with.fairness() > 0.5
                && with.first() + with.second() > (without.first() + without.second()) / 3;
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
