package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import io.manafold.streams.Ends;
import io.manafold.streams.Transport;
import io.manafold.streams.Way;
import io.manafold.uring.Rings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Regions that a ring has registered are closed, which is nothing to other rings of the transport. */
@Timeout(120)
class StrangersRegionTest {
    private static final int REGIONS = 20;
    private static final int LENGTH = 4 << 10;

    @BeforeAll
    static void ringsAreAllowed() {
        Rings.areAllowed();
        Rings.can(io.manafold.uring.Operation.SEND_ZERO_COPY_REGISTERED);
    }

    /** A transport that several share. */
    private record SharedWay(Transport make) implements Way {
        @Override
        public Knobs knobs() {
            return Knobs.parse(List.of("memory=registered", "send=zerocopy"));
        }
    }

    @Test
    void wakesNoOtherQueues() throws Exception {
        Transport transport = new UringTransport();
        Context other = new Context(transport, "other", Blocks.source());
        try (AutoCloseable _ = other::close; Ends ends = new Ends(new SharedWay(transport))) {
            Queues others = other.queues(QueuesPlan.USUAL.named("of another bundle"));
            Queues second = ends.context.queues(QueuesPlan.USUAL.named("that never sent them"));
            for (int i = 0; i < REGIONS; i++) {
                Region one = ends.context.register(ends.block, (long) i * LENGTH, LENGTH, Region.SEND);
                ends.far.receive(ends.region.key(), 1 << 20, LENGTH, 1);
                ends.near.send(one.key(), 0, LENGTH, 2);
                ends.next(ends.near, Operation.SEND);
                for (long got = 0; got < LENGTH;) {
                    got += ends.next(ends.far, Operation.RECEIVE).length();
                    if (got < LENGTH) {
                        ends.far.receive(ends.region.key(), 1 << 20, (int) (LENGTH - got), 1);
                    }
                }
                one.close();
            }
            for (Queues idle : List.of(others, second)) {
                long begin = System.nanoTime();
                assertThat(idle.await(Duration.ofMillis(200))).isFalse();
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).as("how long '%s' slept", idle.name())
                        .isGreaterThanOrEqualTo(Duration.ofMillis(200));
            }
        }
    }
}
