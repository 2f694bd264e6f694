package io.manafold.sockets.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import org.junit.jupiter.api.Test;

/** Bytes go from one end to the other. */
class NioTransferTest {
    @Test
    void aSendArrivesInThePostedRange() {
        try (Ends ends = new Ends(Knobs.USUAL)) {
            ends.put(0, "over there");
            ends.far.receive(ends.region.key(), 4096, 100, 7);
            ends.near.send(ends.region.key(), 0, 10, 8);

            int received = ends.until(ends.far, Operation.RECEIVE);

            assertThat(ends.completions.tag(received)).isEqualTo(7);
            assertThat(ends.completions.length(received)).isEqualTo(10);
            assertThat(ends.completions.errno(received)).isZero();
            assertThat(ends.text(4096, 10)).isEqualTo("over there");
        }
    }

    @Test
    void aSendOnACopyingPathIsAcceptedAndFreeAtOnce() {
        try (Ends ends = new Ends(Knobs.USUAL)) {
            ends.near.send(ends.region.key(), 0, 10, 8);

            int sent = ends.until(ends.near, Operation.SEND);

            assertThat(ends.completions.flags(sent)).isEqualTo(Completions.ACCEPTED | Completions.FREE);
            assertThat(ends.completions.length(sent)).isEqualTo(10);
            assertThat(ends.completions.tag(sent)).isEqualTo(8);
        }
    }
}
