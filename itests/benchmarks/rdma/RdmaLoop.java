package io.manafold.benchmark;

import io.manafold.benchmark.RdmaTable.Line;
import java.util.ArrayList;
import java.util.List;

/**
 * RDMA between two adapters in this process, beside other ways to move the same bytes. They take turns in short slices;
 * what is quoted is the median, of the ratios too.
 */
public final class RdmaLoop {
    private static final int ROUNDS = Integer.getInteger("rounds", 7);
    private static final long SLICE = Long.getLong("millis", 300);
    private static final long WARM_UP = Long.getLong("warm", 1500);
    private static final List<String> ONLY = List.of(System.getProperty("only", "").strip().split("\\s+"));
    private static final List<String> PEERS = List.of(System.getProperty("peers", "").split(","));

    private final Pairs pairs;
    private final List<Line> lines = new ArrayList<>();

    private RdmaLoop(Pairs pairs) {
        this.pairs = pairs;
    }

    public static void main(String[] arguments) throws Exception {
        boolean json = List.of(arguments).contains("--json");
        if (!Ucx.installed()) {
            System.err.println("rdma-loop: UCX is not installed, so there is no ratio to it; in Debian, ucx_perftest "
                    + "is in the package ucx-utils");
        }
        if (!json) {
            RdmaTable.head();
        }
        try (CoreToCore coreToCore = new CoreToCore(System.getProperty("core-to-core", ""), Pairs.cores())) {
            RdmaLoop loop = new RdmaLoop(new Pairs(coreToCore, ROUNDS, SLICE));
            for (RdmaCase what : RdmaCase.all()) {
                if (ONLY.getFirst().isEmpty() || ONLY.contains(what.toString())) {
                    int before = loop.lines.size();
                    loop.measure(what);
                    if (!json) {
                        loop.lines.subList(before, loop.lines.size()).forEach(RdmaTable::print);
                    }
                }
            }
            if (json) {
                RdmaTable.json(loop.lines);
            }
        }
    }

    private void measure(RdmaCase what) throws Exception {
        try (RdmaLab lab = new RdmaLab(what, what.pairs())) {
            if (what.echo()) {
                RdmaEchoes echoes = lab.echoes();
                warm(echoes, false);
                for (Rival rival : rivals(what, lab)) {
                    Figures<RdmaCase> line = against(rival, what, echoes);
                    lines.add(new Line(line, echoes.doorbells()));
                }
                check(what, lab.wrong(what.bytes()), echoes);
            } else {
                RdmaTraffic traffic = lab.traffic(0, what.pairs());
                warm(traffic, true);
                for (Rival rival : rivals(what, lab)) {
                    Figures<RdmaCase> line = against(rival, what, traffic);
                    lines.add(new Line(line, traffic.doorbells()));
                }
                check(what, lab.wrong(traffic.moved()), traffic);
            }
        }
    }

    private static void warm(Pairs.Ours ours, boolean oneThread) throws InterruptedException {
        ours.run(WARM_UP * 1_000_000, oneThread);
    }

    private Figures<RdmaCase> against(Rival rival, RdmaCase what, Pairs.Ours ours) throws Exception {
        try (rival) {
            Figures<RdmaCase> line = new Figures<>(what, rival);
            pairs.measure(line, what.oneThread(), ours);
            return line;
        }
    }

    private static void check(RdmaCase what, List<Object> wrong, Pairs.Ours ours) {
        if (!wrong.isEmpty()) {
            throw new IllegalStateException(what + ": " + ours + " " + wrong);
        }
    }

    /** Each is started when it is its turn, and so is the next only when it has ended. */
    private List<Rival> rivals(RdmaCase what, RdmaLab lab) {
        List<Rival> all = new ArrayList<>();
        if (what.pairs() > 1) {
            all.add(Rival.of("one-pair", true, () -> new OnePair(lab.traffic(1, 1))));
            return all;
        }
        if (!what.fromMemory() || what.mtu() == 4096) {
            add(all, "ucx-shm", Ucx.installed(), () -> new Ucx(what, "posix"));
            if (!what.echo()) {
                add(all, "ucx-tcp", Ucx.installed(), () -> new Ucx(what, "tcp"));
                add(all, "nio", true, () -> new Loopback(what));
            }
        }
        if (!what.echo()) {
            add(all, "memcpy", true, () -> new Memcpy(what));
        }
        return all;
    }

    private static void add(List<Rival> to, String name, boolean installed, Rival.Start start) {
        if (PEERS.getFirst().isEmpty() || PEERS.contains(name)) {
            to.add(Rival.of(name, installed, start));
        }
    }
}
