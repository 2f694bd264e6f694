package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.testkit.Namespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The kernel behind one device, our own protocols behind another. */
@Timeout(180)
class TapEndTest {
    private static final IpAddress KERNEL = IpAddress.parse("10.77.8.1");

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    @Test
    void theKernelAnswersAndAsks() throws Exception {
        FakeDevice.Wire wire = new FakeDevice.Wire();
        FakeDevice a = new FakeDevice("mana0", 0x000d3a000001L, wire);
        FakeDevice b = new FakeDevice("mana1", 0x000d3a000002L, wire);
        Node own = new Node("mana0", System::nanoTime, () -> { }, () -> { });
        Node kernel = new Node("mana1", System::nanoTime, () -> { }, () -> { });
        String tap = "mit" + ProcessHandle.current().pid() % 1_000_000;
        assumeTrue(Namespace.isAllowed(), "network namespaces need root");
        try (Namespace space = new Namespace("mi")) {
            kernel.setTap(tap);
            own.addAddress(IpPrefix.parse("10.77.8.2/24"));
            own.attach(a);
            kernel.attach(b);
            assertThat(kernel.mode()).isEqualTo(Host.Mode.TAP);
            assertThat(Namespace.run("ip", "link", "show", "dev", tap)).contains("00:0d:3a:00:00:02", "mtu 1500", "UP");
            space.take(tap, KERNEL + "/24");

            // what the kernel said by itself before the device was there
            long before = kernel.tap().orElseThrow().dropped();
            // patient enough for a machine that has other things to do
            Ping ping = own.ping(new PingPlan(KERNEL, null, 3, 10_000_000L, 60_000_000_000L, 1400, 64));
            while (!((EchoRun) ping).isOver()) {
                FakeDevice.settle(wire);
                Thread.onSpinWait();
            }
            for (int i = 1; i <= 3; i++) {
                assertThat(ping.next().kind()).isEqualTo(PingEvent.Kind.REPLY);
            }
            assertThat(kernel.tap()).hasValueSatisfying(status -> {
                assertThat(status.rxFrames()).isGreaterThanOrEqualTo(3);
                assertThat(status.txFrames()).isGreaterThanOrEqualTo(3);
                assertThat(status.dropped()).isEqualTo(before);
                assertThat(status.problem()).isEmpty();
            });
            assertThatThrownBy(() -> kernel.ping(PingPlan.to(KERNEL, 1)))
                    .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));

            if (Namespace.isThere("ping")) {
                CompletableFuture<String> answered = CompletableFuture.supplyAsync(() -> {
                    try {
                        return space.inside("ping", "-c", "3", "-i", "0.2", "-W", "25", "10.77.8.2");
                    } catch (Exception failed) {
                        throw new IllegalStateException(failed);
                    }
                });
                while (!answered.isDone()) {
                    FakeDevice.settle(wire);
                    TimeUnit.MICROSECONDS.sleep(100);
                }
                assertThat(answered.join()).contains(" 0% packet loss");
            }
            kernel.setTap(null);
            kernel.attach(b);
            assertThat(kernel.mode()).isEqualTo(Host.Mode.BUILT_IN);
        } finally {
            own.detach(a);
            kernel.detach(b);
            kernel.close();
        }
        FakeDevice.settle(wire);
        assertThat(a.outstanding()).isZero();
        assertThat(b.outstanding()).isZero();
    }

    @Test
    void whatTheKernelSendsWhileTheDeviceIsAwayIsDroppedAndCounted() throws Exception {
        assumeTrue(Namespace.isAllowed(), "network namespaces need root");
        FakeDevice.Wire wire = new FakeDevice.Wire();
        FakeDevice device = new FakeDevice("mana1", 0x000d3a000002L, wire);
        Node kernel = new Node("mana1", System::nanoTime, () -> { }, () -> { });
        String tap = "miu" + ProcessHandle.current().pid() % 1_000_000;
        try (Namespace space = new Namespace("mj")) {
            kernel.setTap(tap);
            kernel.attach(device);
            space.take(tap, KERNEL + "/24");
            kernel.detach(device);
            long before = dropped(kernel);
            for (int silent = 10; silent < 15; silent++) {
                space.inside("ip", "neigh", "add", "10.77.8." + silent, "lladdr", "00:0d:3a:00:00:99", "dev", tap);
                space.inside("sh", "-c", "ping -c 1 -W 1 10.77.8." + silent + " || true");
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (dropped(kernel) < before + 5 && System.nanoTime() < deadline) {
                Thread.sleep(1);
            }
            assertThat(dropped(kernel)).isGreaterThanOrEqualTo(before + 5);
            List<byte[]> seen = new ArrayList<>();
            device.seen = seen;
            kernel.attach(device);
            FakeDevice.settle(wire);
            assertThat(seen).noneMatch(frame -> BigEndian.get48(frame, 0) == 0x000d3a000099L);
        } finally {
            kernel.detach(device);
            kernel.close();
        }
    }

    private static long dropped(Node kernel) {
        return kernel.tap().orElseThrow().dropped();
    }

    @Test
    void withoutTheRightItSaysWhatToDo() {
        assumeTrue(!isRoot(), "root may do it");
        Node node = new Node("mana0", System::nanoTime, () -> { }, () -> { });
        assertThatThrownBy(() -> node.setTap("mitap0")).isInstanceOf(Refusal.class)
                .hasMessageContaining("ip tuntap add dev mitap0 mode tap user");
        node.labTap(Optional.of("mitap0"));
        assertThat(node.problem()).hasValueSatisfying(text -> assertThat(text).contains("ip tuntap add"));
    }
}
