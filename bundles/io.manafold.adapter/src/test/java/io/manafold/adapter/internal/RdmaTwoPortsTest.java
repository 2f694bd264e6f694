package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Gid;
import io.manafold.gdma.message.QueryVfCounters;
import io.manafold.gdma.message.RdmaCounter;
import io.manafold.testkit.RcAddress;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A function whose two ports speak RDMA on two links, with one completion queue for both. */
@Timeout(120)
class RdmaTwoPortsTest {
    private static final int ROUNDS = 60;
    private static final int LENGTH = 3000;

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
