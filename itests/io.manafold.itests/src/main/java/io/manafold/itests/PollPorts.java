package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.Drivers;
import io.manafold.itests.net.PollFrames;
import io.manafold.itests.net.Wire;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.InvalidSyntaxException;

/** Ports in poll mode of two functions that are linked, for tests of them. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
abstract class PollPorts {
    static final String LEFT = Drivers.LEFT;
    static final String RIGHT = Drivers.RIGHT;
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final int BURST = 32;
    static final int LENGTH = PollFrames.LENGTH;

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    Drivers drivers;
    Environment environment;
    PacketPool pool;
    PollFrames frames;

    @BeforeEach
    void begin() throws Exception {
        drivers = new Drivers(platform, folder, "poll", leftPorts(), leftPorts() > 2);
        Wire.await("both devices are there", () -> drivers.count(RdmaDevice.class, "(name=manae_*)") == 2);
        pool = platform.service(PacketPools.class)
                .make(new PacketPlan("packets of a test", 4096, 256, PacketPlan.DEFAULT_ROOM));
        frames = new PollFrames(pool);
    }

    @AfterEach
    void end() throws Exception {
        if (environment != null) {
            environment.close();
        }
        assertThat(drivers.count(EthDev.class, null)).as("ports in poll mode").isZero();
        pool.close();
        drivers.close();
    }

    /** Ports of the left function, of which the first is for poll mode. */
    int leftPorts() {
        return 2;
    }

    NetDevice network(String address) throws InvalidSyntaxException {
        return drivers.network(address, 1);
    }

    void start(int queues) {
        start(List.of(), queues);
    }

    private void start(List<String> more, int queues) {
        List<String> words = new ArrayList<>(more);
        words.addAll(List.of("-l", "0-2", "--vdev=" + LEFT + ",mac=00:0d:3a:30:00:01", "-a", RIGHT, "--", "-i"));
        environment = platform.service(Environments.class).start(words);
        assertThat(environment.consumed()).isEqualTo(more.size() + 6);
        assertThat(environment.ports()).extracting(EthDev::name).containsExactly(LEFT + "_port1", RIGHT + "_port1");
        assertThat(environment.probed()).hasSize(leftPorts() + 1).filteredOn(port -> !port.isTaken())
                .hasSize(leftPorts() - 1);
        for (EthDev port : environment.ports()) {
            setUp(port, queues);
        }
    }

    void setUp(EthDev port, int queues) {
        port.configure(EthDevPlan.of(queues));
        for (int i = 0; i < queues; i++) {
            port.setUpSend(i, 128);
            port.setUpReceive(i, 128, pool.number());
        }
    }

    static void assertRefused(Errno errno, String part, ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOf(Refusal.class).hasMessageContaining(part).satisfies(refused ->
                assertThat(((Refusal) refused).errno()).as(refused.getMessage()).isEqualTo(errno));
    }

    /** They may come back in another order. */
    EthDev port(String address) {
        return environment.ports().stream().filter(port -> port.name().equals(address + "_port1")).findFirst()
                .orElseThrow();
    }

    /** Sends packets from left to right, and looks at each that arrives. */
    void exchange(int packets) {
        EthDev left = port(LEFT);
        EthDev right = port(RIGHT);
        int[] burst = new int[BURST];
        int[] come = new int[BURST];
        long sent = 0;
        long expected = 0;
        long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (expected < packets) {
            assertThat(System.nanoTime()).as("time, after %d of %d", expected, sent).isLessThan(giveUp);
            int wanted = (int) Math.min(BURST, packets - sent);
            if (sent - expected < 64 && wanted > 0 && pool.take(burst, 0, wanted)) {
                for (int i = 0; i < wanted; i++) {
                    frames.fill(burst[i], sent + i);
                }
                int taken = left.sendQueue(0).burst(burst, 0, wanted);
                pool.give(burst, taken, wanted - taken);
                sent += taken;
            }
            int found = right.receiveQueue(0).burst(come, 0, 1 + (int) (expected % BURST));
            for (int i = 0; i < found; i++) {
                assertThat(frames.number(come[i])).isEqualTo(expected++);
            }
            pool.give(come, 0, found);
        }
        while (left.sendQueue(0).reclaim() > 0) {
            assertThat(System.nanoTime()).as("time for what was sent").isLessThan(giveUp);
            Thread.yield();
        }
        assertThat(left.statistics().sent()).isEqualTo(packets);
        assertThat(left.statistics().sentBytes()).isEqualTo((long) packets * LENGTH);
        assertThat(right.statistics().received()).isEqualTo(packets);
        assertThat(right.extendedStatistics()).containsEntry("rx_good_packets", (long) packets)
                .containsEntry("rx_q0_errors", 0L);
    }

    /** Has both ports start with offloads, their network devices down. */
    void startWith(EthDevPlan left, EthDevPlan right) throws Exception {
        startWith(List.of(), left, right);
    }

    /** The same with more words. */
    void startWith(List<String> more, EthDevPlan left, EthDevPlan right) throws Exception {
        start(more, 1);
        network(LEFT).setUp(false);
        network(RIGHT).setUp(false);
        List<EthDevPlan> plans = List.of(left, right);
        for (EthDev port : environment.ports()) {
            EthDevPlan plan = plans.get(port.number());
            port.configure(plan);
            for (int i = 0; i < plan.receiveQueues(); i++) {
                port.setUpSend(i, 0);
                port.setUpReceive(i, 0, pool.number());
            }
            port.start();
        }
    }

    /** Takes packets of the right port until there are so many, and says how many each queue had. */
    int[] arrivals(int packets, int queues, int[] into) {
        EthDev right = environment.ports().get(1);
        int[] byQueue = new int[queues];
        int found = 0;
        long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (found < packets) {
            assertThat(System.nanoTime()).as("time, after %d of %d packets", found, packets).isLessThan(giveUp);
            for (int i = 0; i < queues; i++) {
                int come = right.receiveQueue(i).burst(into, found, packets - found);
                byQueue[i] += come;
                found += come;
            }
        }
        return byQueue;
    }
}
