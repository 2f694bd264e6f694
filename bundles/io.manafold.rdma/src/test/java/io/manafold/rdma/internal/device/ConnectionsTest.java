package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.TwoHosts.MINUTE;
import static io.manafold.rdma.internal.device.TwoHosts.PORT;
import static io.manafold.rdma.internal.device.TwoHosts.assertEvent;
import static io.manafold.rdma.internal.device.VerbsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.ConnectionEvent;
import io.manafold.api.rdma.ConnectionEvent.Type;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections between two devices on a switch, by addresses: how they are made and how they end. */
@Timeout(300)
class ConnectionsTest {
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
    void twoEndsConnectExchangeAndDisconnect() throws Exception {
        RdmaListener listener = hosts.right.connections.listen(PORT);
        TwoHosts.Pair pair = hosts.connect(listener);
        hosts.exchange(pair.asking().pair(), pair.asked().pair());
        assertThat(hosts.left.connections.list()).singleElement().satisfies(status -> {
            assertThat(status.remote()).isEqualTo(hosts.address(hosts.right, PORT));
            assertThat(status.queuePair()).isEqualTo(pair.asking().pair().number());
        });
        pair.asked().pair().post(new ReceiveList(1).receive(9).piece(hosts.right.region.address(),
                hosts.right.region.localKey(), 100));
        pair.asking().disconnect();
        assertEvent(pair.asking(), Type.DISCONNECTED, null);
        assertEvent(pair.asked(), Type.DISCONNECTED, null);
        assertThat(hosts.right.poll()).isEqualTo(1);
        assertThat(hosts.right.completions.status(0)).isEqualTo(CompletionStatus.FLUSHED);
        assertThat(pair.asking().pair().state()).isEqualTo(QueuePairState.ERR);
        assertThat(hosts.left.connections.list()).isEmpty();
        listener.close();
        hosts.left.end();
        hosts.right.end();
    }

    @Test
    void aDeviceConnectsToItself() throws Exception {
        Node left = hosts.left;
        InetSocketAddress own = hosts.address(left, PORT);
        try (RdmaListener listener = left.connections.listen(PORT)) {
            RdmaConnection asking = left.connections.connect(left.pair(), own, ConnectionPlan.USUAL);
            RdmaConnection asked = listener.next(MINUTE).orElseThrow().accept(left.pair(), ConnectionPlan.USUAL);
            assertThat(asking.established(MINUTE).type()).isEqualTo(Type.ESTABLISHED);
            assertThat(asked.established(MINUTE).type()).isEqualTo(Type.ESTABLISHED);
            assertThat(asking.local().getAddress()).isEqualTo(own.getAddress()).isEqualTo(asking.remote().getAddress());
            asking.disconnect();
            assertEvent(asking, Type.DISCONNECTED, null);
            assertEvent(asked, Type.DISCONNECTED, null);
        }
        assertThat(left.connections.deviceTo(own.getAddress())).isEqualTo("mana_0");
    }

    @Test
    void aConnectionThatAUserEndsEarlyIsNotEstablished() {
        RdmaConnection asking = hosts.left.connections.connect(hosts.left.pair(),
                Sockets.of(Gid.ofIpv4(0x0a4d_0009), PORT), ConnectionPlan.USUAL);
        asking.disconnect();
        assertRefused(Errno.ECONNRESET, () -> asking.established(MINUTE));
    }

    @Test
    void aPairConnectsAgainAfterAWhile() throws Exception {
        RdmaListener listener = hosts.right.connections.listen(PORT);
        TwoHosts.Pair pair = hosts.connect(listener);
        QueuePair own = pair.asking().pair();
        pair.asking().disconnect();
        assertEvent(pair.asking(), Type.DISCONNECTED, null);
        assertEvent(pair.asked(), Type.DISCONNECTED, null);
        own.modify(QueuePairAttributes.to(QueuePairState.RESET));
        RdmaConnection again = hosts.left.connections.connect(own, hosts.address(hosts.right, PORT),
                ConnectionPlan.USUAL);
        ConnectionRequest request = listener.next(MINUTE).orElseThrow();
        request.accept(hosts.right.pair(), ConnectionPlan.USUAL).established(MINUTE);
        again.established(MINUTE);
    }

