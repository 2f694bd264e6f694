package io.manafold.pmd.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.agent.TurnHost;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.SharedBlocks;
import io.manafold.pmd.internal.RefusedThreads;
import io.manafold.testkit.Blocks;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A core that takes turns with an agent which answers too late. */
class HostedCoreTest {
    private static final ThreadFactory THREADS = Thread.ofPlatform().daemon().factory();

    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();
    private final Core core = new Core(1, Set.of(), turns::incrementAndGet, ends::incrementAndGet, THREADS);

    private static AutoCloseable late() {
        throw new Refusal(Errno.ETIMEDOUT, "The agent is busy.");
    }

    @Test
    void aCoreThatNoAgentHasTakenIsNotHosted() throws Exception {
        TurnHost busy = _ -> late();
        assertThatThrownBy(() -> core.start(busy)).isInstanceOf(Refusal.class);
        assertThat(core.isBound()).isTrue();
        core.start();
        core.lose(busy);
        assertThat(ends).as("the core goes on when an agent goes that does not have it").hasValue(0);
        core.stop();
        assertThat(ends).hasValue(1);
    }

    @Test
    void aCoreInNoTurnGoesOnByItselfWhateverItsAgentSays() {
        TurnHost busy = _ -> HostedCoreTest::late;
        core.start(busy);
        core.doWork();
        core.lose(busy);
        assertThat(core.doWork()).as("turns of the agent").isZero();
        long turned = turns.get();
        while (turns.get() == turned) {
            Thread.onSpinWait();
        }
        assertThat(core.failure()).isNull();
        assertThat(core.stop(Duration.ofSeconds(10))).isTrue();
        assertThat(ends).hasValue(1);
    }

    @Test
    void aCoreInATurnThatDoesNotEndIsNotSaidToHaveStopped() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        Core stuck = new Core(1, Set.of(), () -> {
            turns.incrementAndGet();
            inside.countDown();
            awaitQuietly(goesOn);
            return 1;
        }, ends::incrementAndGet, THREADS);
        TurnHost busy = _ -> HostedCoreTest::late;
        stuck.start(busy);
        Thread agent = Thread.ofPlatform().daemon().start(stuck::doWork);
        inside.await();
        stuck.lose(busy);
        assertThat(stuck.failure()).hasMessageContaining("did not let it go");
        assertThat(ends).hasValue(1);
        assertThat(stuck.stop(Duration.ofSeconds(10))).as("while the turn goes on").isFalse();
        assertThatThrownBy(stuck::stop).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).isEqualTo(Errno.ETIMEDOUT));
        goesOn.countDown();
        agent.join();
        assertThat(stuck.stop(Duration.ofSeconds(10))).as("after the turn").isTrue();
        assertThat(stuck.doWork()).isZero();
        assertThat(turns).hasValue(1);
        assertThat(ends).hasValue(1);
    }

    @Test
    void eachCoreOfAHostThatGoesIsToldThoughTheFirstCanHaveNoThread() {
        RefusedThreads refusing = new RefusedThreads();
        AtomicInteger left = new AtomicInteger();
        TurnHost host = _ -> left::incrementAndGet;
        List<Core> cores = List.of(new Core(1, Set.of(), () -> 0, ends::incrementAndGet, refusing),
                new Core(2, Set.of(), () -> 0, ends::incrementAndGet, THREADS));
        cores.forEach(one -> one.start(host));
        refusing.refuses = true;
        assertThatCode(() -> cores.forEach(one -> one.lose(host))).doesNotThrowAnyException();
        assertThat(left).hasValue(2);
        assertThat(cores.getFirst().failure()).isInstanceOf(OutOfMemoryError.class);
        assertThat(ends).as("the number of the first is free, and the second goes on").hasValue(1);
        assertThat(cores.getFirst().stop(Duration.ofSeconds(10))).isTrue();
        assertThat(cores.getLast().failure()).isNull();
        assertThat(cores.getLast().stop(Duration.ofSeconds(10))).isTrue();
        assertThat(ends).hasValue(2);
    }

    @Test
    void aCoreThatFailsEndsThoughNoThreadTakesItFromItsAgent() {
        RefusedThreads refusing = new RefusedThreads();
        AtomicInteger left = new AtomicInteger();
        IllegalStateException wrong = new IllegalStateException("a turn that fails");
        Core failing = new Core(1, Set.of(), () -> {
            throw wrong;
        }, ends::incrementAndGet, refusing);
        failing.start(_ -> left::incrementAndGet);
        refusing.refuses = true;
        assertThatCode(failing::doWork).doesNotThrowAnyException();
        assertThat(failing.failure()).isSameAs(wrong);
        assertThat(ends).as("its number is free for other work").hasValue(1);
        assertThat(left).hasValue(0);
        assertThat(failing.stop(Duration.ofSeconds(10))).isTrue();
        assertThat(left).as("left by the thread that stops it").hasValue(1);
        assertThat(ends).hasValue(1);
    }

    @Test
    void aCoreThatWasStoppedBeforeItsHostIsFoundJoinsNone() {
        AtomicInteger joined = new AtomicInteger();
        assertThat(core.stop(Duration.ofSeconds(10))).isTrue();
        core.start(_ -> {
            joined.incrementAndGet();
            return () -> { };
        });
        assertThat(joined).hasValue(0);
        assertThat(ends).hasValue(1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatACoreKeepsComesHomeThoughItsAgentDoesNotLetItGo() {
        SharedBlocks memory = Blocks.source();
        PacketPlan plan = new PacketPlan("test", 64, 16, PacketPlan.DEFAULT_ROOM);
        try (PacketPool pool = new PacketPools(memory).make(plan)) {
            int[] packets = new int[8];
            Core keeps = new Core(1, Set.of(), () -> {
                assertThat(pool.take(packets, 0, packets.length)).isTrue();
                PacketPool.release(packets, 0, packets.length);
                return 1;
            }, ends::incrementAndGet, THREADS);
            keeps.start(_ -> HostedCoreTest::late);
            keeps.doWork();
            int[] all = new int[64];
            assertThat(pool.take(all, 0, all.length)).as("all of its packets, of which the core keeps some").isFalse();
            assertThat(keeps.stop(Duration.ofSeconds(10))).isTrue();
            assertThat(pool.take(all, 0, all.length)).as("all of its packets").isTrue();
            PacketPool.release(all, 0, all.length);
        }
    }
}
