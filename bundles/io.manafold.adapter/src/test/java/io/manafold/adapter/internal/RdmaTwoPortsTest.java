package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Gid;
import io.manafold.gdma.message.QueryVfCounters;
import io.manafold.gdma.message.RdmaCounter;
import io.manafold.linux.Linux;
import io.manafold.linux.Memfd;
import io.manafold.memory.DmaPiece;
import io.manafold.testkit.RcAddress;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import io.manafold.testkit.RdmaQueue;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A function whose two ports speak RDMA on two links, with one completion queue for both. */
@Timeout(120)
class RdmaTwoPortsTest {
    private static final int ROUNDS = 60;
    private static final int LENGTH = 3000;
    private static final long FILE = 0x9000_0000L;
    private static final int FILE_BYTES = 1 << 20;

    @Test
    void aPortWhoseAddressTheAdapterLacksConnectsNothing() {
        try (RdmaEnd two = new RdmaEnd(new Bench("two", "ports", 2, "rdma", "all"), Gid.ofIpv4(0x0a00_0001));
                RdmaEnd third = new RdmaEnd("third", 3); RcPair pair = two.pair(RcSettings.of(1024));
                RcPair theirs = third.pair(RcSettings.of(1024))) {
            RcAddress here = new RcAddress(pair.number(), 5, two.gid, two.ethernet.vports().get(1).mac());
            assertThatThrownBy(() -> pair.connect(here, theirs.address(third.gid, 9))).isInstanceOf(Refusal.class);
            assertThat(two.bench.adapter.rejections()).anySatisfy(note -> assertThat(note.right())
                    .contains("configure-rdma-mac"));
        }
    }

    /** The entries of a queue pair are written by the agent of another link, which finds no memory there. */
    @Test
    void aQueueOfAnotherLinkThatVanishesEndsTheQueuePair() throws IOException {
        try (TestSwitch first = new TestSwitch("two/1"); TestSwitch second = new TestSwitch("two/2", "third/1");
                RdmaEnd two = new RdmaEnd(new Bench("two", "ports", 2, "rdma", "all"), Gid.ofIpv4(0x0a00_0001));
                RdmaEnd third = new RdmaEnd("third", 3); Memfd file = Memfd.create("short", FILE_BYTES)) {
            two.bench.plug(first.link(), "two/1");
            two.bench.plug(second.link(), "two/2");
            third.bench.plug(second.link(), "third/1");
            MacAddress other = two.ethernet.vports().get(1).mac();
            two.rdma.add(other);
            long mapped = Linux.map(file.descriptor().number(), 0, FILE_BYTES, true);
            two.bench.function.dma().map(FILE, FILE_BYTES, file.descriptor().number(), 0, true);
            two.rdma.ringsFrom(bytes -> new DmaPiece(mapped, FILE, FILE_BYTES));
            RdmaQueue shared = two.rdma.createQueue(RdmaEnd.ENTRIES);
            two.rdma.ringsFrom(null);
            // the first queue pair names the writer, and this one stays with the first port
            RcPair home = new RcPair(two.rdma, two.domain, shared, shared, RcSettings.of(1024));
            RcPair moved = new RcPair(two.rdma, two.domain, shared, shared, RcSettings.of(1024));
            RcPair whole = two.pair(RcSettings.of(1024));
            RcPair theirs = third.pair(RcSettings.of(1024));
            RcPair others = third.pair(RcSettings.of(1024));
            join(two, other, moved, third, theirs);
            join(two, other, whole, third, others);
            file.truncate(0);
            moved.write(RdmaEnd.VIRTUAL, two.key(), LENGTH, RdmaEnd.VIRTUAL, third.key());
            moved.ring();
            Set<Integer> fatal = new HashSet<>();
            assertThat(RdmaEnd.until(() -> {
                two.rdma.events().poll((type, data) -> {
                    if (type == EventEntry.QUEUE_PAIR_FATAL) {
                        fatal.add(EventEntry.queuePair(data));
                    }
                }, RdmaEnd.ENTRIES);
                return !fatal.isEmpty();
            })).as("the driver is told").isTrue();
            assertThat(fatal).containsExactly(moved.number());
            assertThat(two.bench.adapter.rdma().status().queuePairs()).filteredOn(one -> one.number()
                    == moved.number()).singleElement().satisfies(one -> assertThat(one.state()).isEqualTo("ERR"));
            byte[] data = two.fill(0, LENGTH, 1);
            whole.write(RdmaEnd.VIRTUAL, two.key(), LENGTH, RdmaEnd.VIRTUAL, third.key());
            whole.ring();
            assertThat(RdmaEnd.until(() -> whole.outstanding() == 0, whole)).isTrue();
            assertThat(third.bytes(0, LENGTH)).isEqualTo(data);
            file.truncate(FILE_BYTES);
            moved.close();
            home.close();
            shared.close();
            two.bench.function.dma().unmap(FILE, FILE_BYTES).toCompletableFuture().join();
        }
    }

