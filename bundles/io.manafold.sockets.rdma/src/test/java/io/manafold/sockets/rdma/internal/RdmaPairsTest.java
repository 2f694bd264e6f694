package io.manafold.sockets.rdma.internal;

import io.manafold.api.sockets.Knobs;
import io.manafold.streams.PairedStreams;
import io.manafold.streams.Way;
import org.junit.jupiter.api.Timeout;

/** Knobs over RDMA in pairs. */
@Timeout(240)
class RdmaPairsTest extends PairedStreams {
    @Override
    protected Way way(Knobs knobs) {
        return new RdmaWay(knobs.words().toArray(String[]::new));
    }
}
