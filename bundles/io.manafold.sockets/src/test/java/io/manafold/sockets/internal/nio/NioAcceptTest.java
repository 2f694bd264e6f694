package io.manafold.sockets.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Listener;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many connections come at once: they are accepted by and by, so that those that are there have their turns. */
@Timeout(60)
class NioAcceptTest {
    private static final int PEERS = 200;
    private static final int AT_ONCE = 64;

    @Test
    void oneLookTakesNotAllOfThem() throws Exception {
        MemorySource memory = Blocks.source();
        Context context = new Context(new NioTransport(), "test", memory);
        List<SocketChannel> peers = new ArrayList<>();
        try (AutoCloseable _ = context::close) {
            Queues queues = context.queues(QueuesPlan.USUAL);
            Listener listener = context.listen(queues, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    EndpointPlan.USUAL.with(Knobs.parse(List.of("accept=multishot"))).withBacklog(2 * PEERS), 1);
            for (int i = 0; i < PEERS; i++) {
                peers.add(SocketChannel.open(listener.local()));
            }
            Completions completions = new Completions(2 * PEERS);
            queues.await(Duration.ofSeconds(10));
            int accepted = 0;
            for (int looks = 0; accepted < PEERS; looks++) {
                assertThat(looks).as("looks that have taken %d", accepted).isLessThan(PEERS);
                queues.poll(completions);
                assertThat(completions.count()).as("connections of look %d", looks).isLessThanOrEqualTo(AT_ONCE);
                accepted += completions.count();
            }
            assertThat(accepted).isEqualTo(PEERS);
        } finally {
            for (SocketChannel peer : peers) {
                peer.close();
            }
        }
    }
}
