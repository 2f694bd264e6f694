package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.net.DriverJar;
import io.manafold.itests.net.Wire;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/** Ports in poll mode whose device goes, comes back, or does not. */
class PollRecoveryTest extends PollPorts {
    @Test
    void aPortIsRemovedWithItsDriverAndProbedAgain() throws Exception {
        start(1);
        network(LEFT).setUp(false);
        network(RIGHT).setUp(false);
        environment.ports().forEach(EthDev::start);
        exchange(1000);
        List<EthDev> before = environment.ports();
        Queue<EthDevEvent> events = new ConcurrentLinkedQueue<>();
        try (AutoCloseable listening = environment.listen(events::add)) {
            assertThat(listening).isNotNull();
            drivers.rdma().update(DriverJar.version("rdma", "2.0.0"));
            Wire.await("the ports are back", () -> environment.ports().size() == 2
                    && !environment.ports().contains(before.get(0)) && !environment.ports().contains(before.get(1)));
            Wire.await("all events are told", () -> events.size() == 4);
        }
        assertThat(events).extracting(EthDevEvent::kind).containsOnly(EthDevEvent.Kind.INTR_RMV, EthDevEvent.Kind.NEW);
        assertThat(pool.available()).as("packets that are home").isEqualTo(pool.packets());
        assertThat(before.get(0).sendQueue(0).reclaim()).isZero();
        assertThat(before.get(1).receiveQueue(0).burst(new int[1], 0, 1)).isZero();
        assertRefused(Errno.ENODEV, "has been removed", before.get(0)::start);
        before.forEach(EthDev::close);
        for (EthDev port : environment.ports()) {
            setUp(port, 1);
            port.start();
        }
        exchange(1000);
    }

    private void startBoth() throws Exception {
        start(1);
        network(LEFT).setUp(false);
        network(RIGHT).setUp(false);
        environment.ports().forEach(EthDev::start);
    }

    private Adapter adapter(String address) throws InvalidSyntaxException {
        return drivers.adapters().stream().filter(one -> one.address().toString().equals(address)).findFirst()
                .orElseThrow();
    }

    private static List<EthDevEvent.Kind> kinds(Queue<EthDevEvent> events, int port) {
        return events.stream().filter(event -> event.port() == port).map(EthDevEvent::kind).toList();
    }

    @Test
    void aPortGoesOnAfterItsFunctionWasReset() throws Exception {
        startBoth();
        exchange(1000);
        EthDev left = port(LEFT);
        Queue<EthDevEvent> events = new ConcurrentLinkedQueue<>();
        try (AutoCloseable listening = environment.listen(events::add)) {
            assertThat(listening).isNotNull();
            for (int round = 1; round <= 2; round++) {
                int expected = 2 * round;
                adapter(LEFT).requestReset(Adapter.ResetKind.RESET);
                Wire.await("it has come back", () -> {
                    int[] packet = new int[1];
                    // bursts are empty while it recovers, whenever that begins
                    if (pool.take(packet, 0, 1)) {
                        frames.fill(packet[0], 0);
                        pool.give(packet, 0, 1 - left.sendQueue(0).burst(packet, 0, 1));
                    }
                    return kinds(events, 0).size() == expected;
                });
            }
        }
        assertThat(kinds(events, 0)).containsExactly(EthDevEvent.Kind.ERR_RECOVERING, EthDevEvent.Kind.RECOVERY_SUCCESS,
                EthDevEvent.Kind.ERR_RECOVERING, EthDevEvent.Kind.RECOVERY_SUCCESS);
        assertThat(kinds(events, 1)).isEmpty();
        assertThat(port(LEFT)).isSameAs(left);
        assertThat(left.isStarted()).isTrue();
        left.stop();
        port(RIGHT).stop();
        assertThat(pool.available()).as("packets that are home").isEqualTo(pool.packets());
        environment.ports().forEach(EthDev::start);
        environment.ports().forEach(EthDev::resetStatistics);
        exchange(1000);
    }

    @Test
    void aPortWhoseFunctionIsTakenAwayIsRemovedAndProbedAgain() throws Exception {
        startBoth();
        EthDev left = port(LEFT);
        Queue<EthDevEvent> events = new ConcurrentLinkedQueue<>();
        try (AutoCloseable listening = environment.listen(events::add)) {
            assertThat(listening).isNotNull();
            adapter(LEFT).revoke();
            Wire.await("it is told", () -> kinds(events, 0).size() == 2);
            assertThat(kinds(events, 0)).containsExactly(EthDevEvent.Kind.ERR_RECOVERING, EthDevEvent.Kind.INTR_RMV);
            assertThat(environment.ports()).doesNotContain(left);
            assertThat(left.sendQueue(0).burst(new int[1], 0, 1)).isZero();
            assertThat(left.link().isUp()).isFalse();
            assertRefused(Errno.ENODEV, "has been removed", left::start);
            adapter(LEFT).restore();
            Wire.await("it is back as another port", () -> environment.ports().size() == 2);
            Wire.await("that is told", () -> kinds(events, 2).equals(List.of(EthDevEvent.Kind.NEW)));
        }
        left.close();
        port(RIGHT).stop();
        assertThat(pool.available()).as("packets that are home").isEqualTo(pool.packets());
        assertThat(network(LEFT).isUp()).as("its device is down as before").isFalse();
        setUp(port(LEFT), 1);
        environment.ports().forEach(EthDev::start);
        environment.ports().forEach(EthDev::resetStatistics);
        exchange(1000);
    }

