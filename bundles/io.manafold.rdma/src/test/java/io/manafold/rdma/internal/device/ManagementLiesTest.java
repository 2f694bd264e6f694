package io.manafold.rdma.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.api.net.MacAddress;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Gid;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import io.manafold.rdma.internal.queue.ManagementQueuePair;
import io.manafold.roce.cm.Mad;
import io.manafold.testkit.RdmaSession;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A device that writes anything into the queue of management and into the places of its datagrams: what is read is a
 * datagram of at most its size or none, or the queue is given up.
 */
@Timeout(3600)
class ManagementLiesTest {
    private static final int LIES = Integer.getInteger("manafold.rdma.completions", 100_000);
    private static final int RECEIVES = 1;
    private static final Gid PEER = new Gid(0xfe80L << 48, 2);
    private static final int SENDS = 8;
    private static final int BUDGET = 64;

    private int datagrams;
    private int none;
    private int failures;

    @Test
    void anyBytesAreDatagramsToALiar() {
        try (TestSwitch net = new TestSwitch("liar/1");
                TestAdapter adapter = new TestAdapter("liar", "rdma", "first")) {
            adapter.plug(net.link(), "liar/1");
            DmaArena memory = new DmaArena(adapter.function().dma(), "liar", 0x1_0000_0000L, 64 << 20);
            try (EthernetSession ethernet = EthernetSession.open(adapter.function(), memory, ChannelLimits.USUAL,
                    (type, data) -> { }); RdmaSession rdma = new RdmaSession(ethernet, 0, memory)) {
                long before = memory.pagesInUse();
                int told = 0;
                for (int round = 0; told < LIES; round++) {
                    told += round(rdma, new Random(round));
                    assertThat(memory.pagesInUse()).as("pages after round %d", round).isEqualTo(before);
                }
            }
            memory.close();
        }
        assertThat(List.of(datagrams, none, failures)).as("read, not read, queues given up")
                .allSatisfy(count -> assertThat(count).isPositive());
    }

    private int round(RdmaSession rdma, Random random) {
        ManagementQueuePair pair = new ManagementQueuePair(rdma.client(), rdma.adapter(), rdma.events().id());
        List<DmaPiece> memory = pair.memory();
        for (int i = 0; i < SENDS; i++) {
            pair.send(PEER, PEER, new MacAddress(2), 0, new byte[Mad.BYTES]);
        }
        DmaPiece places = memory.get(2);
        for (long at = 0; at < places.bytes(); at += Integer.BYTES) {
            RawMemory.put32(places.pointer() + at, random.nextInt());
        }
        DmaPiece ring = memory.getFirst();
        int slots = (int) (ring.bytes() / CompletionEntry.SIZE);
        for (int slot = 0; slot < slots; slot++) {
            lie(random, ring.pointer() + (long) slot * CompletionEntry.SIZE);
        }
        for (int turn = 0; turn < slots && pair.failure() == null; turn++) {
            if (pair.poll(this::read, BUDGET) == 0) {
                break;
            }
        }
        if (pair.failure() != null) {
            failures++;
            assertThat(pair.failure()).endsWith(".");
            assertThat(pair.poll(this::read, BUDGET)).isZero();
        }
        rdma.client().callQuietly(List.of(pair.destroyRequest()));
        rdma.client().callQuietly(List.of(pair.queueFarewell()));
        pair.forget();
        rdma.client().memory().free(memory);
        return slots;
    }

    private void read(Gid from, Gid to, byte[] datagram) {
        assertThat(from).isNotNull();
        assertThat(to).isNotNull();
        if (datagram == null) {
            none++;
        } else {
            datagrams++;
            assertThat(datagram.length).isLessThanOrEqualTo(Mad.BYTES);
        }
    }

    /** Mostly what the pair could have been told, so that some of it is believed. */
    private static void lie(Random random, long entry) {
        for (int word = 0; word < 15; word++) {
            RawMemory.put32(entry + 4 * word, random.nextInt());
        }
        if (random.nextInt(4) != 0) {
            RawMemory.put32(entry + RdmaCompletion.LENGTH, random.nextInt(RdmaCompletion.DATAGRAM_HEADER + 2
                    * Mad.BYTES));
        }
        boolean odd = random.nextInt(400) == 0;
        RawMemory.putRelease32(entry + CompletionEntry.LAST, CompletionEntry.last(odd ? random.nextInt(1 << 24)
                : RECEIVES, random.nextInt(400) == 0, 1, 1));
    }
}
