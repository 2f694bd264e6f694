package io.manafold.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TimerWheelTest {
    private static final int TIMERS = 2000;
    private static final long TICK = 1000;

    private final long[] deadlines = new long[TIMERS];
    private final TreeSet<Integer> set = new TreeSet<>((a, b) -> deadlines[a] == deadlines[b] ? a - b
            : Long.compare(deadlines[a], deadlines[b]));

    /**
     * Against a sorted set: none too early, none more than a tick late, and {@link TimerWheel#next} is never too late.
     */
    private void compare(long start, long seed) {
        Random random = new Random(seed);
        TimerWheel wheel = new TimerWheel(TIMERS, TICK);
        int[] due = new int[16];
        long now = start;
        set.clear();
        for (int round = 0; round < 20_000; round++) {
            int id = random.nextInt(TIMERS);
            set.remove(id);
            if (random.nextInt(4) == 0) {
                wheel.cancel(id);
            } else {
                deadlines[id] = now + (long) Math.exp(random.nextDouble() * 28) - 100;
                set.add(id);
                wheel.schedule(id, deadlines[id]);
            }
            now += (long) Math.exp(random.nextDouble() * (random.nextInt(50) == 0 ? 25 : 9));
            while (wheel.next() <= now) {
                int count = wheel.expired(now, due);
                for (int i = 0; i < count; i++) {
                    assertThat(set.remove(due[i])).as("set and not cancelled").isTrue();
                    assertThat(deadlines[due[i]]).as("not too early").isLessThanOrEqualTo(now);
                }
            }
            if (!set.isEmpty()) {
                assertThat(deadlines[set.first()]).as("not too late").isGreaterThan(now - TICK);
                assertThat(wheel.next()).isLessThanOrEqualTo(deadlines[set.first()] + TICK);
            } else {
                assertThat(wheel.next()).isEqualTo(Long.MAX_VALUE);
            }
        }
        assertThat(set).isNotEmpty();
    }

    @Test
    void timersAreDueWhenASortedSetSaysSo() {
        compare(0, 1);
        compare(123_456_789_012_345L, 2);
        compare(-3_000_000_000L, 3);
        compare(Long.MIN_VALUE / 4, 4);
    }

    @Test
    void noCallReturnsMoreThanThereIsRoomForOrMovesAll() {
        TimerWheel wheel = new TimerWheel(TIMERS, TICK);
        wheel.expired(0, new int[1]);
        for (int id = 0; id < TIMERS; id++) {
            wheel.schedule(id, 1_000_000_000L + id % 7 * TICK);
        }
        int[] due = new int[10];
        int calls = 0;
        int found = 0;
        while (found < TIMERS) {
            found += wheel.expired(2_000_000_000L, due);
            calls++;
        }
        assertThat(calls).isGreaterThanOrEqualTo(TIMERS / due.length);
        assertThat(wheel.next()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void neverIsNever() {
        TimerWheel wheel = new TimerWheel(1, TICK);
        wheel.schedule(0, 5);
        wheel.schedule(0, Long.MAX_VALUE);
        assertThat(wheel.next()).isEqualTo(Long.MAX_VALUE);
        wheel.cancel(0);
        assertThat(wheel.expired(1 << 30, new int[1])).isZero();
    }
}
