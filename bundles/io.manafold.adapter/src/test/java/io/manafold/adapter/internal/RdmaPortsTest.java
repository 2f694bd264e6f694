package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.message.QueryRdmaCapabilities;
import io.manafold.testkit.RcAddress;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An adapter whose two ports, on two links and so on two agents, both speak RDMA; its queue pairs share a completion queue. */
@Timeout(300)
class RdmaPortsTest {
    private static final int ROUNDS = 200;
    private static final int LENGTH = 3000;

    private final TestSwitch first = new TestSwitch("both/1", "near/1");
    private final TestSwitch second = new TestSwitch("both/2", "far/1");
    private final RdmaEnd both = new RdmaEnd("both", 1, "ports", 2, "rdma", "all");
    private final RdmaEnd near = new RdmaEnd("near", 2);
    private final RdmaEnd far = new RdmaEnd("far", 3);
    private final MacAddress other = both.ethernet.vports().get(1).mac();

    @BeforeEach
    void plug() {
        both.bench.plug(first.link(), "both/1");
        both.bench.plug(second.link(), "both/2");
        RdmaEnd.plug(first, near);
        RdmaEnd.plug(second, far);
    }

    @AfterEach
    void close() {
        both.close();
        near.close();
        far.close();
        first.close();
        second.close();
    }

    private void connect(RcPair here, MacAddress through, RdmaEnd end, RcPair there) {
        RcAddress own = new RcAddress(here.number(), 7, both.gid, through);
        RcAddress peer = there.address(end.gid, 9);
        here.connect(own, peer);
        there.connect(peer, own);
    }

    @Test
    void queuePairsOfTwoPortsShareACompletionQueue() {
        both.rdma.add(other);
        assertThat(both.rdma.capabilities().features() & QueryRdmaCapabilities.PORTS).isNotZero();
        try (RcPair one = both.pair(RcSettings.of(1024)); RcPair two = both.pair(RcSettings.of(1024));
                RcPair nearer = near.pair(RcSettings.of(1024)); RcPair farther = far.pair(RcSettings.of(1024))) {
            connect(one, both.rdma.mac(), near, nearer);
            connect(two, other, far, farther);
            for (int round = 0; round < ROUNDS; round++) {
                byte[] sent = both.fill(0, LENGTH, round);
                assertThat(one.write(RdmaEnd.VIRTUAL, both.key(), LENGTH, RdmaEnd.VIRTUAL, near.registered.remoteKey())).isTrue();
                assertThat(two.write(RdmaEnd.VIRTUAL, both.key(), LENGTH, RdmaEnd.VIRTUAL, far.registered.remoteKey())).isTrue();
                one.ring();
                two.ring();
                assertThat(pollBoth(one, two)).isTrue();
                assertThat(near.bytes(0, LENGTH)).isEqualTo(sent);
                assertThat(far.bytes(0, LENGTH)).isEqualTo(sent);
            }
            assertThat(one.sendErrors() + two.sendErrors()).isZero();
        }
        assertThat(second.link().status().ports().stream().filter(port -> port.name().equals("both/2")).findFirst()
                .orElseThrow().txFrames()).isGreaterThan(ROUNDS);
    }

    /** Completions of either come out of the one queue, whoever asks. */
    private boolean pollBoth(RcPair one, RcPair two) {
        return RdmaEnd.until(() -> {
            both.completions.poll((entry, queue, send) -> ((queue & ~3) == one.number() ? one : two).completion(entry, queue, send),
                    RdmaEnd.ENTRIES);
            return one.outstanding() + two.outstanding() == 0;
        });
    }

    @Test
    void aPortWithoutItsAddressConnectsNothing() {
        try (RcPair one = both.pair(RcSettings.of(1024)); RcPair farther = far.pair(RcSettings.of(1024))) {
            assertThatThrownBy(() -> connect(one, other, far, farther)).isInstanceOf(Refusal.class);
            assertThat(both.bench.adapter.rejections()).anySatisfy(note -> assertThat(note.right()).contains("configure-rdma-mac"));
        }
    }
}
