package io.manafold.dropin.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.dropin.internal.Bundles.Start;
import io.manafold.dropin.internal.Calls.Kind;
import io.manafold.dropin.internal.Calls.Purpose;
import io.manafold.dropin.internal.Calls.Result;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallsTest {
    private static final Purpose START = new Purpose(Kind.START, 1, null);
    private static final Result DONE = Result.started(new Start.Started());

    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();

    private Supplier<Result> untilOpened() {
        return () -> {
            runs.incrementAndGet();
            while (gate.getCount() > 0) {
                Thread.interrupted();
                LockSupport.parkNanos(1_000_000);
            }
            return DONE;
        };
    }

    @AfterEach
    void open() {
        gate.countDown();
    }

    @Test
    void whatReturnsSoonIsWaitedFor() {
        Calls calls = new Calls(Duration.ofSeconds(10), closed);
        assertThat(calls.make("a.jar", START, () -> DONE)).contains(DONE);
        assertThat(calls.isUnderWay("a.jar")).isFalse();
    }

    @Test
    void whatDoesNotReturnKeepsItsOwnFileAlone() throws InterruptedException {
        Calls calls = new Calls(Duration.ofMillis(1), closed);
        assertThat(calls.make("hangs.jar", START, untilOpened())).isEmpty();
        assertThat(calls.isUnderWay("hangs.jar")).isTrue();
        assertThat(calls.overdue("hangs.jar")).hasValueSatisfying(sentence -> assertThat(sentence)
                .contains("the start of its bundle has not returned within 1 ms", "manafold-dropin hangs.jar"));
        assertThat(calls.make("good.jar", START, () -> DONE)).contains(DONE);
        assertThat(calls.make("hangs.jar", START, untilOpened())).as("not begun twice").isEmpty();
        gate.countDown();
        while (calls.isUnderWay("hangs.jar")) {
            Thread.sleep(1);
        }
        assertThat(calls.overdue("hangs.jar")).isEmpty();
        assertThat(calls.make("hangs.jar", START, untilOpened())).as("what came of it is kept").contains(DONE);
        assertThat(runs).hasValue(1);
    }

    @Test
    void aResultOfAnotherPurposeIsDroppedButNotWhomItStopped() throws InterruptedException {
        Calls calls = new Calls(Duration.ofSeconds(10), closed);
        Purpose removal = new Purpose(Kind.REMOVAL, 1, null);
        Supplier<Result> slow = untilOpened();
        assertThat(calls.make("a.jar", removal, () -> slow.get() == DONE ? Result.stopped(Set.of(7L)) : null))
                .isEmpty();
        gate.countDown();
        while (calls.isUnderWay("a.jar")) {
            Thread.sleep(1);
        }
        assertThat(calls.make("a.jar", START, () -> DONE)).contains(DONE);
        assertThat(calls.takeStopped()).containsExactly(7L);
        assertThat(calls.takeStopped()).isEmpty();
    }

    @Test
    void aCallThatGetsNoThreadIsAskedForAgain() {
        AtomicBoolean refuses = new AtomicBoolean(true);
        Calls calls = new Calls(Duration.ofSeconds(10), closed, body -> new Thread(body) {
            @Override
            public void start() {
                if (refuses.get()) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        });
        assertThat(calls.make("a.jar", START, () -> DONE)).hasValueSatisfying(each -> {
            assertThat(each.start()).isInstanceOf(Start.NotNow.class);
            assertThat(each.declined().isPassing()).isTrue();
        });
        assertThat(calls.isUnderWay("a.jar")).isFalse();
        refuses.set(false);
        assertThat(calls.make("a.jar", START, () -> DONE)).contains(DONE);
    }

    @Test
    void anErrorIsAResult() {
        Calls calls = new Calls(Duration.ofSeconds(10), closed);
        Optional<Result> result = calls.make("a.jar", START, () -> {
            throw new StackOverflowError();
        });
        assertThat(result).hasValueSatisfying(each -> assertThat(each.start()).isInstanceOf(Start.Failed.class));
    }

    @Test
    void codeThatMindsAnInterruptEndsAtTheLimit() throws InterruptedException {
        Calls calls = new Calls(Duration.ofMillis(1), closed);
        CountDownLatch never = new CountDownLatch(1);
        assertThat(calls.make("a.jar", START, () -> {
            try {
                never.await();
                return DONE;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        })).isEmpty();
        assertThat(calls.overdue("a.jar")).isPresent();
        while (calls.isUnderWay("a.jar")) {
            Thread.sleep(1);
        }
    }

    @Test
    void theEndOfTheWatcherEndsAWait() {
        closed.complete(null);
        Calls calls = new Calls(Duration.ofSeconds(10), closed);
        assertThat(calls.make("a.jar", START, untilOpened())).isEmpty();
    }
}
