package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Gid;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.WorkStatus;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.ManagementPair;
import io.manafold.testkit.RdmaQueue;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Management datagrams, by which the kernels of two guests agree on connections. */
@Timeout(120)
class RdmaManagementTest {
    private static final int MAD = 256;
    private static final int BUFFER = 40 + MAD;
    private static final int RECEIVES = 1 << 20;
    private static final Gid IPV6_LEFT = new Gid(0xfe80_0000_0000_0000L, 0x20d_3aff_fe00_0001L);
    private static final Gid IPV6_RIGHT = new Gid(0xfe80_0000_0000_0000L, 0x20d_3aff_fe00_0002L);

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);
    private ManagementPair one;
    private ManagementPair other;

    @BeforeEach
    void connect() {
        RdmaEnd.plug(net, left, right);
        left.rdma.add(IPV6_LEFT);
        right.rdma.add(IPV6_RIGHT);
        one = new ManagementPair(left.rdma, left.domain, left.completions);
        other = new ManagementPair(right.rdma, right.domain, right.completions);
        for (int i = 0; i < 256; i++) {
            other.receive(RdmaEnd.VIRTUAL + RECEIVES + i * 512, right.key(), BUFFER);
        }
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    private void send(Gid from, Gid to, int vector, int payload) {
        one.send(left.block.pointer() + vector, RdmaEnd.VIRTUAL + vector, left.key(), from, to, right.rdma.mac(),
                RdmaEnd.VIRTUAL + payload, MAD);
    }

    private boolean arrives(int count) {
        return RdmaEnd.until(() -> {
            left.completions.poll(one, 64);
            right.completions.poll(other, 64);
            return one.sent() >= count && other.received() >= count;
        });
    }

    @Test
    void itsNumberIsOne() {
        assertThat(one.made().receiveQueue()).isEqualTo(1);
        assertThat(one.made().sendQueue()).isNotEqualTo(1);
    }

    @Test
    void beforeADatagramLiesWhereItCameFrom() {
        byte[] mad = left.fill(4096, MAD, 1);
        send(left.gid, right.gid, 0, 4096);
        assertThat(arrives(1)).isTrue();
        byte[] came = right.bytes(RECEIVES, BUFFER);
        assertThat(other.length()).isEqualTo(BUFFER);
        assertThat(other.peer()).isEqualTo(1);
        assertThat(Arrays.copyOfRange(came, 40, BUFFER)).isEqualTo(mad);
        assertThat(Arrays.copyOf(came, 20)).containsOnly(0);
        assertThat(came[20]).isEqualTo((byte) 0x45);
        assertThat(Arrays.copyOfRange(came, 32, 40)).containsExactly(10, 0, 0, 1, 10, 0, 0, 2);
        int sum = 0;
        for (int at = 20; at < 40; at += 2) {
            sum += (came[at] & 0xff) << 8 | came[at + 1] & 0xff;
        }
        assertThat((sum & 0xffff) + (sum >>> 16)).as("the sum over a right header").isEqualTo(0xffff);

        send(IPV6_LEFT, IPV6_RIGHT, 0, 4096);
        assertThat(arrives(2)).isTrue();
        came = right.bytes(RECEIVES + 512, BUFFER);
        assertThat(came[0] & 0xf0).isEqualTo(0x60);
        assertThat(Gid.of(Arrays.copyOfRange(came, 8, 24))).isEqualTo(IPV6_LEFT);
        assertThat(Gid.of(Arrays.copyOfRange(came, 24, 40))).isEqualTo(IPV6_RIGHT);
        assertThat(Arrays.copyOfRange(came, 40, BUFFER)).isEqualTo(mad);
        assertThat(one.sendStatus()).isZero();
    }

    @Test
    void whatWasRungForMayBeOverwritten() {
        int sends = 200;
        byte[][] mads = new byte[sends][];
        for (int i = 0; i < sends; i++) {
            mads[i] = left.fill(4096, MAD, i);
            send(left.gid, right.gid, 0, 4096);
            // its driver has the address and the payload back, and the ring is too short for so many
            RawMemory.clear(left.block.pointer(), 8192);
        }
        assertThat(arrives(sends)).isTrue();
        for (int i = 0; i < sends; i++) {
            assertThat(Arrays.copyOfRange(right.bytes(RECEIVES + i * 512, BUFFER), 40, BUFFER)).as("datagram %d", i)
                    .isEqualTo(mads[i]);
        }
    }

    @Test
    void noReceiveIsSilence() {
        long before = right.packets();
        byte[] mad = left.fill(4096, MAD, 1);
        int start = one.sendRing().produced();
        send(left.gid, right.gid, 0, 4096);
        assertThat(arrives(1)).isTrue();
        for (int i = 0; i < 300; i++) {
            send(left.gid, right.gid, 0, 4096);
            assertThat(RdmaEnd.until(() -> {
                left.completions.poll(one, 64);
                return one.sent() == one.sendRing().produced() / 64;
            })).isTrue();
        }
        left.pause();
        while (right.completions.poll(other, 64) > 0) {
            // all that came
        }
        assertThat(start).isZero();
        assertThat(other.received()).isEqualTo(256);
        assertThat(Arrays.copyOfRange(right.bytes(RECEIVES + 255 * 512, BUFFER), 40, BUFFER)).isEqualTo(mad);
        assertThat(right.packets() - before).isEqualTo(301);
    }

    @Test
    void aQueueThatHasSomethingAnswersWhenItIsArmed() throws InterruptedException {
        RdmaQueue queue = right.completions;
        int[] events = new int[1];
        queue.arm();
        send(left.gid, right.gid, 0, 4096);
        assertThat(events(events, 1)).isEqualTo(1);
        right.completions.poll(other, 64);
        send(left.gid, right.gid, 0, 4096);
        assertThat(arrivesUnread()).isTrue();
        TimeUnit.MILLISECONDS.sleep(20);
        assertThat(events(events, 1)).as("none without being armed").isEqualTo(1);
        queue.arm();
        assertThat(events(events, 2)).as("at once, since there is one").isEqualTo(2);
        right.completions.poll(other, 64);
        queue.arm();
        queue.arm();
        send(left.gid, right.gid, 0, 4096);
        send(left.gid, right.gid, 0, 4096);
        assertThat(events(events, 3)).isEqualTo(3);
        TimeUnit.MILLISECONDS.sleep(20);
        assertThat(events(events, 3)).as("armed twice and answered once").isEqualTo(3);
    }

    private boolean arrivesUnread() {
        int before = one.sent();
        return RdmaEnd.until(() -> {
            left.completions.poll(one, 64);
            return one.sent() > before || one.sent() >= 2;
        });
    }

    private int events(int[] count, int wanted) {
        RdmaEnd.until(() -> {
            right.rdma.events().poll((type, data) -> {
                if (type == EventEntry.COMPLETION && EventEntry.completionQueue(data) == right.completions.id()) {
                    count[0]++;
                }
            }, 64);
            return count[0] >= wanted;
        });
        return count[0];
    }

    @Test
    void datagramsThatAreNoneCostATurnAndNoMore() {
        for (int i = 0; i < 128; i++) {
            long at = one.sendRing().memory().pointer() + i * 64L;
            RawMemory.put64(at, 0x0000_0601L << 32);
            RawMemory.put64(at + 8, 31);
        }
        for (int round = 1; round <= 50; round++) {
            left.rdma.page().ring(Doorbell.SEND,
                    Doorbell.work(one.made().sendQueue(), round * 2048));
            int wanted = round * 32;
            RdmaEnd.until(() -> {
                left.completions.poll(one, 256);
                return one.sent() >= wanted;
            });
        }
        assertThat(one.sendStatus()).isEqualTo(WorkStatus.LOCAL_OPERATION.number());
        assertThat(other.received()).isZero();
        isExplained("a datagram's request is a plain send");
    }

    /** An administrator sees why a datagram does not leave. */
    private void isExplained(String rule) {
        assertThat(RdmaEnd.until(() -> left.bench.rejections.all().stream().anyMatch(note -> note.rule()
                .startsWith(rule)))).as("%s", left.bench.rejections.all()).isTrue();
    }

    private void fails(WorkStatus status, String rule) {
        int before = one.sent();
        assertThat(RdmaEnd.until(() -> {
            left.completions.poll(one, 64);
            return one.sent() == before + 1;
        })).isTrue();
        assertThat(one.sendStatus()).isEqualTo(status.number());
        isExplained(rule);
        assertThat(other.received()).isZero();
    }

    @Test
    void whyADatagramFailsIsExplained() {
        one.send(left.block.pointer(), RdmaEnd.VIRTUAL, left.key(), left.gid, right.gid, right.rdma.mac(),
                RdmaEnd.VIRTUAL + 4096, 1025);
        fails(WorkStatus.LOCAL_LENGTH, "a datagram has at most 1024 bytes");
        one.send(left.block.pointer(), RdmaEnd.VIRTUAL, left.key() ^ 1, left.gid, right.gid, right.rdma.mac(),
                RdmaEnd.VIRTUAL + 4096, MAD);
        fails(WorkStatus.LOCAL_PROTECTION, "the pieces of a datagram lie in memory");
        send(Gid.ofIpv4(0x0a00_0063), right.gid, 0, 4096);
        fails(WorkStatus.LOCAL_OPERATION, "datagrams come from an address");
    }

    @Test
    void aDoorbellBehindTheRingIsExplainedOnceAndARightOneGoesOn() {
        for (int i = 0; i < 10; i++) {
            left.rdma.page().ring(Doorbell.SEND, Doorbell.work(one.made().sendQueue(), 0x7fff_ffe0));
        }
        isExplained("the doorbell stays within the ring");
        assertThat(left.bench.rejections.all()).singleElement().satisfies(note -> assertThat(note.times())
                .isEqualTo(1));
        send(left.gid, right.gid, 0, 4096);
        assertThat(arrives(1)).isTrue();
    }

    @Test
    void aRequestBehindItsDoorbellIsExplained() {
        RawMemory.put64(one.sendRing().memory().pointer(), (long) RdmaRequest.word1(RdmaRequest.DATAGRAM, 28, 1024)
                << 32);
        left.rdma.page().ring(Doorbell.SEND, Doorbell.work(one.made().sendQueue(), 64));
        isExplained("a datagram's request is as long as its head says");
    }
}
