package io.manafold.sockets.rdma.internal;

import io.manafold.api.sockets.Knobs;
import io.manafold.rdma.internal.device.Hosts;
import io.manafold.streams.Transport;
import io.manafold.streams.Way;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/** A device that connects to itself, with knobs. */
final class RdmaWay implements Way {
    private final List<String> words;
    private Hosts hosts;
    private RdmaTransport transport;

    RdmaWay(String... words) {
        this.words = List.of(words);
    }

    /** As it comes, and each knob that can be off alone. */
    static Stream<Way> all() {
        return Stream.of(new RdmaWay(), new RdmaWay("gather=off"), new RdmaWay("queues=calls"),
                new RdmaWay("receive=posted"), new RdmaWay("accept=single"), new RdmaWay("wait=spin"),
                new RdmaWay("buffers=16384"), new RdmaWay("prefer:memory=plain", "prefer:send=copy",
                "prefer:nodelay=off", "queues=calls", "gather=off", "receive=posted", "accept=single"));
    }

    @Override
    public Transport make() {
        hosts = new Hosts();
        transport = new RdmaTransport(hosts.leftConnections());
        transport.add(hosts.left());
        return transport;
    }

    @Override
    public Knobs knobs() {
        return Knobs.parse(words);
    }

    @Override
    public InetAddress at() {
        return hosts.leftAddress();
    }

    @Override
    public void close() {
        transport.remove(hosts.left(), "The test is over.");
        hosts.close();
    }

    @Override
    public String toString() {
        return "rdma " + String.join(" ", words);
    }
}
