package io.manafold.benchmark;

import java.io.IOException;
import java.nio.file.Files;
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
    /** How often as many pairs as wanted are tried, while some have to be dropped. */
    private static final int TRIES = 3;
    private static final String C = System.getProperty("c", "");
    private static final Path FOLDER = Path.of(System.getProperty("folder", "/tmp"));

    private final int[] cores;
    private final CoreToCore coreToCore;

    private AdapterLoop(int[] cores, CoreToCore coreToCore) {
        this.cores = cores;
        this.coreToCore = coreToCore;
    }

    public static void main(String[] arguments) throws Exception {
        boolean json = List.of(arguments).contains("--json");
        String only = System.getProperty("only", "");
        List<Figures> lines = new ArrayList<>();
        if (Testpmd.installed()) {
            System.err.println("adapter-loop: DPDK works on " + Testpmd.pages());
        } else {
            System.err.println("adapter-loop: DPDK is not installed, so there is no ratio to memif and vhost-user; in "
                    + "Debian, dpdk-testpmd is in the package dpdk-dev");
        }
        if (!json) {
            LoopTable.head();
        }
        int[] cores = cores();
        try (CoreToCore coreToCore = new CoreToCore(System.getProperty("core-to-core", ""), cores)) {
            AdapterLoop loop = new AdapterLoop(cores, coreToCore);
            for (LoopCase what : LoopCase.all()) {
                if (only.isEmpty() || only.equals(what.toString())) {
                    List<Figures> measured = loop.measure(what);
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

    /** The first two processors that this process may use; they may be the same one. */
    private static int[] cores() throws IOException {
        String allowed = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:")).findFirst().orElseThrow();
        List<Integer> all = new ArrayList<>();
        for (String range : allowed.substring(allowed.indexOf(':') + 1).strip().split(",")) {
            String[] ends = range.split("-");
            for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) {
                all.add(i);
            }
        }
        return new int[] {all.getFirst(), all.get(Math.min(1, all.size() - 1))};
    }

    private List<Rival> rivals(LoopCase what) {
        boolean dpdk = Testpmd.installed();
        List<Rival> all = new ArrayList<>();
        if (what.oneThread()) {
            all.add(Rival.of("C", !C.isEmpty(), () -> new EqualWork(C, what, BURST)));
        }
        if (what.isPlain() && (what.frame() == 64 || what.frame() == 1500)) {
            all.add(what.oneThread() ? Rival.of("memif", dpdk, () -> new Memif(what.frame(), cores, FOLDER))
                    : Rival.of("vhost-user", dpdk, () -> new VhostUser(what.frame(), cores, FOLDER)));
        }
        return all.isEmpty() ? List.of(Rival.none()) : all;
    }

    private List<Figures> measure(LoopCase what) throws Exception {
        List<Figures> lines = new ArrayList<>();
        try (LoopLab lab = new LoopLab(what, BURST)) {
            LoopTraffic traffic = lab.traffic();
            traffic.run(WARM_UP * 1_000_000, what.oneThread());
            for (Rival rival : rivals(what)) {
                try (rival) {
                    Figures line = new Figures(what, rival);
                    if (rival.peer() != null) {
                        rival.peer().slice(SLICE);
                    }
                    for (int i = 0; i < TRIES * ROUNDS && line.pairs() < ROUNDS; i++) {
                        pair(line, traffic);
                    }
                    lines.add(line);
                }
            }
            if (!traffic.isComplete() || !lab.refused().isEmpty()) {
                throw new IllegalStateException(what + ": " + traffic + " " + lab.refused());
            }
        }
        return lines;
    }

    private void pair(Figures line, LoopTraffic traffic) throws Exception {
        boolean one = line.what.oneThread();
        double before = one ? Double.NaN : coreToCore.nanos();
        // on one thread it is the agent's, while this one only waits
        long agent = Clock.thread("manafold-link-loop");
        long[] threads = one ? new long[] {agent} : new long[] {agent, Thread.currentThread().threadId()};
        long allocated = Clock.allocated(threads);
        traffic.run(SLICE * 1_000_000, one);
        line.allocated((Clock.allocated(threads) - allocated) / (double) traffic.packets);
        // others on the machine take time away, but not what the thread itself used
        double nanos = (one ? traffic.cpuNanos : traffic.wallNanos) / (double) traffic.packets;
        double rival = line.rival.peer() == null ? Double.NaN : line.rival.peer().slice(SLICE);
        if (!one) {
            double after = coreToCore.nanos();
            line.trip(before, after);
            if (!CoreToCore.stoodStill(before, after)) {
                line.drop();
                return;
            }
        }
        line.add(traffic.packets * 1e9 / traffic.wallNanos, nanos, rival);
    }
}
