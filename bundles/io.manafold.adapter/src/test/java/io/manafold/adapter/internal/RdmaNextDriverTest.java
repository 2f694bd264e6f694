package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Gid;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.ProtectionDomain;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.ManagementPair;
import io.manafold.testkit.RdmaQueue;
import io.manafold.testkit.RdmaSession;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Keys are given in the same order to each driver of a function: what one stood for with the driver before, or in
 * another domain, is nothing to the queue pair of management that comes next.
 */
@Timeout(120)
class RdmaNextDriverTest {
    private static final Gid GID = Gid.ofIpv4(0x0a00_0001);
    private static final int MAD = 256;
    private static final int BUFFER = 40 + MAD;
    private static final int BYTES = 1 << 16;
    private static final int RECEIVES = 1 << 15;
    private static final int PAYLOAD = 4096;

    private final TestSwitch net = new TestSwitch("one/1");
    private final Bench bench = new Bench("one");
    private final DmaArena memory = bench.memory(16);

    @AfterEach
    void close() {
        memory.discard();
        bench.close();
        net.close();
    }

    /** One that makes its things in the order of all the others, and sends datagrams to itself. */
    private final class Driver implements AutoCloseable {
        final EthernetSession ethernet = bench.session(memory);
        final RdmaSession rdma = new RdmaSession(ethernet, 0, memory);
        final RdmaQueue completions;
        final DmaPiece block = memory.allocate(BYTES);

        Driver() {
            rdma.add(GID);
            completions = rdma.createQueue(RdmaEnd.ENTRIES);
        }

        int register(ProtectionDomain domain) {
            return domain.register(block, BYTES, RdmaEnd.VIRTUAL, RdmaEnd.ALL).localKey();
        }

        /** Sends itself a datagram, to a receive with a key that may be wrong. */
        void send(ManagementPair pair, int key, int receiveKey) {
            pair.receive(RdmaEnd.VIRTUAL + RECEIVES, receiveKey, BUFFER);
            pair.send(block.pointer(), RdmaEnd.VIRTUAL, key, GID, GID, rdma.mac(), RdmaEnd.VIRTUAL + PAYLOAD, MAD);
            assertThat(RdmaEnd.until(() -> {
                completions.poll(pair, 64);
                return pair.sent() == 1;
            })).isTrue();
        }

        boolean receives(ManagementPair pair) {
            return RdmaEnd.until(() -> {
                completions.poll(pair, 64);
                return pair.received() == 1;
            });
        }

        long dropped() {
            return bench.adapter.rdma().status().ports().getFirst().counters().get("rdma_no_room");
        }

        @Override
        public void close() {
            rdma.close();
            ethernet.close();
            bench.function.reset();
        }
    }

    private static byte[] received(long block) {
        byte[] bytes = new byte[MAD];
        RawMemory.copy(block + RECEIVES + 40, bytes, 0, MAD);
        return bytes;
    }

    private static byte[] payload(long block, int what) {
        byte[] bytes = new byte[MAD];
        Arrays.fill(bytes, (byte) what);
        RawMemory.copy(bytes, 0, block + PAYLOAD, MAD);
        return bytes;
    }

    @Test
    void datagramsGoWhereTheKeyOfThisDriverPoints() {
        bench.plug(net.link(), "one/1");
        long before;
        int key;
        byte[] its;
        try (Driver first = new Driver()) {
            ProtectionDomain domain = first.rdma.createDomain();
            key = first.register(domain);
            before = first.block.pointer();
            its = payload(before, 1);
            ManagementPair pair = new ManagementPair(first.rdma, domain, first.completions);
            first.send(pair, key, key);
            assertThat(first.receives(pair)).isTrue();
            assertThat(received(before)).isEqualTo(its);
        }
        try (Driver second = new Driver()) {
            ProtectionDomain domain = second.rdma.createDomain();
            assertThat(second.register(domain)).as("the same key").isEqualTo(key);
            assertThat(second.block.pointer()).isNotEqualTo(before);
            byte[] mine = payload(second.block.pointer(), 2);
            ManagementPair pair = new ManagementPair(second.rdma, domain, second.completions);
            second.send(pair, key, key);
            assertThat(second.receives(pair)).isTrue();
            assertThat(received(before)).as("memory of the driver before").isEqualTo(its);
            assertThat(received(second.block.pointer())).isEqualTo(mine);
        }
    }

    @Test
    void aKeyIsOfItsDomainAlsoForTheNextQueuePair() {
        bench.plug(net.link(), "one/1");
        try (Driver driver = new Driver()) {
            ProtectionDomain domain = driver.rdma.createDomain();
            int key = driver.register(domain);
            byte[] first = payload(driver.block.pointer(), 1);
            try (ManagementPair pair = new ManagementPair(driver.rdma, domain, driver.completions)) {
                driver.send(pair, key, key);
                assertThat(driver.receives(pair)).isTrue();
            }
            ProtectionDomain other = driver.rdma.createDomain();
            int its = driver.register(other);
            payload(driver.block.pointer(), 2);
            ManagementPair pair = new ManagementPair(driver.rdma, other, driver.completions);
            long dropped = driver.dropped();
            driver.send(pair, its, key);
            assertThat(RdmaEnd.until(() -> {
                driver.completions.poll(pair, 64);
                return driver.dropped() > dropped || pair.received() > 0;
            })).isTrue();
            assertThat(pair.received()).isZero();
            assertThat(received(driver.block.pointer())).isEqualTo(first);
        }
    }
}
