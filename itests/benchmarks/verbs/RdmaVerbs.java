package io.manafold.benchmark;

import io.manafold.benchmark.RdmaTable.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Verbs over two adapters in this process or lent by another one, beside the same by bare drivers and other ways to
 * move the same bytes, and what is done once beside the answers that it has to wait for. They take turns in short
 * slices; what is quoted is the median, of the ratios too.
 */
public final class RdmaVerbs {
    private static final int ROUNDS = Integer.getInteger("rounds", 7);
    private static final long SLICE = Long.getLong("millis", 300);
    private static final long WARM_UP_NANOS = Long.getLong("warm", 1500) * 1_000_000;
    private static final List<String> ONLY = List.of(System.getProperty("only", "").strip().split("\\s+"));
    private static final List<String> PEERS = List.of(System.getProperty("peers", "").split(","));

    private final Pairs pairs;
    private final List<Line> lines = new ArrayList<>();

    private RdmaVerbs(Pairs pairs) {
        this.pairs = pairs;
    }

    public static void main(String[] arguments) throws Exception {
        boolean json = List.of(arguments).contains("--json");
        if (!Ucx.installed()) {
            System.err.println("rdma-verbs: UCX is not installed, so there is no ratio to it; in Debian, ucx_perftest "
                    + "is in the package ucx-utils");
        }
        if (!json) {
            RdmaTable.head();
        }
        try (CoreToCore coreToCore = new CoreToCore(System.getProperty("core-to-core", ""), Pairs.cores())) {
            RdmaVerbs verbs = new RdmaVerbs(new Pairs(coreToCore, ROUNDS, SLICE));
            for (RdmaCase what : RdmaCase.verbs()) {
                if (ONLY.getFirst().isEmpty() || ONLY.contains(what.toString())) {
                    int before = verbs.lines.size();
                    verbs.measure(what);
                    if (!json) {
                        verbs.lines.subList(before, verbs.lines.size()).forEach(RdmaTable::print);
                    }
                }
            }
            if (json) {
                RdmaTable.json(verbs.lines);
            }
        }
    }

    private void measure(RdmaCase what) throws Exception {
        try (VerbsLab lab = new VerbsLab(what)) {
            if (what.once()) {
                once(what, lab);
            } else if (what.echo()) {
                try (VerbsEchoes echoes = lab.echoes()) {
                    beside(what, echoes, echoes::doorbells);
                }
                check(what, lab.wrong(what.bytes()));
            } else {
                VerbsTraffic traffic = lab.traffic();
                beside(what, traffic, traffic::doorbells);
                check(what, lab.wrong(traffic.moved()));
            }
        }
    }

    private void once(RdmaCase what, VerbsLab lab) throws Exception {
        if (what.kind() == RdmaCase.Kind.REGISTER) {
            try (Registrations registrations = new Registrations(what, lab.left)) {
                registrations.run(WARM_UP_NANOS, false);
                beside("trips", true, () -> new Trips(what, Registrations.CALLS, 0), what, registrations,
                        () -> Double.NaN);
            }
        } else {
            try (Connects connects = new Connects(lab.left, lab.right)) {
                connects.run(WARM_UP_NANOS, false);
                beside("trips", true, () -> new Trips(what, Connects.CALLS, Connects.MESSAGES), what, connects,
                        () -> Double.NaN);
            }
        }
        check(what, lab.refused());
    }

    /** Each peer is started when it is its turn, and so is the next only when it has ended. */
    private void beside(RdmaCase what, Pairs.Ours ours, DoubleSupplier doorbells) throws Exception {
        ours.run(WARM_UP_NANOS, what.oneThread());
        if (what.lent()) {
            beside("here", true, () -> new HereLoop(what, WARM_UP_NANOS), what, ours, doorbells);
        }
        if (what.kind() != RdmaCase.Kind.PARKED) {
            if (!what.lent()) {
                beside("bare", true, () -> new BareLoop(what, WARM_UP_NANOS), what, ours, doorbells);
            }
            beside("ucx-shm", Ucx.installed(), () -> new Ucx(what, "posix"), what, ours, doorbells);
        }
        if (what.echo()) {
            beside("nio", true, () -> new NioEchoes(what), what, ours, doorbells);
        } else {
            beside("ucx-tcp", Ucx.installed(), () -> new Ucx(what, "tcp"), what, ours, doorbells);
            beside("nio", true, () -> new Loopback(what), what, ours, doorbells);
            beside("memcpy", true, () -> new Memcpy(what), what, ours, doorbells);
        }
    }

    private void beside(String name, boolean installed, Rival.Start start, RdmaCase what, Pairs.Ours ours,
            DoubleSupplier doorbells) throws Exception {
        if (PEERS.getFirst().isEmpty() || PEERS.contains(name)) {
            try (Rival rival = Rival.of(name, installed, start)) {
                Figures<RdmaCase> line = new Figures<>(what, rival);
                pairs.measure(line, what.oneThread(), ours);
                lines.add(new Line(line, doorbells.getAsDouble()));
            }
        }
    }

    private static void check(RdmaCase what, List<Object> wrong) {
        if (!wrong.isEmpty()) {
            throw new IllegalStateException(what + ": " + wrong);
        }
    }
}
