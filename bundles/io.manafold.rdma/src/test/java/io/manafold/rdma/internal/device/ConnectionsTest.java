package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.VerbsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.ConnectionEvent;
import io.manafold.api.rdma.ConnectionEvent.Type;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.ConnectionState;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.fabric.internal.TestSwitch;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections between two devices on a switch, by addresses. */
@Timeout(300)
class ConnectionsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int PORT = 7471;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final Node left = new Node("left", net);
    private final Node right = new Node("right", net);

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    private static InetSocketAddress address(Node node, int port) {
        return Sockets.of(node.context.gids(1).getFirst(), port);
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
    void aRejectionSaysWhy() throws Exception {
        RdmaConnection nobody = left.connections.connect(left.pair(), address(right, PORT), ConnectionPlan.USUAL);
        ConnectionEvent none = nobody.next(MINUTE).orElseThrow();
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
        assertThat(Arrays.asList(unwanted.pair().state(), nobody.pair().state())).containsOnly(QueuePairState.ERR);
    }
}
