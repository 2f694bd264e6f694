package io.manafold.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.manafold.api.agent.DutyCycle;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class AgentTest {
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong cycles = new AtomicLong();
    private Agent agent;

    private Agent agent(IntSupplier cycle, LongSupplier rest) {
        agent = new Agent("test", new Agent.Work() {
            private boolean inside;

            @Override
            public void begin() {
                assertThat(inside).isFalse();
                inside = true;
            }

            @Override
            public void end() {
                inside = false;
            }

            @Override
            public int doWork() {
                assertThat(inside).isTrue();
                cycles.incrementAndGet();
                return cycle.getAsInt();
            }

            @Override
            public long restNanos() {
                return rest.getAsLong();
            }

            @Override
            public void failed(Throwable mistake) {
                failures.add(mistake);
            }
        });
        agent.start();
        return agent;
    }

    @AfterEach
    void end() {
        agent.end(() -> { });
        assertThat(agent.join(Duration.ofSeconds(60))).isTrue();
    }

    private void awaitRest() {
        while (cycles.get() == 0) {
            Thread.onSpinWait();
        }
        for (Thread thread = agent.thread(); thread != null; thread = agent.thread()) {
            if (thread.getState() == Thread.State.TIMED_WAITING) {
                return;
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void anIdleAgentDoesNothingUntilItIsWoken() throws Exception {
        CountDownLatch further = new CountDownLatch(1);
        AtomicInteger armed = new AtomicInteger();
        agent(() -> {
            if (armed.get() == 1) {
                further.countDown();
            }
            return 0;
        }, () -> DutyCycle.UNTIL_WOKEN);
        awaitRest();
        armed.set(1);
        assertThat(further.await(200, TimeUnit.MILLISECONDS)).isFalse();
        agent.wake();
        assertThat(further.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void withoutTrafficItHasNoThread() throws Exception {
        agent(() -> 0, () -> DutyCycle.UNTIL_WOKEN);
        for (int i = 0; i < 50; i++) {
            CountDownLatch run = new CountDownLatch(1);
            agent.execute(new Lane(), run::countDown);
            assertThat(run.await(60, TimeUnit.SECONDS)).isTrue();
            awaitNoThread();
            assertThat(agent.hasThread()).isFalse();
        }
    }

    private void awaitNoThread() {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (agent.thread() != null) {
            assertThat(System.nanoTime() - until).as("it still has a thread").isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void trafficGetsItAThreadAndIdlenessTakesItAway() {
        AtomicInteger left = new AtomicInteger(20_000_000);
        agent(() -> left.get() > 0 && left.decrementAndGet() > 0 ? 1 : 0, () -> DutyCycle.UNTIL_WOKEN);
        while (left.get() > 1_000_000) {
            Thread.onSpinWait();
        }
        assertThat(agent.hasThread()).isTrue();
        Thread own = agent.thread();
        awaitNoThread();
        assertThat(left).hasValue(0);
        while (own.isAlive()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void agentsThatBlockSharedThreadsCostOthersNothing() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        othersGoOnBeside(() -> await(go), go::countDown);
    }

    /** Java calls a thread runnable that the kernel holds in a call. */
    @Test
    void agentsThatTheKernelHoldsCostOthersNothing(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        try (RandomAccessFile end = new RandomAccessFile(pipe.toFile(), "rw")) {
            othersGoOnBeside(() -> read(end), () -> write(end, new byte[64]));
        }
    }

    private static void read(RandomAccessFile end) {
        try {
            assertThat(end.read()).isZero();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void write(RandomAccessFile end, byte[] bytes) {
        try {
            end.write(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private void othersGoOnBeside(Runnable block, Runnable release) throws Exception {
        List<Agent> blocked = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Agent one = Agent.ofControl("blocked-" + i, new Idle());
            one.start();
            one.execute(new Lane(), block);
            blocked.add(one);
        }
        agent(() -> 0, () -> DutyCycle.UNTIL_WOKEN);
        for (int i = 0; i < 20; i++) {
            CountDownLatch run = new CountDownLatch(1);
            agent.execute(new Lane(), run::countDown);
            assertThat(run.await(60, TimeUnit.SECONDS)).isTrue();
        }
        release.run();
        for (Agent one : blocked) {
            one.end(() -> { });
            assertThat(one.join(Duration.ofSeconds(60))).isTrue();
        }
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (SharedThreads.ALL.size() > 1) {
            assertThat(System.nanoTime() - until).as("threads without work").isNegative();
            Thread.sleep(20);
        }
    }

    @Test
    void anInterruptHitsTheAgentItIsMeantFor() throws Exception {
        List<Agent> agents = new ArrayList<>();
        AtomicInteger strays = new AtomicInteger();
        for (int i = 0; i < 16; i++) {
            Agent one = Agent.ofControl("one-" + i, new Idle());
            one.start();
            agents.add(one);
        }
        agent(() -> 0, () -> DutyCycle.UNTIL_WOKEN);
        for (int round = 0; round < 2000; round++) {
            Agent victim = agents.get(round % 16);
            victim.execute(new Lane(), Thread::onSpinWait);
            victim.interrupt();
            agent.execute(new Lane(), () -> strays.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0));
        }
        CountDownLatch over = new CountDownLatch(1);
        agent.execute(new Lane(), over::countDown);
        assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(strays).hasValue(0);
        agents.forEach(one -> one.end(() -> { }));
    }

    private final class Idle implements Agent.Work {
        @Override
        public int doWork() {
            return 0;
        }

        @Override
        public void failed(Throwable mistake) {
            failures.add(mistake);
        }
    }

    @Test
    void wakingAnAgentAtWorkIsNoCallIntoTheKernel() {
        agent(() -> 1, () -> DutyCycle.UNTIL_WOKEN);
        while (cycles.get() == 0) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < 100_000; i++) {
            agent.wake();
        }
        assertThat(agent.wakes()).isZero();
    }

    @Test
    void noWakeIsLost() {
        AtomicLong given = new AtomicLong();
        AtomicLong done = new AtomicLong();
        agent(() -> {
            long now = given.getOpaque();
            return (int) (now - done.getAndSet(now));
        }, () -> DutyCycle.UNTIL_WOKEN);
        for (int i = 1; i <= 20_000; i++) {
            given.setOpaque(i);
            agent.wake();
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (done.get() < i) {
                assertThat(System.nanoTime() - until).as("hand-over " + i).isNegative();
                Thread.onSpinWait();
            }
            // now and then long enough for it to lie down
            for (int pause = 0; pause < i % 7 * 300; pause++) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void whatFallsDueIsDoneWithoutBeingWoken() throws Exception {
        CountDownLatch several = new CountDownLatch(20);
        AtomicInteger rest = new AtomicInteger(200_000);
        agent(() -> {
            several.countDown();
            return 0;
        }, rest::get);
        assertThat(several.await(60, TimeUnit.SECONDS)).isTrue();
        // so near that it stays awake
        rest.set(5_000);
        long seen = cycles.get();
        while (cycles.get() < seen + 1000) {
            Thread.onSpinWait();
        }
    }

    @Test
    void commandsRunInOrderAndMistakesOfOneHarmNoOther() throws Exception {
        agent(() -> 0, () -> DutyCycle.UNTIL_WOKEN);
        List<Integer> order = new ArrayList<>();
        Lane lane = new Lane();
        for (int i = 0; i < 5000; i++) {
            int number = i;
            assertThat(agent.execute(lane, () -> {
                order.add(number);
                if (number % 1000 == 7) {
                    throw new IllegalStateException("on purpose");
                }
            })).isTrue();
        }
        CountDownLatch all = new CountDownLatch(1);
        agent.execute(lane, all::countDown);
        assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(order).hasSize(5000).isSorted();
        assertThat(failures).hasSize(5);
    }

    @Test
    void tooManyCommandsWaitForRoomAndNoneIsLost() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        agent(() -> 0, () -> DutyCycle.UNTIL_WOKEN);
        Lane lane = new Lane();
        agent.execute(lane, () -> await(go));
        AtomicInteger run = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        Thread flood = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 3000; i++) {
                agent.execute(lane, run::incrementAndGet);
                taken.incrementAndGet();
            }
        });
        while (flood.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(taken.get()).isLessThan(1100);
        go.countDown();
        flood.join();
        agent.end(() -> { });
        agent.join(Duration.ofSeconds(60));
        assertThat(run.get()).isEqualTo(3000);
    }

    @Test
    void aShutLaneAndAnEndedAgentTakeNothing() {
        agent(() -> 0, () -> DutyCycle.UNTIL_WOKEN);
        Lane one = new Lane();
        Lane other = new Lane();
        AtomicInteger run = new AtomicInteger();
        assertThat(agent.shut(one, run::incrementAndGet)).isTrue();
        assertThat(agent.shut(one, run::incrementAndGet)).isFalse();
        assertThat(agent.execute(one, run::incrementAndGet)).isFalse();
        assertThat(agent.execute(other, run::incrementAndGet)).isTrue();
        assertThat(agent.end(run::incrementAndGet)).isTrue();
        assertThat(agent.end(run::incrementAndGet)).isFalse();
        assertThat(agent.execute(other, run::incrementAndGet)).isFalse();
        assertThat(agent.join(Duration.ofSeconds(60))).isTrue();
        assertThat(run.get()).isEqualTo(3);
    }

    @Test
    void itOutlivesWhateverAWorkThrows() throws Exception {
        CountDownLatch several = new CountDownLatch(50);
        agent(() -> {
            several.countDown();
            throw new StackOverflowError("on purpose");
        }, () -> 100_000);
        assertThat(several.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** The virtual machine has made some errors in advance, and throws one of them again and again. */
    @Test
    void itOutlivesAWorkThatFailsByTheSameErrorWhenItIsTold() {
        OutOfMemoryError same = new OutOfMemoryError();
        agent = new Agent("one", new Agent.Work() {
            @Override
            public int doWork() {
                return 0;
            }

            @Override
            public void failed(Throwable mistake) {
                throw same;
            }
        });
        agent.start();
        assertThatCode(() -> agent.failed(same)).doesNotThrowAnyException();
    }

    @Test
    void aGuestWorksOnItsHostsThreadUntilItEnds() throws Exception {
        agent(() -> 0, () -> DutyCycle.UNTIL_WOKEN);
        AtomicInteger turns = new AtomicInteger();
        AtomicLong rest = new AtomicLong(100_000);
        Agent guest = new Agent(agent, new Agent.Work() {
            @Override
            public void begin() {
                assertThat(Thread.currentThread()).isSameAs(agent.thread());
            }

            @Override
            public void end() {
            }

            @Override
            public int doWork() {
                turns.incrementAndGet();
                return 0;
            }

            @Override
            public long restNanos() {
                return rest.get();
            }

            @Override
            public void failed(Throwable mistake) {
                failures.add(mistake);
            }
        });
        guest.start();
        // what falls due for the guest has its host work
        while (turns.get() < 20) {
            Thread.onSpinWait();
        }
        rest.set(DutyCycle.UNTIL_WOKEN);
        awaitRest();
        CountDownLatch commanded = new CountDownLatch(1);
        assertThat(guest.execute(new Lane(), () -> {
            if (guest.isCurrent() && agent.isCurrent()) {
                commanded.countDown();
            }
        })).isTrue();
        assertThat(commanded.await(60, TimeUnit.SECONDS)).isTrue();

        assertThat(guest.join(Duration.ofMillis(1))).isFalse();
        AtomicInteger last = new AtomicInteger();
        assertThat(guest.end(last::incrementAndGet)).isTrue();
        assertThat(guest.join(Duration.ofSeconds(60))).isTrue();
        assertThat(last.get()).isOne();
        int after = turns.get();
        CountDownLatch hosts = new CountDownLatch(1);
        assertThat(agent.execute(new Lane(), hosts::countDown)).isTrue();
        assertThat(hosts.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(turns.get()).isEqualTo(after);
        assertThat(failures).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aCycleThatOnlyFailsKeepsNoProcessor() throws InterruptedException {
        long begin = System.nanoTime();
        agent(() -> {
            throw new IllegalStateException("always");
        }, () -> 0);
        Thread.sleep(500);
        long seen = cycles.get();
        long pauses = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) / 100;
        assertThat(seen).as("cycles within %d pauses", pauses).isLessThan(64 * (pauses + 7));
        CountDownLatch ran = new CountDownLatch(1);
        assertThat(agent.execute(new Lane(), ran::countDown)).isTrue();
        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
