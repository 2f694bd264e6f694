package io.manafold.ethernet.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ByteLimitTest {
    private static final int PACKET = 1500;
    private static final long STEP = TimeUnit.MICROSECONDS.toNanos(100);

    private final ArrayDeque<Integer> underWay = new ArrayDeque<>();
    private long now;
    private long sent;
    private int highest;
    private int idle;

    /** So many steps in which a device sends a number of packets, and completes some at a time. */
    private void run(ByteLimit limit, int steps, int perStep, int atATime) {
        int sentNow = 0;
        highest = 0;
        idle = 0;
        for (int step = 0; step < steps; step++) {
            while (!limit.isReached() && underWay.size() < 256) {
                limit.queue(PACKET, PACKET);
                underWay.add(limit.queued());
            }
            highest = Math.max(highest, limit.underWay());
            now += STEP;
            sentNow += perStep;
            if (underWay.size() < sentNow) {
                idle++;
                sentNow = underWay.size();
            }
            if (sentNow >= Math.min(atATime, underWay.size())) {
                int last = 0;
                for (; sentNow > 0; sentNow--) {
                    last = underWay.poll();
                    sent++;
                }
                limit.complete(last, now);
            }
        }
    }

    @Test
    void aSlowDeviceGetsAShortQueueAndIsNeverIdle() {
        ByteLimit limit = new ByteLimit(ByteBounds.USUAL, now);
        assertThat(limit.limit()).isEqualTo(ByteBounds.MOST);
        run(limit, 40_000, 1, 1);
        run(limit, 10_000, 1, 1);
        assertThat(highest).isBetween(PACKET, 6 * PACKET);
        assertThat(idle).isLessThan(100);
        assertThat(sent).isGreaterThan(49_000);
    }

    @Test
    void aDeviceThatBecomesFasterGetsMoreAgain() {
        ByteLimit limit = new ByteLimit(new ByteBounds(0, ByteBounds.MOST, 100), now);
        run(limit, 20_000, 1, 1);
        int slow = limit.limit();
        run(limit, 1000, 40, 1);
        assertThat(limit.limit()).isGreaterThan(20 * slow);
        run(limit, 10_000, 40, 1);
        assertThat(idle).isLessThan(500);
    }

    /** What was queued before the limit fell is more than the limit, and no reason to have none at all. */
    @Test
    void whatIsUnderWayBeyondALimitThatFellDoesNotTakeItAway() {
        ByteLimit limit = new ByteLimit(new ByteBounds(0, ByteBounds.MOST, 5), now);
        run(limit, 80, 1, 8);
        assertThat(limit.limit()).isLessThan(100 * PACKET);
        for (int i = 0; i < 100; i++) {
            run(limit, 80, 1, 8);
            assertThat(limit.limit()).isLessThan(100 * PACKET);
        }
        assertThat(highest).isLessThan(40 * PACKET);
    }

    @Test
    void boundsHold() {
        ByteLimit low = new ByteLimit(new ByteBounds(0, 3 * PACKET, 1000), now);
        run(low, 1000, 40, 1);
        assertThat(highest).isEqualTo(4 * PACKET);
        assertThat(low.limit()).isEqualTo(3 * PACKET);
        underWay.clear();
        ByteLimit high = new ByteLimit(new ByteBounds(100 * PACKET, ByteBounds.MOST, 10), now);
        run(high, 20_000, 1, 1);
        assertThat(high.limit()).isEqualTo(100 * PACKET);
        high.use(new ByteBounds(0, 50 * PACKET, 10));
        assertThat(high.limit()).isEqualTo(50 * PACKET);
    }

    @Test
    void countersThatComeAroundDoNoHarm() {
        ByteLimit limit = new ByteLimit(new ByteBounds(0, ByteBounds.MOST, 10), now);
        for (long bytes = 0; bytes < 1L << 33; bytes += 1 << 20) {
            limit.queue(1 << 19, 1 << 19);
            limit.queue(1 << 19, 1 << 19);
            now += STEP;
            limit.complete(limit.queued(), now);
            assertThat(limit.underWay()).isZero();
            assertThat(limit.isReached()).isFalse();
        }
    }
}
