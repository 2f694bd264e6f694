package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Listener;
import io.manafold.streams.Ends;
import io.manafold.streams.Way;
import io.manafold.uring.Operation;
import io.manafold.uring.Rings;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that the kernel has accepted, and whose completions were not read when all ends. */
@Timeout(120)
class UnreadTest {
    private static final int PEERS = 8;

    @BeforeAll
    static void ringsAreAllowed() {
        Rings.areAllowed();
        Rings.can(Operation.ACCEPT_MULTISHOT);
    }

    private static List<Socket> peers(Listener listener) throws Exception {
        List<Socket> peers = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            Socket peer = new Socket();
            peer.connect(new InetSocketAddress("127.0.0.1", listener.local().getPort()));
            peer.setSoTimeout(20_000);
            peers.add(peer);
        }
        return peers;
    }

    /** A peer that is not closed times out. */
    private static void assertAllClosed(List<Socket> peers) throws Exception {
        for (Socket peer : peers) {
            try (peer) {
                assertThat(peer.getInputStream().read()).as("the end of the stream").isEqualTo(-1);
            } catch (SocketException reset) {
                assertThat(reset).hasMessageContaining("reset");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"accept=multishot", "accept=single", "prefer:wait=kernel"})
    void arePeersOfNobodyWhenAnotherThreadEndsAll(String knob) throws Exception {
        Way way = new TcpWay("uring", List.of(knob));
        Ends ends = new Ends(way);
        List<Socket> peers = peers(ends.listener);
        // the kernel is entered, which is when it accepts, and what it says is not looked at
        ends.far.receive(ends.region.key(), 0, 100, 1);
        ends.queues.submit();
        Thread closer = new Thread(ends::close, "closer");
        closer.start();
        closer.join();
        assertAllClosed(peers);
    }

    @ParameterizedTest
    @ValueSource(strings = {"accept=multishot", "accept=single"})
    void arePeersOfNobodyWhenTheirListenerIsClosed(String knob) throws Exception {
        Way way = new TcpWay("uring", List.of(knob));
        try (Ends ends = new Ends(way)) {
            List<Socket> peers = peers(ends.listener);
            ends.far.receive(ends.region.key(), 0, 100, 1);
            ends.queues.submit();
            ends.listener.close();
            for (int i = 0; i < 5; i++) {
                ends.turn(Duration.ofMillis(10));
            }
            assertAllClosed(peers);
        }
    }
}
