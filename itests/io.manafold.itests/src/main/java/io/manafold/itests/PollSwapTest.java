package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.itests.net.Flow;
import io.manafold.itests.net.TcpBeside;
import io.manafold.itests.net.Wire;
import io.manafold.memory.PacketPool;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;

/**
 * Ports that go to poll mode and back under traffic, and a poll-mode driver that is replaced: all comes home each time,
 * and a connection of TCP between other ports of the same function goes on.
 */
class PollSwapTest extends PollPorts {
    private static final int SWAPS = Integer.getInteger("manafold.poll.swaps", 5);
    private static final MacAddress EVERYONE = MacAddress.parse("ff:ff:ff:ff:ff:ff");

    @Override
    int leftPorts() {
        return 3;
    }

    /** What adapters have made for their drivers, and what these have lent them. */
    private List<Map<String, Long>> usage() throws Exception {
        return drivers.adapters().stream().map(adapter -> {
            Map<String, Long> usage = new TreeMap<>(adapter.usage());
            usage.remove("channel_requests");
            return usage;
        }).toList();
    }

    /** Has packets go round until it is told to stop, on the thread that calls. */
    private void run(EthDev left, EthDev right, AtomicBoolean stopping) {
        int[] burst = new int[BURST];
        while (!stopping.get()) {
            int made = pool.take(burst, 0, BURST) ? BURST : 0;
            for (int i = 0; i < made; i++) {
                frames.fill(burst[i], i);
            }
            int sent = left.sendQueue(0).burst(burst, 0, made);
            pool.give(burst, sent, made - sent);
            int found = right.receiveQueue(0).burst(burst, 0, BURST);
            PacketPool.release(burst, 0, found);
        }
    }

    private Thread traffic(AtomicBoolean stopping) {
        EthDev left = environment.ports().get(0);
        EthDev right = environment.ports().get(1);
        return Thread.ofPlatform().daemon().name("poll-traffic").start(() -> run(left, right, stopping));
    }

    @Test
    void portsGoToPollModeAndBackUnderTraffic() throws Exception {
        NetDevice left = network(LEFT);
        NetDevice right = network(RIGHT);
        Flow near = new Flow("near", EVERYONE, 0);
        Flow far = new Flow("far", EVERYONE, 0);
        near.attach(left);
        far.attach(right);
        try (TcpBeside tcp = new TcpBeside(platform, folder, drivers)) {
            List<Map<String, Long>> after = List.of();
            List<Map<String, Long>> afterPolling = List.of();
            for (int swap = 0; swap < SWAPS; swap++) {
                left.setUp(true);
                right.setUp(true);
                long seen = far.received();
                Wire.await("the network stack has both ports", () -> far.received() > seen + 100);
                left.setUp(false);
                right.setUp(false);
                // drivers keep the memory of the first time
                after = swap <= 1 ? usage() : after;
                assertThat(usage()).as("objects after the network stack, swap %d", swap).isEqualTo(after);
                start(1);
                environment.ports().forEach(EthDev::start);
                AtomicBoolean stopping = new AtomicBoolean();
                Thread traffic = traffic(stopping);
                EthDev receiver = environment.ports().get(1);
                Wire.await("poll mode has both ports", () -> receiver.statistics().received() > 1000);
                // while there is traffic
                environment.close();
                stopping.set(true);
                traffic.join(PATIENCE);
                assertThat(traffic.isAlive()).isFalse();
                assertThat(pool.available()).as("packets that are home, swap %d", swap).isEqualTo(pool.packets());
                afterPolling = swap == 0 ? usage() : afterPolling;
                assertThat(usage()).as("objects after poll mode, swap %d", swap).isEqualTo(afterPolling);
                tcp.goesOn("after swap " + swap);
            }
            assertThat(near.damaged() + far.damaged()).isZero();
        } finally {
            near.detach();
            far.detach();
        }
        for (Adapter adapter : drivers.adapters()) {
            assertThat(adapter.rejections()).isEmpty();
        }
    }

    @Test
    void theDriverIsReplacedUnderTraffic() throws Exception {
        network(LEFT).setUp(false);
        network(RIGHT).setUp(false);
        Bundle driver = Arrays.stream(platform.context().getBundles())
                .filter(one -> one.getSymbolicName().equals("io.manafold.pmd")).findFirst().orElseThrow();
        try (TcpBeside tcp = new TcpBeside(platform, folder, drivers)) {
            replace(driver, tcp);
        }
    }

    private void replace(Bundle driver, TcpBeside tcp) throws Exception {
        List<Map<String, Long>> before = List.of();
        for (int swap = 0; swap < SWAPS; swap++) {
            try {
                start(1);
                environment.ports().forEach(EthDev::start);
                List<EthDev> ports = environment.ports();
                AtomicBoolean stopping = new AtomicBoolean();
                Thread traffic = traffic(stopping);
                Wire.await("packets pass", () -> ports.get(1).statistics().received() > 1000);
                driver.stop();
                stopping.set(true);
                traffic.join(PATIENCE);
                assertThat(traffic.isAlive()).isFalse();
                assertThat(pool.available()).as("packets that are home, swap %d", swap).isEqualTo(pool.packets());
                before = swap == 0 ? usage() : before;
                assertThat(usage()).as("objects, swap %d", swap).isEqualTo(before);
                assertThat(ports.get(0).sendQueue(0).reclaim()).isZero();
                Environment gone = environment;
                assertThat(gone.ports()).isEmpty();
            } finally {
                driver.start();
            }
            Wire.await("there is a driver again", () -> platform.context().getServiceReference(Environments.class)
                    != null);
            tcp.goesOn("after swap " + swap);
        }
    }
}