    /** As a thread that polls does, it looks and arms whenever it is woken, until it is told that the port has gone. */
    @Test
    void aThreadThatSleepsIsToldThatTheFunctionWasTakenAway() throws Exception {
        startWith(EthDevPlan.of(1).withInterrupts(), EthDevPlan.of(1).withInterrupts());
        ReceiveQueue queue = port(LEFT).receiveQueue(0);
        CompletableFuture<Refusal> told = new CompletableFuture<>();
        AtomicInteger waits = new AtomicInteger();
        Thread sleeper = Thread.ofPlatform().daemon().start(() -> {
            try {
                do {
                    assertThat(queue.burst(new int[1], 0, 1)).isZero();
                    queue.arm();
                    waits.incrementAndGet();
                } while (queue.await(TimeUnit.MINUTES.toNanos(30)));
                told.completeExceptionally(new AssertionError("it has slept for half an hour"));
            } catch (Refusal refused) {
                told.complete(refused);
            } catch (InterruptedException | RuntimeException | AssertionError wrong) {
                told.completeExceptionally(wrong);
            }
        });
        Wire.await("it sleeps", () -> waits.get() > 0 && sleeper.getState() == Thread.State.TIMED_WAITING);
        adapter(LEFT).requestReset(Adapter.ResetKind.RESET);
        Wire.await("it sleeps on after a reset", () -> waits.get() > 1 && port(LEFT).link().isUp()
                && sleeper.getState() == Thread.State.TIMED_WAITING);
        assertThat(told).isNotDone();
        adapter(LEFT).revoke();
        Refusal refused = told.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(refused.errno()).isEqualTo(Errno.ENODEV);
        assertThat(refused).hasMessageContaining("Port 0 (" + LEFT + "_port1) has been removed; close it.");
        assertRefused(Errno.ENODEV, "has been removed", () -> queue.await(1));
        adapter(LEFT).restore();
        Wire.await("it is back as another port", () -> environment.ports().size() == 2);
    }

    @Test
    void aPortWhoseDeviceDoesNotComeBackInTimeHasFailed() throws Exception {
        ConfigurationAdmin configurations = platform.service(ConfigurationAdmin.class);
        Configuration patience = configurations.getConfiguration("io.manafold.pmd", "?");
        ServiceReference<Environments> before = platform.context().getServiceReference(Environments.class);
        patience.update(new Hashtable<>(Map.of("recovery.limit", 1L)));
        try {
            Wire.await("the driver has begun anew", () -> before.getBundle() == null);
            startBoth();
            EthDev left = port(LEFT);
            Queue<EthDevEvent> events = new ConcurrentLinkedQueue<>();
            try (AutoCloseable listening = environment.listen(events::add)) {
                assertThat(listening).isNotNull();
                adapter(LEFT).requestReset(Adapter.ResetKind.RESET);
                Wire.await("it is told", () -> kinds(events, 0).size() == 2);
                assertThat(kinds(events, 0)).containsExactly(EthDevEvent.Kind.ERR_RECOVERING,
                        EthDevEvent.Kind.RECOVERY_FAILED);
            }
            assertRefused(Errno.ENODEV, "has not come back", left::start);
            assertThat(left.isStarted()).isFalse();
            assertThat(left.link().isUp()).isFalse();
            left.close();
            assertThat(environment.ports()).hasSize(1);
            environment.close();
            assertThat(pool.available()).as("packets that are home").isEqualTo(pool.packets());
        } finally {
            ServiceReference<Environments> there = platform.context().getServiceReference(Environments.class);
            patience.delete();
            Wire.await("the driver is as before", () -> there.getBundle() == null);
        }
    }

    @Test
    void aLinkThatComesAndGoesIsTold() throws Exception {
        startBoth();
        EthDev left = port(LEFT);
        assertThat(left.link().isUp()).isTrue();
        assertThat(left.link().speed()).isEqualTo((int) (network(LEFT).speed() / 1_000_000)).isPositive();
        Queue<EthDevEvent> events = new ConcurrentLinkedQueue<>();
        try (AutoCloseable listening = environment.listen(events::add)) {
            assertThat(listening).isNotNull();
            drivers.link("right/1");
            Wire.await("the link has gone", () -> !left.link().isUp());
            Wire.await("that is told", () -> kinds(events, 0).size() == 1);
            assertThat(left.link().speed()).isZero();
            drivers.link();
            Wire.await("the link is back", () -> left.link().isUp());
            Wire.await("that is told", () -> kinds(events, 0).size() == 2);
        }
        assertThat(kinds(events, 0)).containsOnly(EthDevEvent.Kind.INTR_LSC);
        exchange(1000);
    }
}
