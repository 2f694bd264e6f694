package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.itests.net.FrameKind;
import io.manafold.itests.net.Listener;
import io.manafold.itests.net.PollFrames;
import io.manafold.itests.net.Wire;
import io.manafold.memory.ExternalBuffer;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.RawMemory;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a device does to packets of ports in poll mode, and how it spreads them. */
@OneFramework
class PollOffloadTest extends PollPorts {
    private static final long SEND_TCP_TSO = 1L << 5;

    @Test
    void packetsAreSpreadOverQueuesByTheTable() throws Exception {
        startWith(EthDevPlan.of(4), EthDevPlan.of(4));
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

    /**
     * Each frame arrives at a port in poll mode and at a device of the Ethernet driver, which are told the same of it:
     * checksums are good if a device has computed them, and nothing is said of others.
     */
    @Test
    void aFrameOfEachKindIsToldAsTheEthernetDriverTellsIt() throws Exception {
        NetDevice beside = drivers.network(LEFT, 2);
        long receives = Offload.RECEIVE_VLAN_STRIP | Offload.RECEIVE_IPV4_CHECKSUM | Offload.RECEIVE_TCP_CHECKSUM
                | Offload.RECEIVE_UDP_CHECKSUM | Offload.RECEIVE_RSS_HASH;
        long sends = Offload.SEND_VLAN_INSERT | Offload.SEND_IPV4_CHECKSUM | Offload.SEND_TCP_CHECKSUM
                | Offload.SEND_UDP_CHECKSUM;
        startWith(EthDevPlan.of(1).withOffloads(0, sends), EthDevPlan.of(2).withOffloads(receives, 0)
                .withRss(new RssHash(beside.spreading().key(), RssHash.ALL)));
        EthDev left = port(LEFT);
        EthDev right = port(RIGHT);
        int[] one = new int[1];
        Wire.await("the device beside is up", () -> beside.isUp() && beside.hasCarrier());
        try (Listener listener = new Listener(beside)) {
            for (FrameKind kind : FrameKind.all()) {
                one[0] = pool.allocate();
                RawMemory.copy(kind.sent(), 0, pool.data(one[0]), kind.sent().length);
                pool.first(one[0], PacketPool.first(PacketPool.HEADROOM, kind.sent().length, kind.asked()));
                pool.second(one[0], PacketPool.second(0, kind.tag()));
                assertThat(left.sendQueue(0).burst(one, 0, 1)).isEqualTo(1);
                int[] byQueue = arrivals(1, 2, one);
                long first = pool.first(one[0]);
                long second = pool.second(one[0]);
                byte[] bytes = new byte[PacketPool.length(first)];
                RawMemory.copy(pool.data(one[0]), bytes, 0, bytes.length);
                pool.give(one, 0, 1);
                assertThat(bytes).as(kind.name()).isEqualTo(kind.arrives());
                int told = PacketPool.flags(first);
                assertThat(told).as(kind.name()).isEqualTo(kind.told());
                assertThat(PacketPool.tag(second)).as(kind.name()).isEqualTo(kind.vlan());
                int hash = (told & PacketFlags.HASHED) != 0 ? PacketPool.hash(second) : 0;
                assertThat(byQueue[right.redirection()[hash & 63]]).as(kind.name()).isEqualTo(1);
                Listener.Heard heard = listener.next();
                assertThat(heard).as(kind.name()).isNotNull();
                assertThat(heard.bytes()).as(kind.name()).isEqualTo(kind.arrives());
                // it believes the checksum of TCP and UDP together with that of IP alone
                assertThat(heard.flags()).as(kind.name()).isEqualTo((told & PacketFlags.IP_GOOD) != 0 ? told
                        : told & ~PacketFlags.TRANSPORT_GOOD);
                assertThat(heard.hash()).as(kind.name()).isEqualTo(hash);
                assertThat(heard.tag()).as(kind.name()).isEqualTo(kind.vlan());
            }
        }
        assertThat(left.statistics().sendErrors()).isZero();
        sendsFromMemoryOfTheApplication(left, sends);
        // as with the real driver, large sends are not cut
        assertRefused(Errno.EINVAL, "no send offloads 0x20", () -> left.configure(EthDevPlan.of(1)
                .withOffloads(0, sends | SEND_TCP_TSO)));
        right.stop();
        assertThat(pool.available()).isEqualTo(pool.packets());
        drivers.refusedNothing();
    }

    /** Headers in a packet, and behind them what the application has: the device reads it there, as it is by then. */
    private void sendsFromMemoryOfTheApplication(EthDev left, long sends) throws Exception {
        left.stop();
        left.configure(EthDevPlan.of(1).withOffloads(0, sends | Offload.SEND_SEGMENTS));
        left.setUpSend(0, 0);
        left.setUpReceive(0, 0, pool.number());
        left.start();
        MemoryBlock block = platform.service(MemorySource.class).make("of an application", 8192);
        AtomicInteger told = new AtomicInteger();
        ExternalBuffer buffer = new ExternalBuffer(block, 4096, 4096, told::incrementAndGet);
        int[] one = new int[1];
        for (int round = 0; round < 200; round++) {
            int head = pool.allocate();
            int rest = pool.allocate();
            frames.fill(head, round);
            RawMemory.copy(pool.data(head) + 14, block.segment().address() + 4096 + round, LENGTH - 14);
            pool.attach(rest, buffer, round, LENGTH - 14);
            RawMemory.clear(pool.data(head) + 14, LENGTH - 14);
            pool.first(head, PacketPool.first(PacketPool.HEADROOM, 14, 0));
            pool.second(head, 2L << 48 | 1L << 56);
            pool.next(head, rest);
            one[0] = head;
            assertThat(left.sendQueue(0).burst(one, 0, 1)).isEqualTo(1);
            arrivals(1, 2, one);
            pool.second(one[0], PacketPool.SINGLE);
            pool.first(one[0], PacketPool.first(PacketPool.HEADROOM, PacketPool.length(pool.first(one[0])), 0));
            assertThat(frames.number(one[0])).isEqualTo(round);
            pool.give(one, 0, 1);
        }
        buffer.close();
        Wire.await("all are sent", () -> left.sendQueue(0).reclaim() == 0);
        assertThat(told).as("it is free, once").hasValue(1);
        block.close();
        assertThat(left.statistics().sendErrors()).isZero();
        left.stop();
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
