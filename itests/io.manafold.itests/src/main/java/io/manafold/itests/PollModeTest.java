package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.ethdev.CoreRun;
import io.manafold.api.ethdev.CoreWork;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.net.PollFrames;
import io.manafold.itests.net.Wire;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPools;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Packets between ports in poll mode. */
class PollModeTest extends PollPorts {
    @Test
    void packetsOfTwoPortsArriveWholeAndComeHome() throws Exception {
        start(1);
        EthDev left = environment.ports().get(0);
        EthDev right = environment.ports().get(1);
        assertRefused(Errno.ENODEV, "ip link set " + network(LEFT).name() + " down", left::start);
        network(LEFT).setUp(false);
        network(RIGHT).setUp(false);
        for (int i = 0; i < 3; i++) {
            left.resetStatistics();
            right.resetStatistics();
            left.start();
            right.start();
            assertRefused(Errno.EBUSY, "", () -> network(LEFT).setUp(true));
            assertRefused(Errno.EBUSY, "stop it before", () -> left.configure(EthDevPlan.of(1)));
            exchange(10_000);
            left.stop();
            right.stop();
            assertThat(pool.available()).as("packets that are home").isEqualTo(pool.packets());
            assertThat(left.sendQueue(0).burst(new int[1], 0, 1)).isZero();
            assertThat(right.receiveQueue(0).burst(new int[1], 0, 1)).isZero();
        }
        network(LEFT).setUp(true);
        drivers.refusedNothing();
    }

    @Test
    void aThreadSleepsUntilAPacketHasCome() throws Exception {
        startWith(EthDevPlan.of(1), EthDevPlan.of(1).withInterrupts());
        EthDev left = environment.ports().get(0);
        EthDev right = environment.ports().get(1);
        assertRefused(Errno.EOPNOTSUPP, "not configured for interrupts", left.receiveQueue(0)::arm);
        int[] packet = new int[1];
        for (int round = 0; round < 200; round++) {
            assertThat(pool.take(packet, 0, 1)).isTrue();
            frames.fill(packet[0], round);
            right.receiveQueue(0).arm();
            assertThat(left.sendQueue(0).burst(packet, 0, 1)).isEqualTo(1);
            int found = 0;
            while (found == 0) {
                assertThat(right.receiveQueue(0).await(PATIENCE.toNanos())).as("an event of packet %d", round).isTrue();
                found = right.receiveQueue(0).burst(packet, 0, 1);
                right.receiveQueue(0).arm();
            }
            assertThat(frames.number(packet[0])).isEqualTo(round);
            pool.give(packet, 0, 1);
        }
        CompletableFuture<Boolean> sleeper = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                sleeper.complete(right.receiveQueue(0).await(PATIENCE.toNanos()));
            } catch (InterruptedException wrong) {
                sleeper.completeExceptionally(wrong);
            }
        });
        right.stop();
        right.start();
        assertThat(sleeper.get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("it looks again after a start").isTrue();
    }

    @Test
    void aMistakeWithAPacketIsNamedWhereItIsLookedFor() throws Exception {
        pool.close();
        pool = platform.service(PacketPools.class)
                .make(new PacketPlan("checked", 2048, 0, PacketPlan.DEFAULT_ROOM, true));
        frames = new PollFrames(pool);
        startWith(List.of("--check"), EthDevPlan.of(1), EthDevPlan.of(1));
        assertThat(environment.checks()).isTrue();
        exchange(500);
        SendQueue out = port(LEFT).sendQueue(0);
        int[] packet = new int[1];
        assertThat(pool.take(packet, 0, 1)).isTrue();
        frames.fill(packet[0], 0);
        assertThat(out.burst(packet, 0, 1)).isEqualTo(1);
        assertThat(pool.owners().owner(packet[0])).isEqualTo("send queue 0 of port 0 (" + LEFT + "_port1)");
        assertRefused(Errno.EINVAL, "that of send queue 0 of port 0", () -> pool.give(packet, 0, 1));
        assertRefused(Errno.EINVAL, "cannot be sent by send queue 0 of port 0", () -> out.burst(packet, 0, 1));
        arrivals(1, 1, packet);
        pool.give(packet, 0, 1);
        assertRefused(Errno.EINVAL, "it was given back", () -> pool.give(packet, 0, 1));
        assertRefused(Errno.EINVAL, "it was given back", () -> out.burst(packet, 0, 1));
        environment.ports().forEach(EthDev::stop);
        assertThat(pool.owners().missing()).isEmpty();
        assertThat(pool.owners().spoilt()).isZero();
    }

    @Test
    void aCoreTakesTurnsWithTheLinkOfItsPortOnItsThread() throws Exception {
        startWith(List.of("--run-to-completion"), EthDevPlan.of(1), EthDevPlan.of(1));
        SendQueue out = port(LEFT).sendQueue(0);
        ReceiveQueue in = port(RIGHT).receiveQueue(0);
        int[] burst = new int[BURST];
        AtomicLong received = new AtomicLong();
        Set<String> threads = ConcurrentHashMap.newKeySet();
        CoreWork work = () -> {
            threads.add(Thread.currentThread().getName());
            int made = pool.take(burst, 0, BURST) ? BURST : 0;
            for (int i = 0; i < made; i++) {
                frames.fill(burst[i], i);
            }
            int sent = out.burst(burst, 0, made);
            pool.give(burst, sent, made - sent);
            int found = in.burst(burst, 0, BURST);
            pool.give(burst, 0, found);
            received.addAndGet(found);
            return sent + found;
        };
        for (int round = 0; round < 2; round++) {
            CoreRun run = environment.launch(1, work);
            long before = received.get();
            Wire.await("packets pass", () -> received.get() > before + 20_000 || run.failure() != null);
            assertThat(run.failure()).isNull();
            assertRefused(Errno.EBUSY, "at work already", () -> environment.launch(1, work));
            run.stop();
            long turns = run.turns();
            environment.ports().forEach(EthDev::stop);
            assertThat(run.turns()).as("turns after the end").isEqualTo(turns);
            assertThat(pool.available()).as("packets that are home").isEqualTo(pool.packets());
            environment.ports().forEach(EthDev::start);
        }
        assertThat(threads).as("threads of the link").noneMatch(name -> name.startsWith("lcore"));
        CoreRun wrong = environment.launch(1, () -> {
            throw new IllegalStateException("no turn");
        });
        Wire.await("the work has failed", () -> wrong.failure() != null);
        Wire.await("the core is free", () -> {
            try {
                environment.launch(1, () -> 0);
                return true;
            } catch (Refusal busy) {
                return false;
            }
        });
        environment.ports().forEach(EthDev::resetStatistics);
        exchange(100);
    }
}
