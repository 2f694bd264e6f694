package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.refusal.Errno;
import io.manafold.itests.net.PollFrames;
import io.manafold.itests.net.Wire;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.RawMemory;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a device does to packets of ports in poll mode, and how it spreads them. */
class PollOffloadTest extends PollPorts {
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
            assertThat(environment.ports().get(0).sendQueue(round).burst(flows, 0, flows.length))
                    .isEqualTo(flows.length);
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
        right.redirection(filled(3));
        // of a key without a bit the hash is 0
        right.rss(new RssHash(new byte[40], RssHash.ALL));
        assertThat(right.rss().key()).containsOnly(0);
        assertThat(spread(flows, come)).containsExactly(0, 0, 0, 64);
        right.rss(new RssHash(new byte[0], 0));
        assertThat(spread(flows, come)).as("to the first queue").containsExactly(64, 0, 0, 0);
        right.rss(RssHash.DEFAULT);
        assertThat(spread(flows, come)).containsExactly(0, 0, 0, 64);
        assertRefused(Errno.EINVAL, "keys of 40 bytes", () -> right.rss(new RssHash(new byte[41], RssHash.ALL)));
        assertRefused(Errno.EINVAL, "64 entries", () -> right.redirection(new int[3]));
        assertRefused(Errno.EINVAL, "the queues 0 to 3", () -> right.redirection(filled(4)));
    }

    /** Sends a packet of each flow, and says how many each queue got. */
    private int[] spread(int[] flows, int[] come) {
        assertThat(pool.take(flows, 0, flows.length)).isTrue();
        for (int i = 0; i < flows.length; i++) {
            frames.datagram(flows[i], 1000 + i);
        }
        assertThat(environment.ports().get(0).sendQueue(0).burst(flows, 0, flows.length)).isEqualTo(flows.length);
        int[] byQueue = arrivals(flows.length, 4, come);
        pool.give(come, 0, come.length);
        return byQueue;
    }

    private static int[] filled(int queue) {
        int[] table = new int[64];
        Arrays.fill(table, queue);
        return table;
    }

    @Test
    void chainsTagsAndChecksumsAreOffloaded() throws Exception {
        long sends = Offload.SEND_SEGMENTS | Offload.SEND_VLAN_INSERT | Offload.SEND_IPV4_CHECKSUM
                | Offload.SEND_UDP_CHECKSUM;
        startWith(EthDevPlan.of(1).withOffloads(0, sends), EthDevPlan.of(1).withOffloads(Offload.RECEIVE_VLAN_STRIP,
                0));
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
    void whatDoesNotFitOrFindsNoBufferIsCounted() throws Exception {
        pool.close();
        pool = platform.service(PacketPools.class).make(new PacketPlan("large packets", 1024, 64, 9600));
        frames = new PollFrames(pool);
        start(1);
        network(LEFT).setUp(false);
        network(RIGHT).setUp(false);
        EthDev left = environment.ports().get(0);
        EthDev right = environment.ports().get(1);
        for (EthDev port : environment.ports()) {
            port.mtu(9000);
            assertThat(port.mtu()).isEqualTo(9000);
            assertRefused(Errno.EINVAL, "an MTU from 68 to 9000", () -> port.mtu(9001));
            port.start();
        }
        int[] one = new int[1];
        one[0] = large(9014);
        assertThat(left.sendQueue(0).burst(one, 0, 1)).isEqualTo(1);
        arrivals(1, 1, one);
        assertThat(PacketPool.length(pool.first(one[0]))).isEqualTo(9014);
        assertThat(RawMemory.get8(pool.data(one[0]) + 9013)).isEqualTo(9013 & 0xff);
        pool.give(one, 0, 1);
        one[0] = large(9500);
        assertThat(left.sendQueue(0).burst(one, 0, 1)).as("it is taken, and cannot be sent").isEqualTo(1);
        Wire.await("that is counted", () -> left.sendQueue(0).reclaim() == 0 && left.statistics().sendErrors() == 1);
        // more than are posted, and no one takes them
        int sent = 0;
        while (sent < 200) {
            one[0] = large(100);
            int taken = left.sendQueue(0).burst(one, 0, 1);
            pool.give(one, 0, 1 - taken);
            sent += taken;
        }
        Wire.await("all are sent", () -> left.sendQueue(0).reclaim() == 0);
        assertThat(left.statistics().sent()).isEqualTo(201);
        Wire.await("the device tells of those it had no buffer for", () -> right.statistics().missed() >= 200 - 128);
        assertThat(right.extendedStatistics()).containsEntry("rx_missed_errors", right.statistics().missed());
        left.stop();
        right.stop();
        assertThat(pool.available()).isEqualTo(pool.packets());
    }

    private int large(int length) {
        int packet = pool.allocate();
        frames.fill(packet, 0);
        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, length, 0));
        for (int i = 14; i < length; i++) {
            RawMemory.put8(pool.data(packet) + i, i);
        }
        return packet;
    }
}
