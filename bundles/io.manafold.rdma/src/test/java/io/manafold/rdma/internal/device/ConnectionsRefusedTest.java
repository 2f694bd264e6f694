package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.TwoHosts.LEFT;
import static io.manafold.rdma.internal.device.TwoHosts.MINUTE;
import static io.manafold.rdma.internal.device.TwoHosts.PORT;
import static io.manafold.rdma.internal.device.TwoHosts.RIGHT;
import static io.manafold.rdma.internal.device.TwoHosts.assertEvent;
import static io.manafold.rdma.internal.device.TwoHosts.assertSaid;
import static io.manafold.rdma.internal.device.TwoHosts.text;
import static io.manafold.rdma.internal.device.VerbsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Fault;
import io.manafold.api.rdma.ConnectionEvent;
import io.manafold.api.rdma.ConnectionEvent.Type;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.ConnectionState;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.api.refusal.Errno;
import io.manafold.gdma.Command;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections by addresses that are not made, and what is said about that. */
@Timeout(300)
class ConnectionsRefusedTest {
    private TwoHosts hosts;

    @BeforeEach
    void begin() throws InterruptedException {
        hosts = new TwoHosts();
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    @Test
    void addressesOfPortsAreThoseOfTheirHosts() throws Exception {
        assertThat(hosts.left.context.gids(1)).endsWith(LEFT);
        assertThat(hosts.left.usage("gids")).isEqualTo(2);
        hosts.lan.there.remove(LEFT);
        while (hosts.left.context.gids(1).size() > 1) {
            Thread.sleep(10);
        }
        assertThat(hosts.left.usage("gids")).isEqualTo(1);
        assertThat(hosts.left.connections.deviceTo(Sockets.of(RIGHT, 0).getAddress())).isEqualTo("mana_0");
        assertRefused(Errno.ENETUNREACH, () -> hosts.left.connections.deviceTo(InetAddress.getByName("fd77::1")));
        hosts.lan.taken.add(RIGHT);
        assertRefused(Errno.EBUSY, () -> hosts.right.connections.deviceTo(Sockets.of(LEFT, 0).getAddress()));
        assertRefused(Errno.EBUSY, () -> hosts.right.connections.listen(hosts.address(hosts.right, PORT), 1));
        assertRefused(Errno.EBUSY, () -> hosts.right.connections.connect(hosts.right.pair(),
                hosts.address(hosts.left, PORT), ConnectionPlan.USUAL));
        assertThat(hosts.right.usage("queue_pairs")).as("with that of management").isEqualTo(2);
    }

    @Test
    void whatABundleHasGivenBackAnswersNothing() throws Exception {
        RdmaListener listener = hosts.right.connections.listen(PORT);
        hosts.right.connections.close();
        assertRefused(Errno.EBADF, () -> listener.next(Duration.ZERO));
        assertRefused(Errno.EBADF, () -> hosts.right.connections.listen(PORT + 1));
        QueuePair pair = hosts.right.pair();
        assertRefused(Errno.EBADF, () -> hosts.right.connections.connect(pair, hosts.address(hosts.left, PORT),
                ConnectionPlan.USUAL));
        assertThat(hosts.right.book.listeners()).isEmpty();
    }

    @Test
    void whatCannotBeIsRefusedAtOnce() throws Exception {
        RdmaListener listener = hosts.right.connections.listen(hosts.address(hosts.right, PORT), 1);
        assertRefused(Errno.EADDRINUSE, () -> hosts.right.connections.listen(PORT));
        assertRefused(Errno.EADDRNOTAVAIL, () -> hosts.right.connections.listen(hosts.address(hosts.left, PORT), 1));
        assertRefused(Errno.EINVAL, () -> hosts.right.connections.listen(hosts.address(hosts.right, 1), 0));
        assertThat(hosts.right.connections.listen(0).local().getPort()).isPositive();
        listener.close();
        assertRefused(Errno.EBADF, () -> listener.next(Duration.ZERO));
        RdmaListener again = hosts.right.connections.listen(PORT);
        TwoHosts.Pair pair = hosts.connect(again);
        assertRefused(Errno.EINVAL, () -> hosts.left.connections.connect(pair.asking().pair(),
                hosts.address(hosts.right, PORT), ConnectionPlan.USUAL));
        QueuePair connecting = hosts.left.pair();
        hosts.left.connections.connect(connecting, hosts.address(hosts.right, PORT), ConnectionPlan.USUAL);
        assertRefused(Errno.EISCONN, () -> hosts.left.connections.connect(connecting, hosts.address(hosts.right, PORT),
                ConnectionPlan.USUAL));
        assertRefused(Errno.EINVAL, () -> hosts.left.connections.connect(hosts.left.pair(),
                hosts.address(hosts.right, PORT), ConnectionPlan.USUAL.withPrivateData(new byte[57])));
        ConnectionRequest request = again.next(MINUTE).orElseThrow();
        assertRefused(Errno.EINVAL, () -> request.accept(hosts.left.pair(), ConnectionPlan.USUAL));
        request.accept(hosts.right.pair(), ConnectionPlan.USUAL);
        assertRefused(Errno.EBADF, () -> request.reject(new byte[0]));
    }

    @Test
    void aPeerThatIsNotThereIsUnreachable() throws Exception {
        RdmaConnection lost = hosts.left.connections.connect(hosts.left.pair(),
                Sockets.of(Gid.ofIpv4(0x0a4d_0009), PORT), ConnectionPlan.USUAL);
        assertEvent(lost, Type.UNREACHABLE, Errno.EHOSTUNREACH);
        hosts.right.device.close();
        RdmaConnection silent = hosts.left.connections.connect(hosts.left.pair(), hosts.address(hosts.right, PORT),
                ConnectionPlan.USUAL);
        assertEvent(silent, Type.UNREACHABLE, Errno.ETIMEDOUT);
        assertThat(hosts.left.connections.list()).isEmpty();
        assertThat(hosts.left.device.management().connections()).isEmpty();
    }

    @Test
    void aFloodCostsTheListenerItsBacklogOnly() throws Exception {
        RdmaListener small = hosts.right.connections.listen(hosts.address(hosts.right, PORT), 4);
        RdmaListener other = hosts.right.connections.listen(PORT + 1);
        List<RdmaConnection> flood = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            flood.add(hosts.left.connections.connect(hosts.left.pair(), hosts.address(hosts.right, PORT),
                    ConnectionPlan.USUAL));
        }
        hosts.connect(other);
        // the four that wait are the first that came, which need not be the first that asked
        int rejected = 0;
        for (int i = 0; rejected < 36; i = (i + 1) % 40) {
            Optional<ConnectionEvent> event = flood.get(i).next(Duration.ofMillis(10));
            if (event.isPresent()) {
                assertThat(event.get().reason()).as(event.get().sentence()).isEqualTo(3);
                rejected++;
            }
        }
        assertThat(small.refused()).isEqualTo(36);
        small.close();
        for (RdmaConnection one : flood) {
            if (one.state() != ConnectionState.ENDED) {
                assertEvent(one, Type.REJECTED, Errno.ECONNREFUSED);
            }
        }
    }

