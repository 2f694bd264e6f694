package io.manafold.benchmark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Frames round and round through one adapter, as fast as one or two threads go, beside other programs that move frames.
 * They take turns in short slices; what is quoted is the median, of the ratios too.
 */
public final class AdapterLoop {
    private static final int BURST = Integer.getInteger("burst", 32);
    private static final int ROUNDS = Integer.getInteger("rounds", 7);
    private static final long SLICE = Long.getLong("millis", 300);
    private static final long WARM_UP = Long.getLong("warm", 1500);
    private static final String C = System.getProperty("c", "");
    private static final Path FOLDER = Path.of(System.getProperty("folder", "/tmp"));

    private final int[] cores;
    private final Pairs pairs;

    private AdapterLoop(int[] cores, Pairs pairs) {
        this.cores = cores;
        this.pairs = pairs;
    }

    public static void main(String[] arguments) throws Exception {
        boolean json = List.of(arguments).contains("--json");
        String only = System.getProperty("only", "");
        List<Figures<LoopCase>> lines = new ArrayList<>();
        if (Testpmd.installed()) {
            System.err.println("adapter-loop: DPDK works on " + Testpmd.pages());
        } else {
            System.err.println("adapter-loop: DPDK is not installed, so there is no ratio to memif and vhost-user; in "
                    + "Debian, dpdk-testpmd is in the package dpdk-dev");
        }
        if (!json) {
            LoopTable.head();
        }
        int[] cores = Pairs.cores();
        try (CoreToCore coreToCore = new CoreToCore(System.getProperty("core-to-core", ""), cores)) {
            AdapterLoop loop = new AdapterLoop(cores, new Pairs(coreToCore, ROUNDS, SLICE));
            for (LoopCase what : LoopCase.all()) {
                if (only.isEmpty() || only.equals(what.toString())) {
                    List<Figures<LoopCase>> measured = loop.measure(what);
                    lines.addAll(measured);
                    if (!json) {
                        measured.forEach(LoopTable::print);
                    }
                }
            }
        }
        if (json) {
            LoopTable.json(lines);
        }
    }

    private List<Rival> rivals(LoopCase what) {
        boolean dpdk = Testpmd.installed();
        List<Rival> all = new ArrayList<>();
        all.add(Rival.of("C", !C.isEmpty(), () -> new EqualWork(C, what, BURST)));
        if (what.isPlain() && (what.frame() == 64 || what.frame() == 1500)) {
            all.add(what.oneThread() ? Rival.of("memif", dpdk, () -> new Memif(what.frame(), BURST, cores, FOLDER))
                    : Rival.of("vhost-user", dpdk, () -> new VhostUser(what.frame(), BURST, cores, FOLDER)));
        }
        return all;
    }

    private List<Figures<LoopCase>> measure(LoopCase what) throws Exception {
        List<Figures<LoopCase>> lines = new ArrayList<>();
        try (LoopLab lab = new LoopLab(what, BURST)) {
            LoopTraffic traffic = lab.traffic();
            traffic.run(WARM_UP * 1_000_000, what.oneThread());
            for (Rival rival : rivals(what)) {
                try (rival) {
                    Figures<LoopCase> line = new Figures<>(what, rival);
                    pairs.measure(line, what.oneThread(), traffic);
                    lines.add(line);
                }
            }
            if (!traffic.isComplete() || !lab.refused().isEmpty()) {
                throw new IllegalStateException(what + ": " + traffic + " " + lab.refused());
            }
        }
        return lines;
    }
}
