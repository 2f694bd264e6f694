package io.manafold.sockets.internal.uring;

import io.manafold.api.sockets.Knobs;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.sockets.internal.stream.Transport;
import java.util.List;
import java.util.stream.Stream;

/** A transport with knobs, all of which carry the same streams. */
record Way(String transport, List<String> words) {
    /** Each transport as it comes, each knob of the rings off or on alone, and the classic socket. */
    static Stream<Way> all() {
        return Stream.of(new Way("nio", List.of()), new Way("uring", List.of()), new Way("uring", List.of("gather=off")),
                new Way("uring", List.of("queues=calls")), new Way("uring", List.of("receive=posted")),
                new Way("uring", List.of("accept=single")), new Way("uring", List.of("nodelay=off", "prefer:busypoll=50", "buffers=65536")),
                new Way("uring", List.of("wait=spin")), new Way("uring", List.of("prefer:wait=kernel")),
                new Way("uring", List.of("prefer:send=zerocopy")), new Way("uring", List.of("prefer:send=auto")),
                new Way("uring", List.of("prefer:memory=registered", "prefer:send=zerocopy")),
                new Way("uring", List.of("prefer:memory=registered", "prefer:send=zerocopy", "gather=off")),
                new Way("uring", Knobs.CLASSIC.words()));
    }

    Transport make() {
        return transport.equals("nio") ? new NioTransport() : new UringTransport();
    }

    Knobs knobs() {
        return Knobs.parse(words);
    }

    @Override
    public String toString() {
        return transport + " " + (words.size() > 6 ? "classic" : String.join(" ", words));
    }
}
