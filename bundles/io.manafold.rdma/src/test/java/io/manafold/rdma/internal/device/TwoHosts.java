package io.manafold.rdma.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.ConnectionEvent;
import io.manafold.api.rdma.ConnectionEvent.Type;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.ConnectionState;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.rdma.internal.connection.Timing;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Two devices on a switch, whose ports' hosts know where each other is, and connections between them. */
final class TwoHosts implements AutoCloseable {
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final int PORT = 7471;
    static final Gid LEFT = Gid.ofIpv4(0x0a4d_0001);
    static final Gid RIGHT = Gid.ofIpv4(0x0a4d_0002);
    private static final Timing QUICK = new Timing(500_000_000, 5, 20_000_000, 60_000_000_000L, 500_000_000,
            50_000_000);

    final TestSwitch net = new TestSwitch("left/1", "right/1", "third/1");

    final Lan lan = new Lan();
    final Node left;
    final Node right;

    /** A network of two hosts that know where each other is. */
    final class Lan {
        final Set<Gid> there = ConcurrentHashMap.newKeySet();
        /** Hosts without a device of ours, and where they are. */
        final Map<Gid, MacAddress> strangers = new ConcurrentHashMap<>();
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
                    if (strangers.containsKey(destination)) {
                        return Optional.of(strangers.get(destination));
                    }
                    if (destination.equals(own) || destination.isIpv4() && !there.contains(destination)) {
                        // it is asked on the link, where a host does not answer itself
                        return Optional.empty();
                    }
                    return destination.isIpv4()
                            ? Optional.of((destination.equals(LEFT) ? left : right).ethernet.vports()
                            .getFirst().mac()) : NONE.find(destination);
                }

                @Override
                public boolean isTaken() {
                    return taken.contains(own);
                }
            };
        }
    }

    TwoHosts() throws InterruptedException {
        this(QUICK);
    }

    TwoHosts(Timing timing) throws InterruptedException {
        left = new Node("left", net, lan.host(LEFT), timing);
        right = new Node("right", net, lan.host(RIGHT), timing);
        for (Node node : List.of(left, right)) {
            while (node.context.gids(1).size() < 2) {
                Thread.sleep(10);
            }
        }
    }

    @Override
    public void close() {
        left.close();
        right.close();
        net.close();
    }

    InetSocketAddress address(Node node, int port) {
        return Sockets.of(node == left ? LEFT : RIGHT, port);
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static void assertSaid(byte[] privateData, String text) {
        assertThat(new String(privateData, StandardCharsets.UTF_8)).startsWith(text + "\0");
    }

    /** Both ends of a connection. */
    record Pair(RdmaConnection asking, RdmaConnection asked) {
    }

    Pair connect(RdmaListener listener) throws InterruptedException {
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

    static void assertEvent(RdmaConnection connection, Type type, Errno errno) throws InterruptedException {
        ConnectionEvent event = connection.next(MINUTE).orElseThrow();
        assertThat(event.type()).as(event.sentence()).isEqualTo(type);
        assertThat(event.errno()).isEqualTo(errno);
        assertThat(connection.state()).isEqualTo(ConnectionState.ENDED);
    }

    void exchange(QueuePair from, QueuePair to) {
        byte[] sent = left.fill(0, 5000, from.number());
        to.post(new ReceiveList(1).receive(7).piece(right.region.address(), right.region.localKey(), 5000));
        from.post(new SendList(1).send(8, SendList.SIGNALED).piece(left.region.address(),
                left.region.localKey(), 5000));
        left.succeeds(8);
        right.succeeds(7);
        assertThat(right.bytes(0, 5000)).isEqualTo(sent);
    }
}
