package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.HandSwitch;
import io.manafold.gdma.AddressVector;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.Gid;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.ManagementPair;
import io.manafold.testkit.RdmaQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests for datagrams that are none cost the agent no more of a cycle than packets do, and one line in the log. */
@Timeout(60)
class RdmaBadDatagramsTest {
    private static final long STEP = TimeUnit.MICROSECONDS.toNanos(20);
    private static final int CYCLE = 128;
    private static final int RING = 8192;
    private static final int REQUEST = 64;
    /** The last of these has what was copied before still waiting, and the ring full. */
    private static final int DOORBELLS = 3;
    private static final int ENTRIES = 1024;

    @Test
    void aCycleHasAsManyAsOfPackets() {
        try (HandSwitch net = new HandSwitch(null, "one/1"); RdmaEnd one = RdmaEnd.on(net, "one", 1);
                RdmaQueue completions = one.rdma.createQueue(ENTRIES);
                ManagementPair pair = new ManagementPair(one.rdma, one.domain, completions)) {
            long ring = pair.sendRing().memory().pointer();
            for (int at = 0; at < RING; at += REQUEST) {
                // of no operation that a datagram has
                RawMemory.put64(ring + at, 0x0000_0601L << 32);
                RawMemory.put64(ring + at + 8, 31);
            }
            for (int i = 1; i <= DOORBELLS; i++) {
                one.rdma.page().ring(Doorbell.SEND, Doorbell.work(pair.made().sendQueue(), i * RING));
            }
            int all = DOORBELLS * RING / REQUEST;
            int most = 0;
            for (int i = 0; i < 100 && pair.sent() < all; i++) {
                int before = pair.sent();
                net.step(STEP);
                completions.poll(pair, ENTRIES);
                most = Math.max(most, pair.sent() - before);
            }
            assertThat(pair.sent()).isEqualTo(all);
            assertThat(most).isPositive().isLessThanOrEqualTo(CYCLE);
            assertThat(one.bench.rejections.all()).singleElement().satisfies(note -> {
                assertThat(note.times()).isEqualTo(all);
                assertThat(note.where()).isEqualTo("one/1 queue pair 1");
            });
        }
    }

    /** Whom they are for is what its driver likes. */
    @Test
    void datagramsFromAnAddressThatIsNoneAreOneLine() {
        try (HandSwitch net = new HandSwitch(null, "one/1"); RdmaEnd one = RdmaEnd.on(net, "one", 1);
                ManagementPair pair = new ManagementPair(one.rdma, one.domain, one.completions)) {
            WorkQueue sends = pair.sendRing();
            AddressVector.write(one.block.pointer(), one.gid, one.rdma.mac(), 0xc123, Gid.ofIpv4(0x0a00_0063), 64, 0);
            int all = 40;
            for (int peer = 0; peer < all; peer++) {
                sends.begin(0, RdmaRequest.word1(RdmaRequest.DATAGRAM, 2, 1024));
                sends.put32(RdmaRequest.CONTROL, RdmaRequest.control(RdmaRequest.DATAGRAM, RdmaRequest.SIGNALED, peer));
                sends.put32(RdmaRequest.DATAGRAM_PEER, peer);
                sends.put32(RdmaRequest.DATAGRAM_QUEUE_KEY, ManagementPair.QUEUE_KEY);
                sends.piece(0, RdmaEnd.VIRTUAL, one.key(), AddressVector.SIZE);
                sends.piece(1, RdmaEnd.VIRTUAL, one.key(), 256);
                sends.commit();
            }
            sends.ring();
            for (int i = 0; i < all; i++) {
                net.step(STEP);
            }
            one.completions.poll(pair, ENTRIES);
            assertThat(pair.sent()).isEqualTo(all);
            assertThat(one.bench.rejections.all()).singleElement().satisfies(note -> {
                assertThat(note.times()).isEqualTo(all);
                assertThat(note.consequence()).startsWith("the datagram to queue pair 0 completed");
            });
        }
    }
}