    /** What the queue pair has handed over to the other port is waited for, but not on the agent that does it. */
    @Test
    void aQueuePairMovesBackToThePortThatWritesItsQueueWithoutHoldingUpTheLink() {
        try (TestSwitch net = new TestSwitch("two/1", "two/2", "third/1");
                RdmaEnd two = new RdmaEnd(new Bench("two", "ports", 2, "rdma", "all"), Gid.ofIpv4(0x0a00_0001));
                RdmaEnd third = new RdmaEnd("third", 3)) {
            two.bench.plug(net.link(), "two/1", "two/2");
            third.bench.plug(net.link(), "third/1");
            MacAddress other = two.ethernet.vports().get(1).mac();
            two.rdma.add(other);
            try (RcPair home = two.pair(RcSettings.of(1024)); RcPair moved = two.pair(RcSettings.of(1024));
                    RcPair theirs = third.pair(RcSettings.of(1024))) {
                byte[] data = two.fill(0, LENGTH, 1);
                long slowest = 0;
                for (MacAddress mac : List.of(other, two.rdma.mac(), other, two.rdma.mac())) {
                    long before = System.nanoTime();
                    join(two, mac, moved, third, theirs);
                    slowest = Math.max(slowest, System.nanoTime() - before);
                    third.fill(0, LENGTH, 2);
                    moved.write(RdmaEnd.VIRTUAL, two.key(), LENGTH, RdmaEnd.VIRTUAL, third.key());
                    moved.ring();
                    assertThat(RdmaEnd.until(() -> moved.outstanding() == 0, moved)).isTrue();
                    assertThat(third.bytes(0, LENGTH)).isEqualTo(data);
                    assertThat(status(two, moved)).isEqualTo(two.bench.function.hardware().ports().stream()
                            .filter(port -> port.mac().equals(mac)).findFirst().orElseThrow().name());
                    moved.reset();
                    theirs.reset();
                }
                // an agent that waits for itself gives up after five
                assertThat(slowest).isLessThan(TimeUnit.SECONDS.toNanos(3));
                assertThat(home.sendErrors() + moved.sendErrors()).isZero();
            }
            // nothing of the moves is counted twice
            two.completions.close();
        }
    }

    private static String status(RdmaEnd end, RcPair pair) {
        return end.bench.adapter.rdma().status().queuePairs().stream().filter(one -> one.number() == pair.number())
                .findFirst().orElseThrow().port();
    }

    static void join(RdmaEnd end, MacAddress mac, RcPair pair, RdmaEnd peer, RcPair its) {
        RcAddress here = new RcAddress(pair.number(), 5, end.gid, mac);
        RcAddress there = its.address(peer.gid, 9);
        pair.connect(here, there);
        its.connect(there, here);
    }

    @Test
    void eachQueuePairIsOfThePortThatItsPathNamesAndAllShareAQueue() {
        try (TestSwitch first = new TestSwitch("two/1", "right/1"); TestSwitch second = new TestSwitch("two/2",
                "third/1");
                RdmaEnd two = new RdmaEnd(new Bench("two", "ports", 2, "rdma", "all"), Gid.ofIpv4(0x0a00_0001));
                RdmaEnd right = new RdmaEnd("right", 2); RdmaEnd third = new RdmaEnd("third", 3)) {
            two.bench.plug(first.link(), "two/1");
            two.bench.plug(second.link(), "two/2");
            right.bench.plug(first.link(), "right/1");
            third.bench.plug(second.link(), "third/1");
            MacAddress other = two.ethernet.vports().get(1).mac();
            two.rdma.add(other);
            RcPair one = two.pair(RcSettings.of(1024));
            RcPair moved = two.pair(RcSettings.of(1024));
            RcPair its = right.pair(RcSettings.of(1024));
            RcPair theirs = third.pair(RcSettings.of(1024));
            RdmaEnd.connect(two, one, right, its);
            RcAddress here = new RcAddress(moved.number(), 5, two.gid, other);
            RcAddress there = theirs.address(third.gid, 9);
            moved.initialize();
            // what was rung for before the port was named is there
            moved.receive(RdmaEnd.VIRTUAL + (1 << 20), two.key(), LENGTH);
            moved.ringReceives();
            moved.listen(here, there);
            moved.start(5);
            theirs.connect(there, here);
            for (int round = 0; round < ROUNDS; round++) {
                byte[] data = right.fill(0, LENGTH, round);
                byte[] more = third.fill(0, LENGTH, -round);
                byte[] own = two.fill(0, LENGTH, 7L * round);
                one.receive(RdmaEnd.VIRTUAL + (2 << 20), two.key(), LENGTH);
                one.ringReceives();
                its.send(RdmaEnd.VIRTUAL, right.key(), LENGTH);
                its.ring();
                theirs.send(RdmaEnd.VIRTUAL, third.key(), LENGTH);
                theirs.ring();
                one.write(RdmaEnd.VIRTUAL, two.key(), LENGTH, RdmaEnd.VIRTUAL + 8192, right.key());
                one.ring();
                moved.write(RdmaEnd.VIRTUAL, two.key(), LENGTH, RdmaEnd.VIRTUAL + 8192, third.key());
                moved.ring();
                int wanted = round + 1;
                assertThat(RdmaEnd.until(() -> {
                    two.poll(one, moved);
                    its.poll();
                    theirs.poll();
                    return one.received() == wanted && moved.received() == wanted
                            && one.outstanding() + moved.outstanding() + its.outstanding() + theirs.outstanding() == 0;
                })).as("round %d", round).isTrue();
                assertThat(two.bytes(2 << 20, LENGTH)).isEqualTo(data);
                assertThat(two.bytes(1 << 20, LENGTH)).isEqualTo(more);
                assertThat(right.bytes(8192, LENGTH)).isEqualTo(own);
                assertThat(third.bytes(8192, LENGTH)).isEqualTo(own);
                moved.receive(RdmaEnd.VIRTUAL + (1 << 20), two.key(), LENGTH);
                moved.ringReceives();
            }
            assertThat(one.misplaced() + moved.misplaced() + one.sendErrors() + moved.sendErrors()).isZero();
            for (RdmaEnd end : new RdmaEnd[] {two, right, third}) {
                assertThat(end.rdma.call(new QueryVfCounters(end.rdma.adapter())).value(RdmaCounter.REQUESTER_TIMEOUT))
                        .isZero();
            }
            moved.close();
            one.close();
            two.completions.close();
        }
    }
}
