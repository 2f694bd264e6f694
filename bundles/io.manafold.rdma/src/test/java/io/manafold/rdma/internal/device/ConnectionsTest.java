package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.VerbsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.ConnectionEvent;
import io.manafold.api.rdma.ConnectionEvent.Type;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.ConnectionState;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.rdma.internal.connection.Timing;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections between two devices on a switch, by addresses. */
@Timeout(300)
class ConnectionsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int PORT = 7471;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private static final Timing QUICK = new Timing(500_000_000, 5, 20_000_000, 60_000_000_000L, 500_000_000, 50_000_000);
    private static final Gid LEFT = Gid.ofIpv4(0x0a4d_0001);
    private static final Gid RIGHT = Gid.ofIpv4(0x0a4d_0002);

    private final Lan lan = new Lan();
    private final Node left = new Node("left", net, lan.host(LEFT), QUICK);
    private final Node right = new Node("right", net, lan.host(RIGHT), QUICK);

    /** A network of two hosts that know where each other is. */
    private final class Lan {
        final Set<Gid> there = ConcurrentHashMap.newKeySet();
        final Set<Gid> taken = ConcurrentHashMap.newKeySet();

        Neighbours host(Gid own) {
            there.add(own);
            return new Neighbours() {
                @Override
                public List<Gid> addresses() {
                    return there.contains(own) ? List.of(own) : List.of();
                }

                @Override
                public Gid source(Gid linkLocal, Gid destination) {
                    if (taken.contains(own)) {
                        throw new Refusal(Errno.EBUSY, "The kernel is behind the port.");
                    }
                    return destination.isIpv4() ? own : NONE.source(linkLocal, destination);
                }

                @Override
                public Optional<MacAddress> find(Gid destination) {
                    if (destination.isIpv4() && !there.contains(destination)) {
                        return Optional.empty();
                    }
                    return destination.isIpv4() ? Optional.of((destination.equals(LEFT) ? left : right).ethernet.vports()
                            .getFirst().mac()) : NONE.find(destination);
                }

                @Override
                public boolean isTaken() {
                    return taken.contains(own);
                }
            };
        }
    }

    @BeforeEach
    void waitForAddresses() throws InterruptedException {
        for (Node node : List.of(left, right)) {
            while (node.context.gids(1).size() < 2) {
                Thread.sleep(10);
            }
        }
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    private InetSocketAddress address(Node node, int port) {
        return Sockets.of(node == left ? LEFT : RIGHT, port);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void assertSaid(byte[] privateData, String text) {
        assertThat(new String(privateData, StandardCharsets.UTF_8)).startsWith(text + "\0");
    }

    /** Both ends of a connection. */
    private record Pair(RdmaConnection asking, RdmaConnection asked) {
    }

    private Pair connect(RdmaListener listener) throws InterruptedException {
        RdmaConnection asking = left.connections.connect(left.pair(), address(right, listener.local().getPort()),
                ConnectionPlan.USUAL.withPrivateData(text("please")));
        ConnectionRequest request = listener.next(MINUTE).orElseThrow();
        assertThat(request.device()).isEqualTo("mana_0");
        assertSaid(request.privateData(), "please");
        assertThat(request.remote().getAddress()).isEqualTo(asking.local().getAddress());
        RdmaConnection asked = request.accept(right.pair(), ConnectionPlan.USUAL.withPrivateData(text("gladly")));
        assertSaid(asking.established(MINUTE).privateData(), "gladly");
        asked.established(MINUTE);
        assertThat(asking.state()).isEqualTo(ConnectionState.ESTABLISHED);
        assertThat(asked.state()).isEqualTo(ConnectionState.ESTABLISHED);
        return new Pair(asking, asked);
    }

    private static void assertEvent(RdmaConnection connection, Type type, Errno errno) throws InterruptedException {
        ConnectionEvent event = connection.next(MINUTE).orElseThrow();
        assertThat(event.type()).as(event.sentence()).isEqualTo(type);
        assertThat(event.errno()).isEqualTo(errno);
        assertThat(connection.state()).isEqualTo(ConnectionState.ENDED);
    }

    private void exchange(QueuePair from, QueuePair to) {
        byte[] sent = left.fill(0, 5000, from.number());
        to.post(new ReceiveList(1).receive(7).piece(right.region.address(), right.region.localKey(), 5000));
        from.post(new SendList(1).send(8, SendList.SIGNALED).piece(left.region.address(), left.region.localKey(), 5000));
        left.succeeds(8);
        right.succeeds(7);
        assertThat(right.bytes(0, 5000)).isEqualTo(sent);
    }

    @Test
    void twoEndsConnectExchangeAndDisconnect() throws Exception {
        RdmaListener listener = right.connections.listen(PORT);
        Pair pair = connect(listener);
        exchange(pair.asking.pair(), pair.asked.pair());
        assertThat(left.connections.list()).singleElement().satisfies(status -> {
            assertThat(status.remote()).isEqualTo(address(right, PORT));
            assertThat(status.queuePair()).isEqualTo(pair.asking.pair().number());
        });
        pair.asked.pair().post(new ReceiveList(1).receive(9).piece(right.region.address(), right.region.localKey(), 100));
        pair.asking.disconnect();
        assertEvent(pair.asking, Type.DISCONNECTED, null);
        assertEvent(pair.asked, Type.DISCONNECTED, null);
        assertThat(right.poll()).isEqualTo(1);
        assertThat(right.completions.status(0)).isEqualTo(CompletionStatus.FLUSHED);
        assertThat(pair.asking.pair().state()).isEqualTo(QueuePairState.ERR);
        assertThat(left.connections.list()).isEmpty();
        listener.close();
        left.end();
        right.end();
    }

    @Test
    void aPairConnectsAgainAfterAWhile() throws Exception {
        RdmaListener listener = right.connections.listen(PORT);
        Pair pair = connect(listener);
        QueuePair own = pair.asking.pair();
        pair.asking.disconnect();
        assertEvent(pair.asking, Type.DISCONNECTED, null);
        assertEvent(pair.asked, Type.DISCONNECTED, null);
        own.modify(QueuePairAttributes.to(QueuePairState.RESET));
        RdmaConnection again = left.connections.connect(own, address(right, PORT), ConnectionPlan.USUAL);
        ConnectionRequest request = listener.next(MINUTE).orElseThrow();
        request.accept(right.pair(), ConnectionPlan.USUAL).established(MINUTE);
        again.established(MINUTE);
    }

    @Test
    void addressesThatSayWhereTheyAreWorkToo() throws Exception {
        RdmaListener listener = right.connections.listen(PORT);
        RdmaConnection asking = left.connections.connect(left.pair(), Sockets.of(right.context.gids(1).getFirst(), PORT),
                ConnectionPlan.USUAL);
        ConnectionRequest request = listener.next(MINUTE).orElseThrow();
        assertThat(request.remote().getAddress()).isInstanceOf(Inet6Address.class);
        RdmaConnection asked = request.accept(right.pair(), ConnectionPlan.USUAL);
        asking.established(MINUTE);
        asked.established(MINUTE);
        exchange(asking.pair(), asked.pair());
    }

    @Test
    void addressesOfPortsAreThoseOfTheirHosts() throws Exception {
        assertThat(left.context.gids(1)).endsWith(LEFT);
        assertThat(left.usage("gids")).isEqualTo(2);
        lan.there.remove(LEFT);
        while (left.context.gids(1).size() > 1) {
            Thread.sleep(10);
        }
        assertThat(left.usage("gids")).isEqualTo(1);
        assertThat(left.connections.deviceTo(Sockets.of(RIGHT, 0).getAddress())).isEqualTo("mana_0");
        assertRefused(Errno.ENETUNREACH, () -> left.connections.deviceTo(InetAddress.getByName("fd77::1")));
        lan.taken.add(RIGHT);
        assertRefused(Errno.EBUSY, () -> right.connections.deviceTo(Sockets.of(LEFT, 0).getAddress()));
        assertRefused(Errno.EBUSY, () -> right.connections.listen(address(right, PORT), 1));
        assertRefused(Errno.EBUSY, () -> right.connections.connect(right.pair(), address(left, PORT), ConnectionPlan.USUAL));
        assertThat(right.usage("queue_pairs")).as("with that of management").isEqualTo(2);
    }

    @Test
    void whatCannotBeIsRefusedAtOnce() throws Exception {
        RdmaListener listener = right.connections.listen(address(right, PORT), 1);
        assertRefused(Errno.EADDRINUSE, () -> right.connections.listen(PORT));
        assertRefused(Errno.EADDRNOTAVAIL, () -> right.connections.listen(address(left, PORT), 1));
        assertRefused(Errno.EINVAL, () -> right.connections.listen(address(right, 1), 0));
        assertThat(right.connections.listen(0).local().getPort()).isPositive();
        listener.close();
        assertRefused(Errno.EBADF, () -> listener.next(Duration.ZERO));
        RdmaListener again = right.connections.listen(PORT);
        Pair pair = connect(again);
        assertRefused(Errno.EINVAL, () -> left.connections.connect(pair.asking.pair(), address(right, PORT), ConnectionPlan.USUAL));
        QueuePair connecting = left.pair();
        left.connections.connect(connecting, address(right, PORT), ConnectionPlan.USUAL);
        assertRefused(Errno.EISCONN, () -> left.connections.connect(connecting, address(right, PORT), ConnectionPlan.USUAL));
        assertRefused(Errno.EINVAL, () -> left.connections.connect(left.pair(), address(right, PORT),
                ConnectionPlan.USUAL.withPrivateData(new byte[57])));
        ConnectionRequest request = again.next(MINUTE).orElseThrow();
        assertRefused(Errno.EINVAL, () -> request.accept(left.pair(), ConnectionPlan.USUAL));
        request.accept(right.pair(), ConnectionPlan.USUAL);
        assertRefused(Errno.EBADF, () -> request.reject(new byte[0]));
    }

    @Test
    void aPeerThatIsNotThereIsUnreachable() throws Exception {
        RdmaConnection lost = left.connections.connect(left.pair(), Sockets.of(Gid.ofIpv4(0x0a4d_0009), PORT), ConnectionPlan.USUAL);
        assertEvent(lost, Type.UNREACHABLE, Errno.EHOSTUNREACH);
        right.device.close();
        RdmaConnection silent = left.connections.connect(left.pair(), address(right, PORT), ConnectionPlan.USUAL);
        assertEvent(silent, Type.UNREACHABLE, Errno.ETIMEDOUT);
        assertThat(left.connections.list()).isEmpty();
        assertThat(left.device.management().connections()).isEmpty();
    }

    @Test
    void aPairThatFailsOrIsClosedEndsItsConnection() throws Exception {
        RdmaListener listener = right.connections.listen(PORT);
        Pair failing = connect(listener);
        failing.asking.pair().post(new SendList(1).write(1, SendList.SIGNALED, 0, 77).piece(left.region.address(),
                left.region.localKey(), 100));
        left.poll();
        assertThat(left.completions.status(0)).isEqualTo(CompletionStatus.REMOTE_ACCESS);
        assertEvent(failing.asking, Type.DISCONNECTED, Errno.ECONNRESET);
        assertThat(failing.asked.next(MINUTE).orElseThrow().type()).isEqualTo(Type.DISCONNECTED);
        Pair closed = connect(listener);
        closed.asked.pair().close();
        assertEvent(closed.asked, Type.DISCONNECTED, null);
        assertEvent(closed.asking, Type.DISCONNECTED, null);
    }

    @Test
    void aFloodCostsTheListenerItsBacklogOnly() throws Exception {
        RdmaListener small = right.connections.listen(address(right, PORT), 4);
        RdmaListener other = right.connections.listen(PORT + 1);
        List<RdmaConnection> flood = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            flood.add(left.connections.connect(left.pair(), address(right, PORT), ConnectionPlan.USUAL));
        }
        connect(other);
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
    void aDeviceThatGoesTellsItsConnectionsAndLeavesNothing() throws Exception {
        RdmaListener listener = right.connections.listen(PORT);
        Pair pair = connect(listener);
        RdmaConnection connecting = left.connections.connect(left.pair(), address(right, PORT), ConnectionPlan.USUAL);
        ConnectionRequest request = listener.next(MINUTE).orElseThrow();
        RdmaConnection resolving = left.connections.connect(left.pair(), Sockets.of(Gid.ofIpv4(0x0a4d_0009), PORT),
                ConnectionPlan.USUAL);
        QueuePair free = left.pair();
        QueuePair unused = right.pair();
        left.end();
        assertEvent(pair.asking, Type.DEVICE_REMOVAL, Errno.ENODEV);
        assertEvent(connecting, Type.DEVICE_REMOVAL, Errno.ENODEV);
        assertEvent(resolving, Type.DEVICE_REMOVAL, Errno.ENODEV);
        assertRefused(Errno.ENODEV, () -> left.connections.connect(free, address(right, PORT), ConnectionPlan.USUAL));
        right.end();
        assertRefused(Errno.ENODEV, () -> request.accept(unused, ConnectionPlan.USUAL));
        ConnectionEvent last = pair.asked.next(MINUTE).orElseThrow();
        assertThat(last.type()).isIn(Type.DEVICE_REMOVAL, Type.DISCONNECTED);
        left.connections.close();
        right.connections.close();
        assertThat(left.connections.list()).isEmpty();
    }

    @Test
    void whatABundleLeavesEndsWithIt() throws Exception {
        RdmaListener listener = right.connections.listen(PORT);
        Pair pair = connect(listener);
        right.connections.close();
        assertEvent(pair.asking, Type.DISCONNECTED, null);
        assertThat(right.book.listeners()).isEmpty();
        RdmaConnection none = left.connections.connect(left.pair(), address(right, PORT), ConnectionPlan.USUAL);
        assertThat(none.next(MINUTE).orElseThrow().reason()).isEqualTo(8);
    }

    @Test
    void aRejectionSaysWhy() throws Exception {
        RdmaConnection early = left.connections.connect(left.pair(), address(right, PORT), ConnectionPlan.USUAL);
        ConnectionEvent none = early.next(MINUTE).orElseThrow();
        assertThat(none.type()).isEqualTo(Type.REJECTED);
        assertThat(none.reason()).isEqualTo(8);
        RdmaListener listener = right.connections.listen(PORT);
        RdmaConnection unwanted = left.connections.connect(left.pair(), address(right, PORT), ConnectionPlan.USUAL);
        ConnectionRequest request = listener.next(MINUTE).orElseThrow();
        request.reject(text("no, thanks"));
        assertRefused(Errno.EBADF, () -> request.accept(right.pair(), ConnectionPlan.USUAL));
        ConnectionEvent refused = unwanted.next(MINUTE).orElseThrow();
        assertThat(refused.type()).isEqualTo(Type.REJECTED);
        assertThat(refused.errno()).isEqualTo(Errno.ECONNREFUSED);
        assertThat(refused.reason()).isEqualTo(28);
        assertSaid(refused.privateData(), "no, thanks");
        assertThat(Arrays.asList(unwanted.pair().state(), early.pair().state())).containsOnly(QueuePairState.ERR);
    }
}
