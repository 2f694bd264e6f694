package io.manafold.sockets.internal.uring;

import io.manafold.api.sockets.Knobs;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.streams.Transport;
import io.manafold.streams.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A transport with knobs, all of which carry the same streams. */
record TcpWay(String transport, List<String> words) implements Way {
    /** Knobs that can all be on together, where the kernel has them. */
    private static final List<String> ALL_ON = List.of("prefer:memory=registered", "queues=ring", "gather=on",
            "wait=spin", "prefer:send=zerocopy", "receive=pool", "accept=multishot", "prefer:busypoll=50", "nodelay=on",
            "keepalive=100", "buffers=65536");
    /** The same, off. */
    private static final List<String> OFF = List.of("memory=plain", "queues=calls", "gather=off", "wait=sleep",
            "send=copy", "receive=posted", "accept=single", "busypoll=0", "nodelay=off", "keepalive=0", "buffers=0");

    /** All knobs on, and then each of them off alone. */
    static Stream<Way> allOnButOne() {
        return IntStream.rangeClosed(0, ALL_ON.size()).mapToObj(off -> {
            List<String> words = new ArrayList<>(ALL_ON);
            if (off < words.size()) {
                words.set(off, OFF.get(off));
            }
            return new TcpWay("uring", List.copyOf(words));
        });
    }

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
        return transport + " " + (words.equals(Knobs.CLASSIC.words()) ? "classic" : words.equals(ALL_ON) ? "all on"
                : words.size() == ALL_ON.size() ? "all on but " + off() : String.join(" ", words));
    }

    private String off() {
        return words.stream().filter(OFF::contains).collect(Collectors.joining(" "));
    }
}
