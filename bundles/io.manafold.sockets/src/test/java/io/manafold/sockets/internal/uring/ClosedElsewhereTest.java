package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Ends;
import io.manafold.uring.Rings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queues that are closed by another thread than the one whose ring it is. */
@Timeout(120)
class ClosedElsewhereTest {
    private static final int LENGTH = 64 << 10;

    @BeforeAll
    static void ringsAreAllowed() {
        Rings.areAllowed();
        Rings.can(io.manafold.uring.Operation.SEND_ZERO_COPY_REGISTERED);
    }

    /** The second send begins when the first has gone, and is not with the kernel when another thread ends all. */
    @Test
    void endWithARegionThatWasClosedBeforeThem() throws Exception {
        Ends ends = new Ends(new TcpWay("uring", List.of("memory=registered", "send=zerocopy", "gather=off")));
        Region closed = ends.context.register(ends.block, 0, 1 << 20, Region.SEND);
        ends.near.send(closed.key(), 0, LENGTH, 7);
        ends.queues.submit();
        ends.near.send(closed.key(), LENGTH, LENGTH, 8);
        ends.next(ends.near, Operation.SEND);
        Thread closer = Thread.ofPlatform().daemon().start(() -> {
            closed.close();
            ends.queues.close();
        });
        closer.join(Duration.ofSeconds(20));
        assertThat(closer.isAlive()).as("still closes").isFalse();
        ends.close();
    }
}
