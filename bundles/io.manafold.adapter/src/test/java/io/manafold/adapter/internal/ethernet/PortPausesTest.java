package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.packet.PauseFrame;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long pauses last when a port learns, or is told anew, how fast its link is. */
class PortPausesTest {
    private static final int PAUSED = 3;
    private static final long FAST = 100_000_000_000L;
    private static final long SLOW = 1_000_000_000L;
    private static final long SHORT = PauseFrame.nanos(PauseFrame.MOST_QUANTA, FAST);
    private static final long LONG = PauseFrame.nanos(PauseFrame.MOST_QUANTA, SLOW);

    private final Arena arena = Arena.ofConfined();
    private final PortPauses pauses = new PortPauses();

    @AfterEach
    void free() {
        arena.close();
    }

    /** The link asks for the longest pause. */
    private void pause(long rate, long now) {
        long at = arena.allocate(PauseFrame.LENGTH, 8).address();
        byte[] bytes = new byte[PauseFrame.LENGTH];
        PauseFrame.write(bytes, 0, 0x024d_4600_0001L, 1 << PAUSED, 0);
        RawMemory.copy(bytes, 0, at, bytes.length);
        FrameBurst burst = new FrameBurst(1, 1);
        burst.addWhole(Frames.PAUSE, at, bytes.length);
        pauses.take(burst, 0, rate, now);
    }

    /** The port has sent nothing meanwhile, and has not seen that the pause was over. */
    @Test
    void oneThatIsOverDoesNotBeginAgainAtAnotherRate() {
        pauses.countAnew(FAST, 0);
        pause(FAST, 1000);
        pauses.countAnew(SLOW, 1000 + SHORT);
        assertThat(pauses.held(1000 + SHORT)).isZero();
    }

    @Test
    void oneThatIsUnderWayLastsFromWhenItWasAskedFor() {
        pauses.countAnew(FAST, 0);
        pause(FAST, 1000);
        pauses.countAnew(SLOW, 1000 + SHORT - 1);
        assertThat(pauses.holds(PAUSED, 1000 + LONG - 1)).isTrue();
        assertThat(pauses.until(PAUSED)).isEqualTo(1000 + LONG);
        assertThat(pauses.holds(PAUSED, 1000 + LONG)).isFalse();
    }

    /** By the port's own speed, which it was counted at, it is over before the port knows that of the link. */
    @Test
    void oneFromBeforeTheRateIsKnownLastsFromWhenItWasAskedFor() {
        pause(FAST, 1000);
        pauses.countAnew(SLOW, 1000 + 2 * SHORT);
        assertThat(pauses.holds(PAUSED, 1000 + 2 * SHORT)).isTrue();
        assertThat(pauses.until(PAUSED)).isEqualTo(1000 + LONG);
    }

    @Test
    void oneFromBeforeTheRateIsKnownThatIsOverByThenDoesNotBegin() {
        pause(FAST, 1000);
        pauses.countAnew(SLOW, 1000 + LONG);
        assertThat(pauses.held(1000 + LONG)).isZero();
    }

    /** What the last link was known to be says nothing of the next. */
    @Test
    void theRateOfTheNextLinkIsNotKnownAtFirst() {
        pauses.countAnew(FAST, 0);
        pauses.forget(500);
        pause(FAST, 1000);
        pauses.countAnew(SLOW, 1000 + 2 * SHORT);
        assertThat(pauses.holds(PAUSED, 1000 + 2 * SHORT)).isTrue();
    }
}
