package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.manafold.api.net.MacAddress;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Gid;
import io.manafold.gdma.RdmaRequest;
import io.manafold.testkit.PieceList;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In the steady state nothing is allocated, by no thread, whatever kind of request goes over. */
@Timeout(300)
class RdmaAllocationTest {
    private static final int BATCH = 16;
    private static final int WARM = 1500;
    private static final int COUNTED = 500;
    private static final int LENGTH = 5000;

    private RcPair one;
    private RcPair other;

    @ParameterizedTest
    @ValueSource(ints = {RdmaRequest.SEND, RdmaRequest.SEND_WITH_IMMEDIATE, RdmaRequest.WRITE,
            RdmaRequest.WRITE_WITH_IMMEDIATE,
        RdmaRequest.READ})
    void requests(int operation) {
        try (TestSwitch net = new TestSwitch("left/1", "right/1"); RdmaEnd left = new RdmaEnd("left", 1);
                RdmaEnd right = new RdmaEnd("right", 2)) {
            RdmaEnd.plug(net, left, right);
            one = left.pair(RcSettings.of(1024));
            other = right.pair(RcSettings.of(1024));
            RdmaEnd.connect(left, one, right, other);
            count(operation, left, right);
        }
    }

    /** The entries are written by the agent of another link. */
    @Test
    void requestsWhoseCompletionsAnotherLinkWrites() {
        try (TestSwitch first = new TestSwitch("two/1"); TestSwitch second = new TestSwitch("two/2", "third/1");
                RdmaEnd two = new RdmaEnd(new Bench("two", "ports", 2, "rdma", "all"), Gid.ofIpv4(0x0a00_0001));
                RdmaEnd third = new RdmaEnd("third", 3)) {
            two.bench.plug(first.link(), "two/1");
            two.bench.plug(second.link(), "two/2");
            third.bench.plug(second.link(), "third/1");
            MacAddress mac = two.ethernet.vports().get(1).mac();
            two.rdma.add(mac);
            // the first queue pair names the writer, and this one stays with the first port
            try (RcPair home = two.pair(RcSettings.of(1024))) {
                one = two.pair(RcSettings.of(1024));
                other = third.pair(RcSettings.of(1024));
                RdmaTwoPortsTest.join(two, mac, one, third, other);
                count(RdmaRequest.WRITE, two, third);
                one.close();
                assertThat(home.sendErrors()).isZero();
            }
        }
    }

    private void count(int operation, RdmaEnd left, RdmaEnd right) {
        PieceList piece = new PieceList().add(RdmaEnd.VIRTUAL, left.key(), LENGTH);
        rounds(WARM, operation, piece, right.key());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            long before = threads.getTotalThreadAllocatedBytes();
            rounds(COUNTED, operation, piece, right.key());
            least = Math.min(least, threads.getTotalThreadAllocatedBytes() - before);
        }
        // what other threads of the process do meanwhile is little, and a byte for each request would be seen
        assertThat(least).as("bytes for %d requests", COUNTED * BATCH).isLessThan(COUNTED * BATCH);
        assertThat(one.sendErrors() + other.receiveErrors()).isZero();
    }

    private void rounds(int rounds, int operation, PieceList piece, int key) {
        boolean takes = operation != RdmaRequest.WRITE && operation != RdmaRequest.READ;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; takes && i < BATCH; i++) {
                other.receive(RdmaEnd.VIRTUAL, key, LENGTH);
            }
            if (takes) {
                other.ringReceives();
            }
            for (int i = 0; i < BATCH; i++) {
                if (!one.post(operation, RdmaRequest.SIGNALED, piece, RdmaEnd.VIRTUAL, key, i)) {
                    throw new AssertionError("no room in round " + round);
                }
            }
            one.ring();
            long deadline = System.nanoTime() + 60_000_000_000L;
            while (one.outstanding() > 0 || other.waiting() > 0) {
                if (one.poll() + other.poll() == 0) {
                    LockSupport.parkNanos(RdmaEnd.SHORT);
                }
                if (System.nanoTime() - deadline > 0 || one.sendErrors() > 0) {
                    throw new AssertionError("round " + round + ", error " + one.sendError());
                }
            }
        }
    }
}
