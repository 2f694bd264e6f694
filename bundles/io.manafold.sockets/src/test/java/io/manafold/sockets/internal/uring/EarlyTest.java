package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Operation;
import io.manafold.streams.Ends;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work that is submitted before its connection is there begins when it is. */
@Timeout(60)
class EarlyTest {
    private static final int BYTES = 100;

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void isDoneWithoutBeingSubmittedAgain(String transport) throws Exception {
        try (Ends ends = new Ends(new TcpWay(transport, List.of()));
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ends.fill(0, BYTES, 3);
            Endpoint endpoint = ends.context.connect(ends.queues, new InetSocketAddress(server.getInetAddress(),
                    server.getLocalPort()), EndpointPlan.USUAL, 1);
            endpoint.receive(ends.region.key(), 4096, 1, 2);
            endpoint.send(ends.region.key(), 0, BYTES, 3);
            ends.queues.submit();
            boolean isSent = false;
            Completions completions = new Completions(16);
            for (int i = 0; i < 20 && !isSent; i++) {
                ends.queues.await(Duration.ofMillis(100));
                ends.queues.poll(completions);
                for (int at = 0; at < completions.count(); at++) {
                    assertThat(completions.errno(at)).isZero();
                    isSent |= completions.operation(at) == Operation.SEND;
                }
            }
            assertThat(isSent).as("whether it was sent").isTrue();
            try (Socket peer = server.accept()) {
                assertThat(peer.getInputStream().readNBytes(BYTES)).isEqualTo(ends.bytes(0, BYTES));
                peer.getOutputStream().write(7);
                boolean isReceived = false;
                for (int i = 0; i < 20 && !isReceived; i++) {
                    ends.queues.await(Duration.ofMillis(100));
                    ends.queues.poll(completions);
                    isReceived = completions.count() > 0 && completions.operation(0) == Operation.RECEIVE;
                }
                assertThat(isReceived).as("whether it was received").isTrue();
            }
        }
    }
}
