package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Listener;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A connection comes when the queue of completions is full: it and those after it are accepted when there is room. */
@Timeout(120)
class ListenerRoomTest {
    private static final int ENTRIES = 16;

    @ParameterizedTest
    @CsvSource({"nio,accept=single", "nio,accept=multishot", "uring,accept=single", "uring,prefer:accept=multishot"})
    void aListenerGoesOn(String transport, String knob) throws Exception {
        MemorySource memory = Blocks.source();
        Context context = new Context(new TcpWay(transport, List.of()).make(), "test", memory);
        List<Socket> peers = new ArrayList<>();
        try (AutoCloseable _ = context::close; MemoryBlock block = memory.make("test", 4096)) {
            Region region = context.register(block, Region.SEND | Region.RECEIVE);
            Queues queues = context.queues(QueuesPlan.USUAL.withEntries(ENTRIES));
            Listener listener = context.listen(queues, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    EndpointPlan.USUAL.with(Knobs.parse(List.of(knob))).withQueues(ENTRIES, ENTRIES), 1);
            Completions completions = new Completions(2 * ENTRIES);
            peers.add(new Socket(listener.local().getAddress(), listener.local().getPort()));
            Endpoint first = accepted(queues, completions);
            assertThat(first).as("the first connection").isNotNull();
            for (int i = 0; i < ENTRIES; i++) {
                first.send(region.key(), 0, 1, 2);
            }
            assertThat(queues.room()).as("room for a connection").isZero();
            for (int i = 1; i < 4; i++) {
                peers.add(new Socket(listener.local().getAddress(), listener.local().getPort()));
                queues.submit();
                queues.wakeup();
                queues.await(Duration.ofMillis(1));
                assertThat(accepted(queues, completions)).as("connection %d", i).isNotNull();
            }
            assertThat(listener.state().resting()).as("why it does not accept").isNull();
        } finally {
            for (Socket peer : peers) {
                peer.close();
            }
        }
        assertThat(memory.blocks()).isEmpty();
    }

    private static Endpoint accepted(Queues queues, Completions completions) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (System.nanoTime() - end < 0) {
            queues.submit();
            queues.await(Duration.ofMillis(100));
            queues.poll(completions);
            for (int i = 0; i < completions.count(); i++) {
                if (completions.operation(i) == Operation.ACCEPT && completions.endpoint(i) != null) {
                    return completions.endpoint(i);
                }
            }
        }
        return null;
    }
}
