package io.manafold.benchmark;

import io.manafold.api.sockets.Knobs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * Streams and echoes through the loopback device over our transports, beside channels of Java and a program in C. Ours
 * over rings takes turns with each of the others in short slices; what is quoted is the median.
 */
public final class SocketsLoop {
    private static final int ROUNDS = Integer.getInteger("rounds", 7);
    private static final long SLICE = Long.getLong("millis", 300);
    private static final long WARM_UP = Long.getLong("warm", 2500);
    /** On a machine that others use as well, warming up takes so many times its processor time at most. */
    private static final int SHARE = 10;
    /** The program in C; empty if there is none. */
    private static final String C = System.getProperty("c", "");
    private static final List<String> ONLY = words("only");
    private static final List<String> PEERS = words("peers");
    private static final String OURS = "uring";
    /** As our transports have it for a peer on this machine. */
    private static final int SEND_BUFFER = 192 << 10;

    private SocketsLoop() {
    }

    private static List<String> words(String property) {
        String value = System.getProperty(property, "").strip();
        return value.isEmpty() ? List.of() : List.of(value.split("[ ]+"));
    }

    public static void main(String[] arguments) throws Exception {
        boolean json = List.of(arguments).contains("--json");
        List<CarrierFigures> lines = new ArrayList<>();
        if (!json) {
            CarrierTable.head();
        }
        for (TcpCase what : TcpCase.all()) {
            if (ONLY.isEmpty() || ONLY.contains(what.toString())) {
                List<CarrierFigures> measured = measure(what);
                lines.addAll(measured);
                if (!json) {
                    measured.forEach(CarrierTable::print);
                }
            }
        }
        if (json) {
            CarrierTable.json(lines);
        }
    }

    private static List<CarrierFigures> measure(TcpCase what) throws Exception {
        List<CarrierFigures> lines = new ArrayList<>();
        try (Carrier ours = ours(what, "uring", List.of())) {
            warm(ours);
            for (Map.Entry<String, Rivals.Start> peer : peers(what).entrySet()) {
                if (PEERS.isEmpty() || PEERS.contains(peer.getKey())) {
                    try (Carrier other = peer.getValue().start()) {
                        warm(other);
                        lines.add(pairs(what, peer.getKey(), ours, other));
                    }
                }
            }
        }
        return lines;
    }

    /**
     * By processor time: while others use the machine, little of Java is compiled in a time by the clock, and what
     * compiles it later would be counted as the carrier's.
     */
    private static void warm(Carrier carrier) throws Exception {
        long end = System.nanoTime() + SHARE * WARM_UP * 1_000_000;
        long used = 0;
        do {
            used += carrier.run(Math.min(SLICE, WARM_UP)).cpuNanos();
        } while (used < WARM_UP * 1_000_000 && System.nanoTime() - end < 0);
    }

    private static CarrierFigures pairs(TcpCase what, String name, Carrier ours, Carrier other) throws Exception {
        CarrierFigures line = new CarrierFigures(what, OURS, name);
        for (int i = 0; i < ROUNDS; i++) {
            long allocated = Clock.allocated(ours.threads());
            Carrier.Slice own = ours.run(SLICE);
            line.allocated(Clock.allocated(ours.threads()) - allocated);
            line.add(own, other.run(SLICE));
        }
        return line;
    }

    private static Carrier ours(TcpCase what, String transport, List<String> words) throws InterruptedException {
        List<String> all = new ArrayList<>(words);
        if (what.spins()) {
            all.add("wait=spin");
        }
        Knobs knobs = Knobs.parse(all);
        if (what.connections() > 1) {
            return new OwnMany(what, transport, knobs);
        }
        return what.echo() ? new OwnPing(what, transport, knobs) : new OwnStream(what, transport, knobs);
    }

    private static Map<String, Rivals.Start> peers(TcpCase what) {
        Map<String, Rivals.Start> peers = new LinkedHashMap<>();
        if (what.connections() > 1) {
            peers.put("java", () -> new NioMany(what));
            peers.put("nio", () -> ours(what, "nio", List.of()));
            return peers;
        }
        if (what.echo()) {
            peers.put("java", () -> new NioPing(what));
            if (what.spins()) {
                // what waiting awake is measured against as well
                peers.put("java-blocking", () -> new NioPing(new TcpCase(what.bytes(), true, false)));
            }
            peers.put("nio", () -> ours(what, "nio", List.of()));
            return peers;
        }
        peers.put("java-each", () -> new NioStream(what, false, 0));
        peers.put("java-gather", () -> new NioStream(what, true, 0));
        peers.put("java-each-sized", () -> new NioStream(what, false, SEND_BUFFER));
        peers.put("java-gather-sized", () -> new NioStream(what, true, SEND_BUFFER));
        peers.put("nio", () -> ours(what, "nio", List.of()));
        peers.put("zerocopy", () -> ours(what, "uring", List.of("prefer:memory=registered", "prefer:send=zerocopy")));
        if (Iperf.isThere()) {
            peers.put("iperf3", () -> new Iperf(what));
        }
        if (!C.isEmpty()) {
            peers.put("c", () -> new RingInC(C, what));
        }
        ServiceLoader.load(Rivals.class).forEach(library -> peers.putAll(library.of(what)));
        return peers;
    }
}
