package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.streams.Ends;
import io.manafold.streams.Streams;
import io.manafold.streams.Way;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every transport does alike, over TCP. */
class StreamsTest extends Streams {
    private static final int ECANCELED = 125;

    static Stream<Way> ways() {
        return Stream.concat(TcpWay.all(), TcpWay.allOnButOne());
    }

    @ParameterizedTest
    @MethodSource("ways")
    void thePeerOfAClosedEndpointSeesTheEndAtOnceThoughReceivingWasArmed(Way way) throws Exception {
        try (Ends ends = new Ends(way); ReceivePool pool = ends.queues.pool(ends.region, 4096, 8);
                SocketChannel peer = SocketChannel.open()) {
            peer.connect(new InetSocketAddress("127.0.0.1", ends.listener.local().getPort()));
            var accepted = ends.next(done -> done.operation() == Operation.ACCEPT).endpoint();
            accepted.receive(pool, 1);
            ends.turn(Duration.ofMillis(1));
            accepted.close();
            // nothing is polled: what closing does has to be enough
            peer.socket().setSoTimeout(60_000);
            assertThat(peer.socket().getInputStream().read()).isEqualTo(-1);
            assertThat(ends.next(accepted, Operation.RECEIVE).errno()).isEqualTo(ECANCELED);
            assertThat(ends.next(accepted, Operation.CLOSE).errno()).isZero();
            assertThat(pool.free()).isEqualTo(8);
        }
    }
}
