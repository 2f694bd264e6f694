package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Ends;
import io.manafold.streams.Ends.Done;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many endpoints wait for a buffer of one pool that has none: another, whose pool has one again, goes on. */
@Timeout(120)
class ManyRestTest {
    private static final int MANY = 64;
    private static final int ROUNDS = 8;
    private static final int BUFFER = 64;

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void oneThatCanGoOnDoes(String transport) throws Exception {
        try (Ends ends = new Ends(new TcpWay(transport, List.of("receive=pool")))) {
            Region few = ends.context.register(ends.block, 0, BUFFER, Region.RECEIVE);
            Region own = ends.context.register(ends.block, BUFFER, BUFFER, Region.RECEIVE);
            ReceivePool empty = ends.queues.pool(few, BUFFER, 1);
            ReceivePool pool = ends.queues.pool(own, BUFFER, 1);
            List<Endpoint> near = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                Endpoint one = ends.context.connect(ends.queues, ends.listener.local(), EndpointPlan.USUAL, i);
                near.add(one);
                assertThat(ends.next(one, Operation.CONNECT).errno()).isZero();
                ends.next(done -> done.operation() == Operation.ACCEPT).endpoint().receive(empty, 1);
            }
            ends.far.receive(pool, 2);
            for (Endpoint one : near) {
                one.send(ends.region.key(), 4096, 1, 3);
                ends.next(one, Operation.SEND);
            }
            ends.near.send(ends.region.key(), 4096, 1, 3);
            Done taken = ends.next(ends.far, Operation.RECEIVE);
            for (int i = 0; i < ROUNDS; i++) {
                ends.near.send(ends.region.key(), 4096, 1, 3);
                ends.next(ends.near, Operation.SEND);
                // it has come, and there is no room for it
                ends.turn(Duration.ofMillis(20));
                assertThat(ends.seen).noneMatch(done -> done.endpoint() == ends.far);
                pool.giveBack(taken.buffer());
                assertThat(ends.queues.await(Duration.ofSeconds(5))).as("what came in round %d", i).isTrue();
                taken = ends.next(ends.far, Operation.RECEIVE);
                assertThat(taken.has(Completions.POOLED)).isTrue();
            }
        }
    }
}
