package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Operation;
import io.manafold.streams.Ends;
import io.manafold.streams.Ends.Done;
import io.manafold.uring.Rings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More is begun at once than the ring holds until it is pushed. */
@Timeout(120)
class FullRingTest {
    private static final int REQUESTS = 512;
    /** A send and a receive of each end of a connection. */
    private static final int FULL = REQUESTS / 4;
    private static final int GATHERED = 8;
    private static final int HALF = 100;
    private static final long SINGLES_AT = 1 << 20;
    private static final long RECEIVED_AT = 2 << 20;

    @BeforeAll
    static void ringsAreAllowed() {
        Rings.areAllowed();
    }

    private static Done accepted(Ends ends, Endpoint near) {
        return ends.next(done -> done.operation() == Operation.ACCEPT
                && done.endpoint().remote().getPort() == near.local().getPort());
    }

    /** @param room how many of those who send in two parts find room in the ring before it is full */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void whatIsGatheredGoesToItsOwnPeer(int room) {
        try (Ends ends = new Ends(new TcpWay("uring", List.of("gather=on", "queues=ring", "receive=posted")))) {
            List<Endpoint> near = new ArrayList<>();
            List<Endpoint> far = new ArrayList<>();
            for (int i = 0; i < FULL + GATHERED; i++) {
                Endpoint one = ends.context.connect(ends.queues, ends.listener.local(), EndpointPlan.USUAL, i);
                near.add(one);
                assertThat(ends.next(one, Operation.CONNECT).errno()).isZero();
                far.add(accepted(ends, one).endpoint());
            }
            // the last one that was connected begins before the others otherwise
            ends.queues.submit();
            for (int i = 0; i < GATHERED; i++) {
                ends.fill(2L * HALF * i, 2 * HALF, 7 * i);
            }
            for (int i = 0; i < FULL; i++) {
                for (Endpoint one : List.of(near.get(i), far.get(i))) {
                    one.send(ends.region.key(), SINGLES_AT + 1, 1, 2);
                }
                far.get(i).receive(ends.region.key(), SINGLES_AT, 1, 1);
                if (i >= room) {
                    near.get(i).receive(ends.region.key(), SINGLES_AT, 1, 1);
                }
            }
            for (int i = 0; i < GATHERED; i++) {
                Endpoint one = near.get(FULL + i);
                one.send(ends.region.key(), 2L * HALF * i, HALF, 3);
                one.send(ends.region.key(), 2L * HALF * i + HALF, HALF, 4);
            }
            ends.queues.submit();
            for (int i = 0; i < GATHERED; i++) {
                long at = RECEIVED_AT + 2L * HALF * i;
                for (int got = 0; got < 2 * HALF;) {
                    far.get(FULL + i).receive(ends.region.key(), at + got, 2 * HALF - got, 5);
                    got += (int) ends.next(far.get(FULL + i), Operation.RECEIVE).length();
                }
                assertThat(ends.bytes(at, 2 * HALF)).as("what the peer of number %d received", i)
                        .isEqualTo(ends.bytes(2L * HALF * i, 2 * HALF));
            }
        }
    }
}
