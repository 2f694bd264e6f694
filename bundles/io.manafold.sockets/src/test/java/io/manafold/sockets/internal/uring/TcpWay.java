package io.manafold.sockets.internal.uring;

import io.manafold.api.sockets.Knobs;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.streams.Transport;
import io.manafold.streams.Way;
import java.util.List;
import java.util.stream.Stream;

/** A transport with knobs, all of which carry the same streams. */
record TcpWay(String transport, List<String> words) implements Way {
    /** Each transport as it comes, each knob of the rings off or on alone, and the classic socket. */
    static Stream<Way> all() {
        return Stream.of(new TcpWay("nio", List.of()), new TcpWay("uring", List.of()),
                new TcpWay("uring", List.of("gather=off")), new TcpWay("uring", List.of("queues=calls")),
                new TcpWay("uring", List.of("receive=posted")), new TcpWay("uring", List.of("accept=single")),
                new TcpWay("uring", List.of("nodelay=off", "prefer:busypoll=50", "buffers=65536")),
                new TcpWay("uring", List.of("wait=spin")), new TcpWay("uring", List.of("prefer:wait=kernel")),
                new TcpWay("uring", List.of("prefer:send=zerocopy")), new TcpWay("uring", List.of("prefer:send=auto")),
                new TcpWay("uring", List.of("prefer:memory=registered", "prefer:send=zerocopy")),
                new TcpWay("uring", List.of("prefer:memory=registered", "prefer:send=zerocopy", "gather=off")),
                new TcpWay("uring", Knobs.CLASSIC.words()));
    }

    @Override
    public Transport make() {
        return transport.equals("nio") ? new NioTransport() : new UringTransport();
    }

    @Override
    public Knobs knobs() {
        return Knobs.parse(words);
    }

    @Override
    public String toString() {
        return transport + " " + (words.size() > 6 ? "classic" : String.join(" ", words));
    }
}
