package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Ends;
import io.manafold.streams.Ends.Done;
import io.manafold.uring.Rings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A region is closed while sends from it are under way: they arrive, and only then the kernel forgets it. */
@Timeout(120)
class ClosedRegionTest {
    private static final int LENGTH = 64 << 10;
    private static final long RECEIVED_AT = 2 << 20;

    @BeforeAll
    static void ringsAreAllowed() {
        Rings.areAllowed();
        Rings.can(io.manafold.uring.Operation.SEND_ZERO_COPY_REGISTERED);
    }

    /** The second send begins when the first has gone, and the kernel has not taken it when its region is closed. */
    @Test
    void aSendThatWasJustBegunArrives() {
        try (Ends ends = new Ends(new TcpWay("uring", List.of("memory=registered", "send=zerocopy")))) {
            Region closed = ends.context.register(ends.block, 0, 1 << 20, Region.SEND);
            ends.fill(0, 2 * LENGTH, 5);
            ends.far.receive(ends.region.key(), RECEIVED_AT, LENGTH, 1);
            ends.far.receive(ends.region.key(), RECEIVED_AT + LENGTH, LENGTH, 2);
            ends.near.send(closed.key(), 0, LENGTH, 7);
            ends.queues.submit();
            ends.near.send(closed.key(), LENGTH, LENGTH, 8);
            Done first = ends.next(ends.near, Operation.SEND);
            assertThat(first.tag()).isEqualTo(7);
            closed.close();
            for (long total = 0; total < 2 * LENGTH;) {
                Done received = ends.next(ends.far, Operation.RECEIVE);
                assertThat(received.errno()).isZero();
                total += received.length();
                if (received.length() < LENGTH) {
                    long at = RECEIVED_AT + total;
                    ends.far.receive(ends.region.key(), at, (int) (2 * LENGTH - total), 3);
                }
            }
            assertThat(ends.bytes(RECEIVED_AT, 2 * LENGTH)).isEqualTo(ends.bytes(0, 2 * LENGTH));
            for (Done done = first; !done.has(Completions.FREE) || done.tag() != 8;) {
                done = ends.next(ends.near, Operation.SEND);
                assertThat(done.errno()).as("of send %d", done.tag()).isZero();
            }
            ends.turn(Duration.ofMillis(1));
            assertThat(ends.near.failure()).isNull();
        }
    }
}
