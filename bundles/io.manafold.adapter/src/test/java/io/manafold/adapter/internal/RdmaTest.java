package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.message.CreateMr;
import io.manafold.testkit.PieceList;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RDMA from a driver's point of view: two adapters on a switch. */
@Timeout(300)
class RdmaTest {
    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);

    @BeforeEach
    void plug() {
        RdmaEnd.plug(net, left, right);
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    @Test
    void aMessageAWriteAndARead() {
        try (RcPair one = left.pair(RcSettings.of(1024)); RcPair other = right.pair(RcSettings.of(1024))) {
            RdmaEnd.connect(left, one, right, other);
            byte[] sent = left.fill(0, 5000, 1);
            other.receive(RdmaEnd.VIRTUAL, right.key(), 8192);
            other.ringReceives();
            one.send(RdmaEnd.VIRTUAL, left.key(), 5000);
            one.ring();
            assertThat(RdmaEnd.until(() -> one.outstanding() == 0 && other.received() == 1, one, other)).isTrue();
            assertThat(other.receivedType()).isEqualTo(RdmaCompletion.SEND);
            assertThat(other.receivedLength()).isEqualTo(5000);
            assertThat(right.bytes(0, 5000)).isEqualTo(sent);

            byte[] written = left.fill(0, 5000, 2);
            one.write(RdmaEnd.VIRTUAL, left.key(), 5000, RdmaEnd.VIRTUAL + 10_001, right.registered.remoteKey());
            one.ring();
            assertThat(RdmaEnd.until(() -> one.outstanding() == 0, one)).isTrue();
            assertThat(right.bytes(10_001, 5000)).isEqualTo(written);

            byte[] there = right.fill(20_003, 5000, 3);
            one.read(RdmaEnd.VIRTUAL + 30_005, left.key(), 5000, RdmaEnd.VIRTUAL + 20_003,
                    right.registered.remoteKey());
            one.ring();
            assertThat(RdmaEnd.until(() -> one.outstanding() == 0, one)).isTrue();
            assertThat(left.bytes(30_005, 5000)).isEqualTo(there);
            assertThat(one.sendErrors() + other.receiveErrors() + other.misplaced()).isZero();
        }
    }

    private static final int[] SIZES = {0, 1, 3, 255, 256, 257, 4095, 4096, 4097, 12_289, 65_536, 1 << 20};
    private static final int IMMEDIATE = 0xa1b2c3d4;

    @ParameterizedTest
    @ValueSource(ints = {256, 512, 1024, 2048, 4096})
    void everyOperationWithEverySize(int mtu) {
        try (RcPair one = left.pair(RcSettings.of(mtu)); RcPair other = right.pair(RcSettings.of(mtu))) {
            RdmaEnd.connect(left, one, right, other);
            int seed = 0;
            for (int size : SIZES) {
                for (int operation = RdmaRequest.SEND; operation <= RdmaRequest.READ; operation++) {
                    check(one, other, operation, size, seed++);
                }
            }
            assertThat(one.sendErrors() + one.receiveErrors() + other.sendErrors() + other.receiveErrors()).isZero();
            assertThat(other.misplaced()).isZero();
            assertThat(left.bench.rejections.all()).isEmpty();
            assertThat(right.bench.rejections.all()).isEmpty();
        }
    }

    /** From the left in two pieces at odd places to the right in two pieces; what lies around them does not change. */
    private void check(RcPair one, RcPair other, int operation, int size, int seed) {
        boolean read = operation == RdmaRequest.READ;
        boolean send = operation <= RdmaRequest.SEND_WITH_INVALIDATE;
        boolean takes = send || operation == RdmaRequest.WRITE_WITH_IMMEDIATE;
        RdmaEnd from = read ? right : left;
        RdmaEnd to = read ? left : right;
        int around = 64;
        byte[] data = from.fill(7, size, seed);
        byte[] expected = to.fill(3, size + 2 * around, ~seed);
        System.arraycopy(data, 0, expected, around, size);
        int half = size / 3;
        PieceList near = new PieceList().add(RdmaEnd.VIRTUAL + (read ? 3 + around : 7), left.key(), half)
                .add(RdmaEnd.VIRTUAL + (read ? 3 + around : 7) + half, left.key(), size - half);
        if (takes) {
            int offset = send ? 3 + around : 2 << 20;
            assertThat(other.receive(new PieceList().add(RdmaEnd.VIRTUAL + offset, right.key(), size / 2)
                    .add(RdmaEnd.VIRTUAL + offset + size / 2, right.key(), size - size / 2))).isTrue();
            other.ringReceives();
        }
        int before = other.received();
        int immediate = operation == RdmaRequest.SEND_WITH_INVALIDATE ? 0x1234_5678 : IMMEDIATE;
        assertThat(one.post(operation, RdmaRequest.SIGNALED, near, RdmaEnd.VIRTUAL + (read ? 7 : 3 + around),
                right.registered.remoteKey(), immediate)).isTrue();
        one.ring();
        assertThat(RdmaEnd.until(() -> one.outstanding() == 0 && (!takes || other.received() > before), one, other))
                .as("%s of %d bytes: error 0x%x", RdmaRequest.name(operation), size, one.sendError()).isTrue();
        assertThat(to.bytes(3, size + 2 * around)).as("%s of %d bytes", RdmaRequest.name(operation), size)
                .isEqualTo(expected);
        if (takes) {
            assertThat(other.receivedType()).isEqualTo(switch (operation) {
                case RdmaRequest.SEND -> RdmaCompletion.SEND;
                case RdmaRequest.SEND_WITH_IMMEDIATE -> RdmaCompletion.SEND_WITH_IMMEDIATE;
                case RdmaRequest.SEND_WITH_INVALIDATE -> RdmaCompletion.SEND_WITH_INVALIDATE;
                default -> RdmaCompletion.WRITE_WITH_IMMEDIATE;
            });
            assertThat(other.receivedLength()).isEqualTo(size);
            assertThat(other.receivedImmediate()).isEqualTo(operation == RdmaRequest.SEND ? 0 : immediate);
        } else {
            assertThat(other.received()).isEqualTo(before);
        }
    }

    @Test
    void manyRequestsOfAllKindsAtOnceStayInOrder() {
        RcSettings settings = RcSettings.of(1024).withRings(1 << 16, 1 << 16);
        try (RcPair one = left.pair(settings); RcPair other = right.pair(settings)) {
            RdmaEnd.connect(left, one, right, other);
            byte[] data = left.fill(0, 1 << 20, 99);
            PieceList piece = new PieceList();
            int posted = 0;
            for (int round = 0; round < 200; round++) {
                for (int i = 0; i < 24; i++, posted++) {
                    int size = posted * 37 % 3000;
                    int place = i * 4096;
                    boolean write = posted % 3 == 1;
                    if (!write) {
                        assertThat(other.receive(RdmaEnd.VIRTUAL + place, right.key(), 4096)).isTrue();
                    }
                    piece.clear().add(RdmaEnd.VIRTUAL + place + round, left.key(), size);
                    assertThat(one.post(write ? RdmaRequest.WRITE : posted % 3 == 0 ? RdmaRequest.SEND
                            : RdmaRequest.SEND_WITH_IMMEDIATE, i % 8 == 7 ? RdmaRequest.SIGNALED : 0, piece,
                            RdmaEnd.VIRTUAL + place, right.registered.remoteKey(), posted))
                            .isTrue();
                }
                other.ringReceives();
                one.ring();
                assertThat(RdmaEnd.until(() -> one.outstanding() == 0 && other.waiting() == 0, one, other)).isTrue();
                for (int i = 0; i < 24; i++) {
                    int size = (posted - 24 + i) * 37 % 3000;
                    assertThat(right.bytes(i * 4096, size)).isEqualTo(Arrays.copyOfRange(data, i * 4096 + round,
                            i * 4096 + round + size));
                }
            }
            assertThat(other.misplaced() + one.sendErrors() + other.receiveErrors()).isZero();
        }
    }

    @Test
    void queuePairsOfOnePortReachEachOther() {
        try (RcPair one = left.pair(RcSettings.of(1024)); RcPair other = left.pair(RcSettings.of(1024))) {
            RdmaEnd.connect(left, one, left, other);
            byte[] data = left.fill(0, 50_000, 5);
            other.receive(RdmaEnd.VIRTUAL + 100_000, left.key(), 50_000);
            other.ringReceives();
            one.send(RdmaEnd.VIRTUAL, left.key(), 50_000);
            one.read(RdmaEnd.VIRTUAL + 200_000, left.key(), 50_000, RdmaEnd.VIRTUAL, left.registered.remoteKey());
            one.ring();
            // both share one completion queue: what names the other's rings is the other's
            assertThat(RdmaEnd.until(() -> {
                left.poll(one, other);
                return one.outstanding() == 0 && other.received() == 1;
            })).isTrue();
            assertThat(left.bytes(100_000, 50_000)).isEqualTo(data);
            assertThat(left.bytes(200_000, 50_000)).isEqualTo(data);
        }
    }

    @Test
    void aZeroBasedRegionIsNamedFromZeroOn() {
        try (RcPair one = left.pair(RcSettings.of(4096)); RcPair other = right.pair(RcSettings.of(4096))) {
            RdmaEnd.connect(left, one, right, other);
            long region = right.ethernet.function().createRegion(right.block, 1 << 20);
            CreateMr.Result zero = right.rdma.call(new CreateMr(right.domain.handle(), CreateMr.ZERO_BASED, region, 0,
                    RdmaEnd.ALL, 0));
            byte[] data = left.fill(0, 9000, 6);
            one.write(RdmaEnd.VIRTUAL, left.key(), 9000, 4321, zero.remoteKey());
            one.ring();
            assertThat(RdmaEnd.until(() -> one.outstanding() == 0, one)).isTrue();
            assertThat(right.bytes(4321, 9000)).isEqualTo(data);
        }
    }
}
