package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.lab.Labs;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.DriverJar;
import io.manafold.itests.net.EthernetBundle;
import io.manafold.itests.net.PollFrames;
import io.manafold.itests.net.Wire;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.RawMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;

/** Ports in poll mode of two functions that are linked. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class PollModeTest {
    private static final String LEFT = "7870:00:00.0";
    private static final String RIGHT = "7870:00:01.0";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int BURST = 32;
    private static final int LENGTH = PollFrames.LENGTH;

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private BundleContext context;
    private Bundle ethernet;
    private Bundle rdma;
    private Environment environment;
    private PacketPool pool;
    private PollFrames frames;

    @BeforeEach
    void begin() throws Exception {
        context = platform.context();
        platform.folder(folder);
        Path lab = Files.writeString(folder.resolve("poll.yaml"), """
                adapters:
                  - name: left
                    address: %s
                    ports: 2
                    macs: ["00:0d:3a:30:00:01", "00:0d:3a:30:00:03"]
                  - name: right
                    address: %s
                    macs: ["00:0d:3a:30:00:02"]
                links:
                  - name: between
                    ports: [left/1, left/2, right/1]
                """.formatted(LEFT, RIGHT));
        Labs labs = platform.service(Labs.class);
        labs.up(lab.toString());
        List<String> missing = labs.settle(PATIENCE);
        for (int again = 0; again < 100 && !missing.isEmpty(); again++) {
            Thread.sleep(100);
            missing = labs.settle(PATIENCE);
        }
        assertThat(missing).isEmpty();
        ethernet = context.installBundle("test:ethernet-poll", EthernetBundle.version("1.0.0"));
        ethernet.start();
        rdma = context.installBundle("test:rdma-poll", DriverJar.version("rdma", "1.0.0"));
        rdma.start();
        Wire.await("both devices are there", () -> count(RdmaDevice.class, "(name=manae_*)") == 2);
        pool = platform.service(PacketPools.class).make(new PacketPlan("packets of a test", 4096, 256, PacketPlan.DEFAULT_ROOM));
        frames = new PollFrames(pool);
    }

    @AfterEach
    void end() throws Exception {
        if (environment != null) {
            environment.close();
        }
        assertThat(count(EthDev.class, null)).as("ports in poll mode").isZero();
        pool.close();
        if (rdma.getState() != Bundle.UNINSTALLED) {
            rdma.uninstall();
        }
        ethernet.uninstall();
        Labs labs = platform.service(Labs.class);
        labs.down("poll");
        labs.settle(PATIENCE);
        assertThat(platform.service(MemorySource.class).blocks()).as("blocks of memory").isEmpty();
    }

    private int count(Class<?> type, String filter) {
        try {
            return context.getServiceReferences(type, filter).size();
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private List<Adapter> adapters() throws InvalidSyntaxException {
        return context.getServiceReferences(Adapter.class, null).stream().map(context::getService).toList();
    }

    private NetDevice network(String address) throws InvalidSyntaxException {
        return context.getService(context.getServiceReferences(NetDevice.class, "(&(address=" + address + ")(port=1))").iterator()
                .next());
    }

    private void start(int queues) {
        environment = platform.service(Environments.class).start(List.of("-l", "0-2", "--vdev=" + LEFT + ",mac=00:0d:3a:30:00:01",
                "-a", RIGHT, "--", "-i"));
        assertThat(environment.consumed()).isEqualTo(6);
        assertThat(environment.ports()).extracting(EthDev::name).containsExactly(LEFT + "_port1", RIGHT + "_port1");
        assertThat(environment.probed()).extracting(port -> port.isTaken()).containsExactly(true, false, true);
        for (EthDev port : environment.ports()) {
            setUp(port, queues);
        }
    }

    private void setUp(EthDev port, int queues) {
        port.configure(EthDevPlan.of(queues));
        for (int i = 0; i < queues; i++) {
            port.setUpSend(i, 128);
            port.setUpReceive(i, 128, pool.number());
        }
    }

    private static void assertRefused(Errno errno, String part, ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOf(Refusal.class).hasMessageContaining(part).satisfies(refused ->
                assertThat(((Refusal) refused).errno()).as(refused.getMessage()).isEqualTo(errno));
    }

    /** They may come back in another order. */
    private EthDev port(String address) {
        return environment.ports().stream().filter(port -> port.name().equals(address + "_port1")).findFirst().orElseThrow();
    }

    /** Sends packets from left to right, and looks at each that arrives. */
    private void exchange(int packets) {
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
        assertThat(right.extendedStatistics()).containsEntry("rx_good_packets", (long) packets).containsEntry("rx_q0_errors", 0L);
    }

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
        for (Adapter adapter : adapters()) {
            assertThat(adapter.rejections()).isEmpty();
        }
    }

    /** Has both ports start with offloads, their network devices down. */
    private void startWith(EthDevPlan left, EthDevPlan right) throws Exception {
        start(1);
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
    private int[] arrivals(int packets, int queues, int[] into) {
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

    @Test
    void packetsAreSpreadOverQueuesByTheTable() throws Exception {
        startWith(EthDevPlan.of(4), EthDevPlan.of(4).withOffloads(Offload.RECEIVE_RSS_HASH, 0));
        EthDev right = environment.ports().get(1);
        int[] flows = new int[64];
        int[] come = new int[64];
        for (int round = 0; round < 2; round++) {
            assertThat(pool.take(flows, 0, flows.length)).isTrue();
            for (int i = 0; i < flows.length; i++) {
                frames.datagram(flows[i], 1000 + i);
            }
            assertThat(environment.ports().get(0).sendQueue(round).burst(flows, 0, flows.length)).isEqualTo(flows.length);
            int[] byQueue = arrivals(flows.length, 4, come);
            int[] expected = new int[4];
            for (int packet : come) {
                assertThat(PacketPool.flags(pool.first(packet)) & PacketFlags.HASHED).isNotZero();
                expected[right.redirection()[PacketPool.hash(pool.second(packet)) & 63]]++;
            }
            assertThat(byQueue).containsExactly(expected);
            pool.give(come, 0, come.length);
            if (round == 0) {
                assertThat(byQueue).doesNotContain(0);
                right.redirection(filled(2));
            } else {
                assertThat(byQueue).containsExactly(0, 0, 64, 0);
            }
        }
        assertRefused(Errno.EINVAL, "64 entries", () -> right.redirection(new int[3]));
        assertRefused(Errno.EINVAL, "the queues 0 to 3", () -> right.redirection(filled(4)));
    }

    private static int[] filled(int queue) {
        int[] table = new int[64];
        Arrays.fill(table, queue);
        return table;
    }

    @Test
    void chainsTagsAndChecksumsAreOffloaded() throws Exception {
        long sends = Offload.SEND_SEGMENTS | Offload.SEND_VLAN_INSERT | Offload.SEND_IPV4_CHECKSUM | Offload.SEND_UDP_CHECKSUM;
        startWith(EthDevPlan.of(1).withOffloads(0, sends), EthDevPlan.of(1).withOffloads(Offload.RECEIVE_VLAN_STRIP, 0));
        EthDev left = environment.ports().get(0);
        EthDev right = environment.ports().get(1);
        int[] one = new int[1];
        for (int i = 0; i < 300; i++) {
            one[0] = frames.chain(100);
            assertThat(left.sendQueue(0).burst(one, 0, 1)).isEqualTo(1);
            arrivals(1, 1, one);
            assertThat(PacketPool.flags(pool.first(one[0])) & PacketFlags.TAG_STRIPPED).isNotZero();
            assertThat(PacketPool.tag(pool.second(one[0]))).isEqualTo(100);
            PollFrames.check(pool.data(one[0]), PacketPool.length(pool.first(one[0])));
            pool.give(one, 0, 1);
        }
        right.stop();
        right.configure(EthDevPlan.of(1));
        right.setUpSend(0, 64);
        right.setUpReceive(0, 64, pool.number());
        right.start();
        one[0] = frames.chain(101);
        left.sendQueue(0).burst(one, 0, 1);
        arrivals(1, 1, one);
        long data = pool.data(one[0]);
        assertThat(PacketPool.length(pool.first(one[0]))).isEqualTo(LENGTH + 4);
        assertThat(RawMemory.getBig32(data + 12)).isEqualTo(0x8100_0000 | 101);
        assertThat(RawMemory.getBig64(data) >>> 16).isEqualTo(PollFrames.RIGHT_MAC);
        pool.give(one, 0, 1);
        left.stop();
        right.stop();
        assertThat(pool.available()).isEqualTo(pool.packets());
    }

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
            rdma.update(DriverJar.version("rdma", "2.0.0"));
            Wire.await("the ports are back", () -> environment.ports().size() == 2 && !environment.ports().contains(before.get(0))
                    && !environment.ports().contains(before.get(1)));
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
}
