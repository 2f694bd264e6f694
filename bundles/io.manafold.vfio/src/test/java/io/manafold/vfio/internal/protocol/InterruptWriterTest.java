package io.manafold.vfio.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.EventFd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that guests hold when they leave, what becomes of the next guest's interrupts, and of them in the end. */
@Timeout(120)
class InterruptWriterTest {
    private final InterruptWriter writer = new InterruptWriter("one", 2);
    private final SessionCounters costs = new SessionCounters();
    private final List<HeldWrite> kept = new ArrayList<>();
    private EventFd eventfd;

    @BeforeEach
    void begin() throws Exception {
        eventfd = EventFd.create();
    }

    @AfterEach
    void end() {
        kept.forEach(HeldWrite::close);
        writer.end();
        eventfd.close();
    }

    private void letGo() {
        kept.forEach(HeldWrite::empty);
    }

    private void hold() throws Exception {
        kept.add(new HeldWrite(writer));
    }

    private static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).isNegative();
            Thread.onSpinWait();
        }
    }

    private void holdAll() throws Exception {
        for (int i = 0; i < InterruptWriter.MOST_HELD; i++) {
            hold();
        }
    }

    private EventFd given() throws Exception {
        return EventFd.adopt(eventfd.descriptor().duplicate());
    }

    @Test
    void aThreadThatIsLetGoMakesRoomForOneThatWrites() throws Exception {
        holdAll();
        writer.target(1, given(), costs);
        writer.raise(1);
        assertThat(writer.isExhausted()).isTrue();
        assertThat(writer.problem()).contains("guests that have gone hold 4 threads", "they wait until those end");
        kept.getFirst().empty();
        eventually(() -> eventfd.take() != 0);
        assertThat(writer.isExhausted()).isFalse();
        assertThat(writer.problem()).isNull();
    }

    @Test
    void theyAreLetGoInTheEndIfTheirGuestsFillNothingAnyMore() throws Exception {
        holdAll();
        kept.forEach(HeldWrite::letGo);
        assertThat(writer.end()).isEmpty();
    }

    @Test
    void whatNoGuestWaitsForIsNoProblem() throws Exception {
        holdAll();
        assertThat(writer.isExhausted()).isTrue();
        assertThat(writer.problem()).isNull();
        letGo();
        eventually(() -> !writer.isExhausted());
        assertThat(writer.end()).as("no thread without need").isEmpty();
    }

    @Test
    void allThatAreHeldAreLeftBehindAndNamed() throws Exception {
        holdAll();
        Collection<Thread> left = writer.end().values();
        assertThat(left).hasSize(InterruptWriter.MOST_HELD).allSatisfy(thread -> assertThat(thread.getName())
                .isEqualTo("manafold-vfio-one-interrupts"));
        letGo();
        for (Thread thread : left) {
            assertThat(thread.join(Duration.ofMinutes(1))).isTrue();
        }
    }

    @Test
    void oneThatIsHeldIsNamedBesideTheOneThatEnds() throws Exception {
        hold();
        writer.target(1, given(), costs);
        writer.raise(1);
        eventually(() -> eventfd.take() != 0);
        assertThat(writer.end()).hasSize(1);
    }
}