    @Test
    void addressesThatSayWhereTheyAreWorkToo() throws Exception {
        RdmaListener listener = hosts.right.connections.listen(PORT);
        RdmaConnection asking = hosts.left.connections.connect(hosts.left.pair(),
                Sockets.of(hosts.right.context.gids(1).getFirst(), PORT), ConnectionPlan.USUAL);
        ConnectionRequest request = listener.next(MINUTE).orElseThrow();
        assertThat(request.remote().getAddress()).isInstanceOf(Inet6Address.class);
        RdmaConnection asked = request.accept(hosts.right.pair(), ConnectionPlan.USUAL);
        asking.established(MINUTE);
        asked.established(MINUTE);
        hosts.exchange(asking.pair(), asked.pair());
    }

    @Test
    void aPairThatFailsOrIsClosedEndsItsConnection() throws Exception {
        RdmaListener listener = hosts.right.connections.listen(PORT);
        TwoHosts.Pair failing = hosts.connect(listener);
        failing.asking().pair().post(new SendList(1).write(1, SendList.SIGNALED, 0, 77)
                .piece(hosts.left.region.address(), hosts.left.region.localKey() ^ 0x100, 100));
        hosts.left.poll();
        assertThat(hosts.left.completions.status(0)).isEqualTo(CompletionStatus.LOCAL_PROTECTION);
        assertEvent(failing.asking(), Type.DISCONNECTED, Errno.ECONNRESET);
        assertThat(failing.asked().next(MINUTE).orElseThrow().type()).isEqualTo(Type.DISCONNECTED);
        TwoHosts.Pair closed = hosts.connect(listener);
        closed.asked().pair().close();
        assertEvent(closed.asked(), Type.DISCONNECTED, null);
        assertEvent(closed.asking(), Type.DISCONNECTED, null);
    }

    @Test
    void aPairThatItsPeerFailsWithNothingPostedEndsItsConnection() throws Exception {
        RdmaListener listener = hosts.right.connections.listen(PORT);
        TwoHosts.Pair pair = hosts.connect(listener);
        pair.asking().pair().post(new SendList(1).write(1, SendList.SIGNALED, 0, 77)
                .piece(hosts.left.region.address(), hosts.left.region.localKey(), 100));
        // the other user does not poll, and so says nothing of it
        assertEvent(pair.asked(), Type.DISCONNECTED, Errno.ECONNRESET);
        assertEvent(pair.asking(), Type.DISCONNECTED, null);
    }

    @Test
    void aDeviceThatGoesTellsItsConnectionsAndLeavesNothing() throws Exception {
        RdmaListener listener = hosts.right.connections.listen(PORT);
        TwoHosts.Pair pair = hosts.connect(listener);
        RdmaConnection connecting = hosts.left.connections.connect(hosts.left.pair(), hosts.address(hosts.right, PORT),
                ConnectionPlan.USUAL);
        ConnectionRequest request = listener.next(MINUTE).orElseThrow();
        RdmaConnection resolving = hosts.left.connections.connect(hosts.left.pair(),
                Sockets.of(Gid.ofIpv4(0x0a4d_0009), PORT), ConnectionPlan.USUAL);
        QueuePair free = hosts.left.pair();
        QueuePair unused = hosts.right.pair();
        hosts.left.end();
        assertEvent(pair.asking(), Type.DEVICE_REMOVAL, Errno.ENODEV);
        assertEvent(connecting, Type.DEVICE_REMOVAL, Errno.ENODEV);
        assertEvent(resolving, Type.DEVICE_REMOVAL, Errno.ENODEV);
        assertRefused(Errno.ENODEV, () -> hosts.left.connections.connect(free, hosts.address(hosts.right, PORT),
                ConnectionPlan.USUAL));
        hosts.right.end();
        assertRefused(Errno.ENODEV, () -> request.accept(unused, ConnectionPlan.USUAL));
        ConnectionEvent last = pair.asked().next(MINUTE).orElseThrow();
        assertThat(last.type()).isIn(Type.DEVICE_REMOVAL, Type.DISCONNECTED);
        hosts.left.connections.close();
        hosts.right.connections.close();
        assertThat(hosts.left.connections.list()).isEmpty();
    }

    @Test
    void whatABundleLeavesEndsWithIt() throws Exception {
        RdmaListener listener = hosts.right.connections.listen(PORT);
        TwoHosts.Pair pair = hosts.connect(listener);
        hosts.right.connections.close();
        assertEvent(pair.asking(), Type.DISCONNECTED, null);
        assertThat(hosts.right.book.listeners()).isEmpty();
        RdmaConnection none = hosts.left.connections.connect(hosts.left.pair(), hosts.address(hosts.right, PORT),
                ConnectionPlan.USUAL);
        assertThat(none.next(MINUTE).orElseThrow().reason()).isEqualTo(8);
    }
}
