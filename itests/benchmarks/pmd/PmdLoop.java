package io.manafold.benchmark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Packets from a port of the poll-mode driver through the adapter to another, in one thread and in two, beside other
 * programs that move packets. They take turns in short slices; what is quoted is the median.
 */
public final class PmdLoop {
    private static final int ROUNDS = Integer.getInteger("rounds", 7);
    private static final long SLICE = Long.getLong("millis", 300);
    private static final long WARM_UP = Long.getLong("warm", 1500);
    private static final Path FOLDER = Path.of(System.getProperty("folder", "/tmp"));
    /** The program in C; empty if there is none. */
    private static final String C = System.getProperty("c", "");
    /** Rivals that are wanted; empty for all. */
    private static final List<String> WANTED = List.of(System.getProperty("peers", "").split("[, ]+"));

    private PmdLoop() {
    }

    public static void main(String[] arguments) throws Exception {
        boolean json = List.of(arguments).contains("--json");
        if (Testpmd.installed()) {
            System.err.println("pmd-loop: DPDK works on " + Testpmd.pages());
        } else {
            System.err.println("pmd-loop: DPDK is not installed, so there is no ratio to its devices; in Debian, "
                    + "dpdk-testpmd is in the package dpdk-dev");
        }
        if (!json) {
            PmdTable.head();
        }
        List<Figures<PmdCase>> lines = new ArrayList<>();
        Map<PmdCase, Double> emptyTurns = new HashMap<>();
        int[] cores = Pairs.cores();
        try (CoreToCore coreToCore = new CoreToCore(System.getProperty("core-to-core", ""), cores)) {
            Pairs pairs = new Pairs(coreToCore, ROUNDS, SLICE);
            for (PmdCase what : PmdCase.all()) {
                List<Figures<PmdCase>> measured = measure(what, pairs, cores, emptyTurns);
                lines.addAll(measured);
                if (!json) {
                    measured.forEach(line -> PmdTable.print(line, emptyTurns.get(what)));
                }
            }
        }
        String first = FirstFiveSeconds.measure(WARM_UP * 1_000_000, SLICE * 1_000_000);
        if (json) {
            PmdTable.json(lines, emptyTurns);
        } else {
            PmdTable.rates(lines);
            System.out.println(System.lineSeparator() + first + ".");
        }
    }

    private static List<Figures<PmdCase>> measure(PmdCase what, Pairs pairs, int[] cores,
            Map<PmdCase, Double> emptyTurns) throws Exception {
        List<Figures<PmdCase>> lines = new ArrayList<>();
        try (PmdLab lab = new PmdLab(what)) {
            PmdTraffic traffic = lab.traffic();
            traffic.run(WARM_UP * 1_000_000, what.oneThread());
            for (Rival rival : rivals(what, cores)) {
                try (rival) {
                    Figures<PmdCase> line = new Figures<>(what, rival);
                    pairs.measure(line, what.oneThread(), traffic);
                    lines.add(line);
                }
            }
            if (!traffic.isComplete() || !lab.refused().isEmpty()) {
                throw new IllegalStateException(what + ": " + traffic + " " + lab.refused());
            }
            emptyTurns.put(what, traffic.emptyTurnNanos());
            return lines;
        }
    }

    private static List<Rival> rivals(PmdCase what, int[] cores) {
        boolean dpdk = Testpmd.installed() && what.queues() == 1;
        boolean made = what.mode() == PmdCase.Mode.TXONLY;
        List<Rival> rivals = new ArrayList<>();
        if (made) {
            LoopCase same = new LoopCase(what.oneThread() ? LoopCase.Threads.ONE : LoopCase.Threads.TWO, what.frame(),
                    what.queues(), 1, what.queues() > 1);
            add(rivals, "C-pools", !C.isEmpty(), () -> new EqualWork(C, same, what.burst(), true));
            add(rivals, "C", !C.isEmpty(), () -> new EqualWork(C, same, what.burst(), false));
            if (what.queues() == 1) {
                add(rivals, "ethernet", true, () -> new EthernetPeer(what, WARM_UP * 1_000_000));
            }
        }
        if (what.queues() > 1) {
            return rivals;
        }
        if (!what.oneThread()) {
            add(rivals, "vhost-user", dpdk, () -> new VhostUser(what.frame(), what.burst(), cores, FOLDER));
            return rivals;
        }
        add(rivals, "memif", dpdk, () -> new Memif(what.frame(), what.burst(), cores, FOLDER));
        if (!made) {
            String mode = what.mode().toString();
            add(rivals, "net_ring", dpdk, () -> new Vdev("net_ring0", mode, what.frame(), what.burst(), cores, true));
            add(rivals, "net_null", dpdk, () -> new Vdev("net_null0", mode, what.frame(), what.burst(), cores, false));
        }
        return rivals;
    }

    private static void add(List<Rival> rivals, String name, boolean installed, Rival.Start start) {
        if (WANTED.equals(List.of("")) || WANTED.contains(name)) {
            rivals.add(Rival.of(name, installed, start));
        }
    }
}
