package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.lab.Labs;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.DriverJar;
import io.manafold.itests.net.EthernetBundle;
import io.manafold.itests.net.Wire;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.RawMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
    private static final long LEFT_MAC = 0x000d3a300001L;
    private static final long RIGHT_MAC = 0x000d3a300002L;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int BURST = 32;
    private static final int LENGTH = 200;

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private BundleContext context;
    private Bundle ethernet;
    private Bundle rdma;
    private Environment environment;
    private PacketPool pool;

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

    /** Fills a packet with a frame that has a number. */
    private void fill(int packet, long number) {
        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, LENGTH, 0));
        pool.second(packet, PacketPool.SINGLE);
        long data = pool.data(packet);
        RawMemory.putBig64(data, RIGHT_MAC << 16 | LEFT_MAC >>> 32);
        RawMemory.putBig32(data + 8, (int) LEFT_MAC);
        RawMemory.putBig16(data + 12, 0x88b5);
        for (int i = 14; i + 8 <= LENGTH; i += 8) {
            RawMemory.put64(data + i, number * 31 + i);
        }
    }

    /** Which number a packet has; -1 if not all of it belongs to one. */
    private long number(int packet) {
        assertThat(PacketPool.length(pool.first(packet))).isEqualTo(LENGTH);
        assertThat(pool.second(packet)).isEqualTo(PacketPool.SINGLE);
        long data = pool.data(packet);
        long number = (RawMemory.get64(data + 14) - 14) / 31;
        for (int i = 14; i + 8 <= LENGTH; i += 8) {
            if (RawMemory.get64(data + i) != number * 31 + i) {
                return -1;
            }
        }
        return number;
    }

    /** Sends packets from left to right, and looks at each that arrives. */
    private void exchange(int packets) {
        EthDev left = environment.ports().get(0);
        EthDev right = environment.ports().get(1);
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
                    fill(burst[i], sent + i);
                }
                int taken = left.sendQueue(0).burst(burst, 0, wanted);
                pool.give(burst, taken, wanted - taken);
                sent += taken;
            }
            int found = right.receiveQueue(0).burst(come, 0, 1 + (int) (expected % BURST));
            for (int i = 0; i < found; i++) {
                assertThat(number(come[i])).isEqualTo(expected++);
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
}
