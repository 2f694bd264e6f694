package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.Footprint;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.Drivers;
import io.manafold.itests.net.Taps;
import io.manafold.itests.net.TcpStream;
import io.manafold.itests.net.Wire;
import io.manafold.itests.verbs.Exchanges;
import io.manafold.testkit.Namespace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Verbs on ports beside ports that the kernel is behind, through taps. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class RawBesideTcpTest {
    private static final long PACKETS = Long.getLong("manafold.rdma.messages", 10_000);

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private Drivers drivers;
    private Taps taps;

    @BeforeEach
    void begin() throws Exception {
        assumeTrue(Taps.areAllowed(), "taps and network namespaces need root");
        drivers = new Drivers(platform, folder, "taps", 3);
        drivers.start("inet");
        taps = new Taps(platform, drivers);
        Wire.await("the devices are there", () -> drivers.count(RdmaDevice.class, null) == 4
                && drivers.count(NetDevice.class, null) == 4);
    }

    @AfterEach
    void end() throws Exception {
        if (drivers != null) {
            drivers.close();
        }
    }

    /**
     * Packets of verbs leave port 1 and are spread over four queues, and the connection of two other ports notices
     * nothing.
     */
    @Test
    void tcpOfOtherPortsIsKept() throws Exception {
        Footprint footprint = new Footprint(platform.context());
        try (Namespace second = new Namespace("mra"); Namespace third = new Namespace("mrb")) {
            taps.give(second, 2, "10.78.0.2/24");
            taps.give(third, 3, "10.78.0.3/24");
            drivers.network(Drivers.LEFT, 1).setUp(false);
            drivers.network(Drivers.RIGHT, 1).setUp(false);
            try (TcpStream stream = new TcpStream(folder, second, third, "10.78.0.2")) {
                stream.goesOn("at first", 10);
                try (Exchanges exchanges = Exchanges.ofPackets(platform, Drivers.LEFT, Drivers.RIGHT)) {
                    exchanges.arrive("at first", PACKETS);
                    stream.goesOn("while packets are exchanged", 10);
                    for (int i = 0; i < 4; i++) {
                        assertThat(exchanges.score().byQueue(i)).as("packets of queue %d", i).isPositive();
                    }
                    exchanges.replace(drivers.rdma(), "rdma", 1, footprint);
                    stream.goesOn("after a replacement of the RDMA driver", 10);
                    exchanges.replace(drivers.ethernet(), "ethernet", 1, footprint);
                    stream.goesOn("after a replacement of the Ethernet driver", 10);
                    assertThat(exchanges.score().wrong()).as("%s", exchanges.score()).isZero();
                }
                stream.goesOn("after all", 10);
            }
        }
        drivers.refusedNothing();
    }

    private static void assertBusy(ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOf(Refusal.class).hasMessageContaining("tap").satisfies(refused ->
                assertThat(((Refusal) refused).errno()).as(refused.getMessage()).isEqualTo(Errno.EBUSY));
    }

    /**
     * The kernel behind a port has its addresses, so that no connection of verbs is made there until it is taken away.
     */
    @Test
    void aDeviceBehindATapMakesNoConnections() throws Exception {
        Host host = taps.host(Drivers.LEFT, 1);
        host.addAddress(IpPrefix.parse("10.79.0.1/24"));
        InetSocketAddress own = new InetSocketAddress("10.79.0.1", 7471);
        InetSocketAddress other = new InetSocketAddress("10.79.0.2", 7471);
        RdmaConnections connections = platform.service(RdmaConnections.class);
        var reference = platform.context().getServiceReferences(RdmaDevice.class, "(&(name=mana_*)(address="
                + Drivers.LEFT + "))").iterator().next();
        RdmaDevice device = platform.context().getService(reference);
        Gid gid = Gid.of(own.getAddress());
        Wire.await("the address is the port's", () -> device.gids(1).contains(gid));
        assertThat(connections.deviceTo(other.getAddress())).isEqualTo(device.name());
        connections.listen(own, 1).close();
        try (var domain = device.allocateDomain(); var queue = device.createCompletionQueue(8);
                QueuePair pair = domain.createQueuePair(QueuePairPlan.reliable(queue, 4, 4)); Namespace space =
                        new Namespace("mrc")) {
            taps.give(space, 1, "10.79.0.1/24");
            assertBusy(() -> connections.connect(pair, other, ConnectionPlan.USUAL));
            assertThat(pair.state()).isEqualTo(QueuePairState.RESET);
            assertBusy(() -> connections.deviceTo(InetAddress.getByName("10.79.0.2")));
            assertBusy(() -> connections.listen(own, 1));
            host.setTap(null);
            Wire.await("the host is its own again", () -> host.mode() == Host.Mode.BUILT_IN);
            Wire.await("the address is the port's again", () -> device.gids(1).contains(gid));
            connections.listen(own, 1).close();
            assertThat(connections.deviceTo(other.getAddress())).isEqualTo(device.name());
        } finally {
            platform.context().ungetService(reference);
        }
    }
}