    @Test
    void aRejectionSaysWhy() throws Exception {
        RdmaConnection early = hosts.left.connections.connect(hosts.left.pair(), hosts.address(hosts.right, PORT),
                ConnectionPlan.USUAL);
        ConnectionEvent none = early.next(MINUTE).orElseThrow();
        assertThat(none.type()).isEqualTo(Type.REJECTED);
        assertThat(none.reason()).isEqualTo(8);
        RdmaListener listener = hosts.right.connections.listen(PORT);
        RdmaConnection unwanted = hosts.left.connections.connect(hosts.left.pair(), hosts.address(hosts.right, PORT),
                ConnectionPlan.USUAL);
        ConnectionRequest request = listener.next(MINUTE).orElseThrow();
        request.reject(text("no, thanks"));
        assertRefused(Errno.EBADF, () -> request.accept(hosts.right.pair(), ConnectionPlan.USUAL));
        ConnectionEvent refused = unwanted.next(MINUTE).orElseThrow();
        assertThat(refused.type()).isEqualTo(Type.REJECTED);
        assertThat(refused.errno()).isEqualTo(Errno.ECONNREFUSED);
        assertThat(refused.reason()).isEqualTo(28);
        assertSaid(refused.privateData(), "no, thanks");
        assertThat(Arrays.asList(unwanted.pair().state(), early.pair().state())).containsOnly(QueuePairState.ERR);
    }

    @Test
    void aStepThatTheDeviceRefusesLeavesThePairFree() throws Exception {
        RdmaListener listener = hosts.right.connections.listen(PORT);
        refuseState(hosts.left);
        QueuePair own = hosts.left.pair();
        InetSocketAddress there = hosts.address(hosts.right, PORT);
        assertRefused(Errno.EPROTO, () -> hosts.left.connections.connect(own, there, ConnectionPlan.USUAL));
        assertThat(own.state()).isEqualTo(QueuePairState.RESET);
        assertThat(hosts.left.connections.list()).isEmpty();
        RdmaConnection asking = hosts.left.connections.connect(own, there, ConnectionPlan.USUAL);
        ConnectionRequest request = requestOf(listener, asking);
        refuseState(hosts.right);
        QueuePair other = hosts.right.pair();
        // the next steps follow from the refused one: the device refuses them by itself
        assertRefused(Errno.EPROTO, () -> request.accept(other, ConnectionPlan.USUAL));
        assertThat(other.state()).isEqualTo(QueuePairState.RESET);
        RdmaConnection asked = request.accept(other, ConnectionPlan.USUAL);
        asking.established(MINUTE);
        asked.established(MINUTE);
        hosts.exchange(own, other);
    }

    private static void refuseState(Node node) {
        node.adapter.add(new Fault("state", Command.SET_QP_STATE.label(), Fault.Effect.STATUS, 1, 0, true));
    }

    /** Requests that were under way when their end gave up may come first. */
    private static ConnectionRequest requestOf(RdmaListener listener, RdmaConnection asking)
            throws InterruptedException {
        ConnectionRequest request = listener.next(MINUTE).orElseThrow();
        while (!request.remote().equals(asking.local())) {
            request = listener.next(MINUTE).orElseThrow();
        }
        return request;
    }
}
