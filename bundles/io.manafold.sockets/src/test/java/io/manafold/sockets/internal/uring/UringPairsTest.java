package io.manafold.sockets.internal.uring;

import io.manafold.api.sockets.Knobs;
import io.manafold.streams.PairedStreams;
import io.manafold.streams.Way;
import org.junit.jupiter.api.Timeout;

/** Knobs of rings in pairs. */
@Timeout(240)
class UringPairsTest extends PairedStreams {
    @Override
    protected Way way(Knobs knobs) {
        return new TcpWay("uring", knobs.words());
    }
}
