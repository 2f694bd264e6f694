package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperCapability;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperMetric;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.api.shaper.ShaperStatus;
import io.manafold.api.shaper.ShaperWatcher;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.port.PortShapers;
import io.manafold.gdma.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits of a device: trees where driver and adapter have them, else what the Linux driver does. */
@Timeout(120)
class PortShapersTest {
    /** A multiple of 100 Mbit/s whose kilobits, in 32 bits, are those of 32,704 kbit/s. */
    private static final long WRAPPING = 4_295_000_000_000L;

    /** Frames both ways; what the left device sends is what is limited. */
    private record Traffic(Pulse left, Pulse right) implements AutoCloseable {
        Traffic(Bench bench) {
            this(new Pulse(bench.left(), bench.right()), new Pulse(bench.right(), bench.left()));
        }

        void flows(String after) {
            right.flows(after);
        }

        @Override
        public void close() {
            left.close();
            right.close();
        }
    }

    private static Shaper limit(ShaperHandle handle, ShaperHandle parent, long most, int weight) {
        return new Shaper(handle, parent, ShaperMetric.BPS, 0, most, 0, 0, weight);
    }

    private static Shaper netdev(long most) {
        return limit(ShaperHandle.NETDEV, null, most, 0);
    }

    private static void locked(EthernetDevice device, Runnable change) {
        device.shapers().lock().lock();
        try {
            change.run();
        } finally {
            device.shapers().lock().unlock();
        }
    }

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(errno));
    }

    private static List<ShaperHandle> there(EthernetDevice device) {
        return device.shapers().status().stream().map(ShaperStatus::handle).toList();
    }

    private static List<String> heard(EthernetDevice device) {
        List<String> heard = new CopyOnWriteArrayList<>();
        device.shapers().watch(new ShaperWatcher() {
            @Override
            public void queues(int count) {
                assertThat(device.life().lock().isHeldByCurrentThread()).isTrue();
                heard.add(device.shapers().queues() + " to " + count);
            }

            @Override
            public void forgotten() {
                assertThat(device.life().lock().isHeldByCurrentThread()).isTrue();
                heard.add("forgotten");
            }
        });
        return heard;
    }

    @Test
    void asLinuxHasIt() {
        try (Bench bench = Bench.parity(); Traffic traffic = new Traffic(bench)) {
            parity(bench, traffic);
        }
    }

    @Test
    void asLinuxHasItWhereTheAdapterHasNoTrees() {
        try (Bench bench = new Bench("shapers", "parity"); Traffic traffic = new Traffic(bench)) {
            parity(bench, traffic);
        }
    }

    private static void parity(Bench bench, Traffic traffic) {
        EthernetDevice device = bench.left();
        PortShapers shapers = device.shapers();
        Adapter adapter = bench.adapter.adapter();
        for (ShaperScope scope : ShaperScope.values()) {
            assertThat(shapers.capabilities(scope)).containsExactlyInAnyOrder(ShaperCapability.BW_MAX,
                    ShaperCapability.METRIC_BPS);
        }
        assertThat(shapers.groups()).isFalse();
        assertThat(shapers.status()).isEmpty();
        locked(device, () -> {
            refused(Errno.EOPNOTSUPP, () -> shapers.group(netdev(0), List.of()));
            refused(Errno.EINVAL, () -> shapers.set(limit(ShaperHandle.queue(0), ShaperHandle.NETDEV, 100_000_000, 0)));
            for (long rate : new long[] {0, 1, 99_999_999, 150_000_000, -100_000_000}) {
                refused(Errno.EINVAL, () -> shapers.set(netdev(rate)));
            }
            shapers.set(netdev(200_000_000));
            assertThat(adapter.ports().getFirst().clampBits()).isEqualTo(200_000_000);
            shapers.set(netdev(WRAPPING));
        });
        assertThat(adapter.ports().getFirst().clampBits()).as("what goes round 2^32 kbit/s").isEqualTo(32_000_000);
        traffic.flows("with a limit");
        locked(device, () -> {
            adapter.inject(new Fault("late", "set-bandwidth-clamp", Fault.Effect.STATUS, Status.UNSUPPORTED, 0, true));
            refused(Errno.EOPNOTSUPP, () -> shapers.set(netdev(300_000_000)));
            shapers.set(netdev(300_000_000));
            adapter.inject(new Fault("no", "set-bandwidth-clamp", Fault.Effect.STATUS, Status.DENIED, 0, true));
            refused(Errno.EPROTO, () -> shapers.set(netdev(400_000_000)));
            shapers.delete(ShaperHandle.NETDEV);
            assertThat(adapter.ports().getFirst().clampBits()).isZero();
            adapter.inject(new Fault("old", "query-link-config", Fault.Effect.STATUS, Status.UNSUPPORTED, 0, true));
            refused(Errno.EOPNOTSUPP, () -> shapers.set(netdev(300_000_000)));
            refused(Errno.EOPNOTSUPP, () -> shapers.set(netdev(300_000_000)));
        });
        List<String> heard = heard(device);
        adapter.requestReset(Adapter.ResetKind.RESET);
        Bench.await("the reset is over", () -> heard.contains("forgotten"));
        locked(device, () -> shapers.set(netdev(300_000_000)));
        assertThat(adapter.ports().getFirst().clampBits()).isEqualTo(300_000_000);
    }

    @Test
    void treesAreTheAdapters() {
        try (Bench bench = new Bench(); Traffic traffic = new Traffic(bench)) {
            EthernetDevice device = bench.left();
            PortShapers shapers = device.shapers();
            device.setChannels(4);
            assertThat(shapers.capabilities(ShaperScope.UNSPEC)).isEmpty();
            assertThat(shapers.capabilities(ShaperScope.NETDEV)).containsExactlyInAnyOrder(ShaperCapability.METRIC_BPS,
                    ShaperCapability.METRIC_PPS, ShaperCapability.BW_MAX, ShaperCapability.BURST);
            assertThat(shapers.capabilities(ShaperScope.QUEUE)).containsExactlyInAnyOrder(ShaperCapability.values());
            assertThat(shapers.capabilities(ShaperScope.NODE)).containsExactlyInAnyOrder(ShaperCapability.values());
            locked(device, () -> {
                shapers.set(netdev(10_000_000_000L));
                shapers.group(limit(ShaperHandle.node(3), ShaperHandle.NETDEV, 5_000_000_000L, 0),
                        List.of(limit(ShaperHandle.queue(0), ShaperHandle.node(3), 0, 2),
                                limit(ShaperHandle.queue(3), ShaperHandle.node(3), 0, 1)));
                refused(Errno.ENOENT, () -> shapers.set(limit(ShaperHandle.queue(1), ShaperHandle.node(4), 1, 0)));
                refused(Errno.EBUSY, () -> shapers.delete(ShaperHandle.node(3)));
                refused(Errno.ENOENT, () -> shapers.delete(ShaperHandle.queue(1)));
            });
            assertThat(there(device)).containsExactly(ShaperHandle.NETDEV, ShaperHandle.queue(0),
                    ShaperHandle.queue(3), ShaperHandle.node(3));
            traffic.flows("through a tree");
            ShaperStatus all = shapers.status().getFirst();
            assertThat(all.packets()).isPositive();
            assertThat(all.bytes()).isGreaterThanOrEqualTo(60 * all.packets());
            locked(device, () -> {
                shapers.delete(ShaperHandle.queue(0));
                shapers.delete(ShaperHandle.queue(3));
                shapers.delete(ShaperHandle.node(3));
                shapers.delete(ShaperHandle.NETDEV);
            });
            assertThat(there(device)).isEmpty();
            assertThat(bench.adapter.adapter().rejections()).hasSizeLessThanOrEqualTo(3);
        }
    }

    @Test
    void limitsOfQueuesHoldForTheOnesThatReplaceThem() {
        try (Bench bench = new Bench(); Traffic traffic = new Traffic(bench)) {
            EthernetDevice device = bench.left();
            device.setChannels(1);
            locked(device, () -> device.shapers().set(limit(ShaperHandle.queue(0), ShaperHandle.NETDEV,
                    2_000_000_000L, 0)));
            for (int mtu : new int[] {3000, 4000, 1500}) {
                long before = device.shapers().status().getFirst().packets();
                device.setMtu(mtu);
                traffic.flows("after a change to " + mtu);
                assertThat(device.shapers().status().getFirst().packets()).isGreaterThan(before);
            }
            device.setUp(false);
            device.setUp(true);
            long before = device.shapers().status().getFirst().packets();
            traffic.flows("after a pause");
            assertThat(device.shapers().status().getFirst().packets()).isGreaterThan(before);
        }
    }

    @Test
    void queuesThatGoTakeTheirLimitsAlong() {
        try (Bench bench = new Bench()) {
            EthernetDevice device = bench.left();
            device.setChannels(4);
            List<String> heard = heard(device);
            locked(device, () -> IntStream.range(0, 4).forEach(i -> device.shapers().set(
                    limit(ShaperHandle.queue(i), ShaperHandle.NETDEV, 1_000_000_000, 0))));
            device.setChannels(2);
            assertThat(there(device)).containsExactly(ShaperHandle.queue(0), ShaperHandle.queue(1));
            device.setChannels(3);
            assertThat(there(device)).hasSize(2);
            assertThat(heard).containsExactly("4 to 2", "2 to 3");
            bench.adapter.adapter().requestReset(Adapter.ResetKind.RECONFIGURE);
            Bench.await("the reset is over", () -> heard.contains("forgotten"));
            assertThat(there(device)).isEmpty();
        }
    }

    @Test
    void leavesBelowThePortMakeNoLimitOfThePort() {
        try (Bench bench = new Bench()) {
            EthernetDevice device = bench.left();
            PortShapers shapers = device.shapers();
            List<Shaper> leaves = List.of(limit(ShaperHandle.queue(0), ShaperHandle.NETDEV, 1_000_000_000, 1));
            locked(device, () -> {
                shapers.group(netdev(0), leaves);
                assertThat(there(device)).containsExactly(ShaperHandle.queue(0));
                shapers.delete(ShaperHandle.NETDEV);
                shapers.group(netdev(2_000_000_000), leaves);
                shapers.group(netdev(2_000_000_000), leaves);
                assertThat(there(device)).containsExactly(ShaperHandle.NETDEV, ShaperHandle.queue(0));
                shapers.delete(ShaperHandle.NETDEV);
                assertThat(there(device)).containsExactly(ShaperHandle.queue(0));
            });
            assertThat(bench.adapter.adapter().rejections()).isEmpty();
        }
    }

    @Test
    void aPortWithoutValuesIsNoLimitWhenItIsSetAgain() {
        try (Bench bench = new Bench()) {
            EthernetDevice device = bench.left();
            PortShapers shapers = device.shapers();
            locked(device, () -> {
                shapers.set(netdev(0));
                assertThat(there(device)).isEmpty();
                shapers.set(netdev(2_000_000_000));
                assertThat(there(device)).containsExactly(ShaperHandle.NETDEV);
                shapers.set(netdev(0));
                assertThat(there(device)).isEmpty();
                shapers.delete(ShaperHandle.NETDEV);
            });
            assertThat(bench.adapter.adapter().rejections()).isEmpty();
        }
    }

    @Test
    void groupsOfManyAreOneChange() {
        try (Bench bench = new Bench()) {
            EthernetDevice device = bench.left();
            List<Shaper> nodes = IntStream.range(1, 1001).mapToObj(i -> limit(ShaperHandle.node(i),
                    ShaperHandle.node(0), 1_000_000, 0)).toList();
            locked(device, () -> device.shapers().group(limit(ShaperHandle.node(0), ShaperHandle.NETDEV, 0, 0), nodes));
            assertThat(there(device)).hasSize(1001);
            List<Shaper> bad = new ArrayList<>(IntStream.range(2000, 2500).mapToObj(i -> limit(
                    ShaperHandle.node(i), ShaperHandle.node(0), 1_000_000, 0)).toList());
            bad.add(limit(ShaperHandle.queue(99), ShaperHandle.node(0), 1, 0));
            locked(device, () -> refused(Errno.ENOENT,
                    () -> device.shapers().group(limit(ShaperHandle.node(0), ShaperHandle.NETDEV, 0, 0), bad)));
            assertThat(there(device)).hasSize(1001);
        }
    }
}
