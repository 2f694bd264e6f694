package io.manafold.sockets.rdma.internal;

import io.manafold.streams.Streams;
import io.manafold.streams.Way;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;

/** What every transport does alike, over RDMA. */
@Timeout(300)
class RdmaStreamsTest extends Streams {
    static Stream<Way> ways() {
        return RdmaWay.all();
    }
}
