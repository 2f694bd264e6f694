package io.manafold.vfio.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.manafold.linux.EventFd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that guests hold when they leave, what becomes of the next guest's interrupts, and of them in the end. */
@Timeout(120)
class InterruptWriterTest {
    private final List<Thread> begun = new CopyOnWriteArrayList<>();
    /** How many threads the system does not let begin. */
    private final AtomicInteger refused = new AtomicInteger();
    /** How often it was told that interrupts have no thread. */
    private final AtomicInteger lacking = new AtomicInteger();
    private final InterruptWriter writer = new InterruptWriter("one", 2, lacking::incrementAndGet, this::thread,
            unlogged -> {
                throw new OutOfMemoryError("no memory for a line");
            });
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

    private Thread thread(Runnable body) {
        Thread made = new Thread(body) {
            @Override
            public void start() {
                if (refused.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                begun.add(this);
                super.start();
            }
        };
        made.setDaemon(true);
        return made;
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
        assertThat(lacking).as("the export is told, once the interrupt is directed").hasValue(1);
        assertThat(writer.lacksThread()).isTrue();
        assertThat(writer.untilRetry()).isBetween(0L, TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(writer.problem()).contains("guests that have gone hold 4 threads", "they wait until those end");
        kept.getFirst().empty();
        eventually(() -> eventfd.take() != 0);
        assertThat(writer.lacksThread()).isFalse();
        assertThat(writer.untilRetry()).isEqualTo(Long.MAX_VALUE);
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
        assertThat(writer.lacksThread()).isFalse();
        assertThat(writer.problem()).isNull();
        letGo();
        eventually(() -> begun.stream().noneMatch(Thread::isAlive));
        assertThat(begun).as("no thread without need").hasSize(InterruptWriter.MOST_HELD);
        assertThat(writer.end()).isEmpty();
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

    private void directWithoutThread() throws Exception {
        refused.set(1);
        EventFd given = given();
        assertThatCode(() -> writer.target(0, given, costs)).doesNotThrowAnyException();
    }

    @Test
    void aThreadThatCannotBeStartedIsTriedAgain() throws Exception {
        directWithoutThread();
        writer.raise(0);
        assertThat(lacking).hasValue(1);
        assertThat(writer.problem()).contains("no thread can be started", "they wait until one can");
        assertThat(writer.untilRetry()).isBetween(0L, InterruptWriter.AFTER_REFUSAL);
        long since = System.nanoTime();
        eventually(() -> {
            writer.retry();
            return eventfd.take() != 0;
        });
        assertThat(System.nanoTime() - since).isGreaterThan(InterruptWriter.AFTER_REFUSAL / 2);
        assertThat(writer.problem()).isNull();
        assertThat(writer.untilRetry()).isEqualTo(Long.MAX_VALUE);
        assertThat(writer.end()).isEmpty();
    }

    @Test
    void itEndsWithoutTheThreadThatCouldNotBeStarted() throws Exception {
        directWithoutThread();
        assertThat(writer.end()).isEmpty();
        assertThat(writer.lacksThread()).isFalse();
        assertThat(writer.problem()).isNull();
    }

    @Test
    void whereNoThreadCanFollowOneThatWasHeldItIsTriedAgain() throws Exception {
        holdAll();
        writer.target(1, given(), costs);
        writer.raise(1);
        refused.set(1);
        kept.getFirst().empty();
        eventually(() -> lacking.get() == 2);
        assertThat(writer.problem()).contains("no thread can be started");
        eventually(() -> {
            writer.retry();
            return eventfd.take() != 0;
        });
    }

    @Test
    void aDefectThatCannotBeLoggedEndsNoThread() throws Exception {
        writer.target(0, given(), null);
        writer.target(1, given(), costs);
        writer.raise(0);
        writer.raise(1);
        eventually(() -> eventfd.take() != 0);
        assertThat(begun).hasSize(1);
    }

    @Test
    void aThreadThatHasEndedAllTheSameIsFollowedByAnother() throws Exception {
        writer.target(0, given(), costs);
        Thread first = begun.getFirst();
        eventually(() -> LockSupport.getBlocker(first) == writer);
        writer.ended(writer.current);
        LockSupport.unpark(first);
        assertThat(first.join(Duration.ofMinutes(1))).isTrue();
        writer.raise(0);
        eventually(() -> eventfd.take() != 0);
    }

    /** It was held up when its guest left, and rests already when that is acted upon. */
    @Test
    void aThreadThatIsLeftBehindWhileItRestsEnds() throws Exception {
        writer.target(0, given(), costs);
        Thread thread = begun.getFirst();
        eventually(() -> LockSupport.getBlocker(thread) == writer);
        writer.current.begin(0, eventfd);
        eventually(writer.current::isHeldUp);
        writer.forget();
        assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
        assertThat(writer.end()).isEmpty();
    }
}
