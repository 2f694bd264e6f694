package io.manafold.sockets.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.streams.Context;
import io.manafold.streams.Ends;
import io.manafold.testkit.Allocation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Memory that is sent: who holds it, and that moving it takes none. */
@Timeout(300)
@Isolated
class RdmaMemoryTest {
    @Test
    void oneBlockIsSentByTcpAndByRdmaAndStaysUntilBothHaveLetGo() {
        try (Ends ends = new Ends(RdmaWay.all().findFirst().orElseThrow())) {
            Context tcp = new Context(new NioTransport(), "test", ends.memory);
            var block = ends.memory.make("both", 1 << 20);
            Region overRdma = ends.context.register(block, Region.SEND);
            Region overTcp = tcp.register(block, Region.SEND);
            block.segment().fill((byte) 7);
            block.close();
            assertThat(block.holders().keySet()).anyMatch(who -> who.contains("sockets rdma"))
                    .anyMatch(who -> who.contains("sockets nio"))
                    .as("the function whose device reads it").anyMatch(who -> !who.contains("sockets"));
            try (var queues = tcp.queues(QueuesPlan.USUAL)) {
                var there = tcp.listen(queues, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        EndpointPlan.USUAL, 1);
                var endpoint = tcp.connect(queues, there.local(), EndpointPlan.USUAL, 2);
                endpoint.send(overTcp.key(), 0, 1000, 3);
                ends.near.send(overRdma.key(), 0, 1000, 4);
                ends.far.receive(ends.region.key(), 0, 1000, 5);
                assertThat(ends.next(ends.far, Operation.RECEIVE).length()).isEqualTo(1000);
                assertThat(ends.bytes(0, 1000)).containsOnly(7);
                while (endpoint.state().statistics().sentBytes() < 1000) {
                    queues.submit();
                    queues.poll(new Completions(16));
                }
                assertThat(ends.context.regions()).extracting(state -> state.block()).contains("both");
            }
            overTcp.close();
            assertThat(block.holders().keySet()).noneMatch(who -> who.contains("nio")).isNotEmpty();
            overRdma.close();
            while (!block.holders().isEmpty()) {
                ends.turn(Duration.ofMillis(10));
            }
            tcp.close();
        }
    }

    @Test
    void aTransferTakesNoBytes() {
        for (Set<String> words : Set.of(Set.of("wait=spin"), Set.of("wait=sleep"))) {
            try (Ends ends = new Ends(new RdmaWay(words.toArray(String[]::new)))) {
                // which ends with the queues
                ReceivePool pool = ends.queues.pool(ends.region, 4096, 64);
                ends.far.receive(pool, 1);
                Completions completions = new Completions(64);
                long least = Allocation.leastOf(100, () -> round(ends, pool, completions));
                assertThat(least).as("bytes for 100 rounds with %s", words).isZero();
            }
        }
    }

    private static void round(Ends ends, ReceivePool pool, Completions completions) {
        for (int i = 0; i < 8; i++) {
            ends.near.send(ends.region.key(), 1 << 20, 700, i);
        }
        int came = 0;
        int free = 0;
        while (came < 8 * 700 || free < 8) {
            ends.queues.submit();
            ends.queues.poll(completions);
            for (int i = 0; i < completions.count(); i++) {
                if (completions.operation(i) == Operation.RECEIVE) {
                    came += (int) completions.length(i);
                    pool.giveBack(completions.buffer(i));
                } else if (completions.has(i, Completions.FREE)) {
                    free++;
                }
            }
        }
    }
}
