package io.manafold.sockets.internal.uring;

import io.manafold.api.sockets.Knobs;
import io.manafold.streams.PairedStreams;
import io.manafold.streams.Way;
import org.junit.jupiter.api.Timeout;

/** Knobs of Java's channels in pairs. */
@Timeout(240)
class NioPairsTest extends PairedStreams {
    @Override
    protected Way way(Knobs knobs) {
        return new TcpWay("nio", knobs.words());
    }
}
