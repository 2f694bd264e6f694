package io.manafold.benchmark;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Packets from a device of the Ethernet driver through the adapter to another device of it, in one thread and in two,
 * beside other programs that move packets. They take turns in short slices; what is quoted is the median.
 */
public final class DriverLoop {
    private static final int ROUNDS = Integer.getInteger("rounds", 7);
    private static final long SLICE = Long.getLong("millis", 300);
    private static final long WARM_UP = Long.getLong("warm", 1500);
    private static final String START = System.getProperty("start", "4000");
    private static final Path FOLDER = Path.of(System.getProperty("folder", "/tmp"));
    /** The program in C; empty if there is none. */
    private static final String C = System.getProperty("c", "");

    private DriverLoop() {
    }

    public static void main(String[] arguments) throws Exception {
        boolean json = List.of(arguments).contains("--json");
        if (Testpmd.installed()) {
            System.err.println("driver-loop: DPDK works on " + Testpmd.pages());
        } else {
            System.err.println("driver-loop: DPDK is not installed, so there is no ratio to memif and vhost-user; in "
                    + "Debian, dpdk-testpmd is in the package dpdk-dev");
        }
        if (!json) {
            DriverTable.head();
        }
        List<Figures<DriverCase>> lines = new ArrayList<>();
        int[] cores = Pairs.cores();
        try (CoreToCore coreToCore = new CoreToCore(System.getProperty("core-to-core", ""), cores)) {
            Pairs pairs = new Pairs(coreToCore, ROUNDS, SLICE);
            for (DriverCase what : DriverCase.all()) {
                List<Figures<DriverCase>> measured = measure(what, pairs, cores);
                lines.addAll(measured);
                if (!json) {
                    measured.forEach(DriverTable::print);
                }
            }
        }
        double start = start();
        if (json) {
            DriverTable.json(lines, start);
        } else {
            DriverTable.print(start);
            DriverTable.printIdleRdma(lines);
        }
    }

    private static List<Figures<DriverCase>> measure(DriverCase what, Pairs pairs, int[] cores) throws Exception {
        List<Figures<DriverCase>> lines = new ArrayList<>();
        try (DriverLab lab = new DriverLab(what)) {
            DriverTraffic traffic = lab.traffic();
            traffic.run(WARM_UP * 1_000_000, what.oneThread());
            for (Rival rival : rivals(what, cores)) {
                try (rival) {
                    Figures<DriverCase> line = new Figures<>(what, rival);
                    pairs.measure(line, what.oneThread(), traffic);
                    lines.add(line);
                }
            }
            if (!traffic.isComplete() || !lab.refused().isEmpty()) {
                throw new IllegalStateException(what + ": " + traffic + " " + lab.refused());
            }
            return lines;
        }
    }

    private static List<Rival> rivals(DriverCase what, int[] cores) {
        boolean dpdk = Testpmd.installed();
        if (!what.oneThread()) {
            return List.of(Rival.of("vhost-user", dpdk,
                    () -> new VhostUser(what.frame(), what.batch(), cores, FOLDER)));
        }
        LoopCase bare = new LoopCase(LoopCase.Threads.ONE, what.frame(), 1, 1, false);
        return List.of(Rival.of("memif", dpdk, () -> new Memif(what.frame(), what.batch(), cores, FOLDER)),
                Rival.of(IdleRdma.NAME, true, () -> new IdleRdma(what, WARM_UP * 1_000_000)),
                Rival.of("C", !C.isEmpty(), () -> new EqualWork(C, bare, what.batch())),
                Rival.of("C-pools", !C.isEmpty(), () -> new EqualWork(C, bare, what.batch(), true)));
    }

    /** The median of some starts, each in a virtual machine of its own. */
    private static double start() throws Exception {
        double[] millis = new double[Math.min(5, ROUNDS)];
        for (int i = 0; i < millis.length; i++) {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), FirstSeconds.class.getName(), START));
            Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            String answer = new String(process.getInputStream().readAllBytes()).strip();
            if (process.waitFor() != 0) {
                throw new IllegalStateException("a start ended with " + process.exitValue());
            }
            millis[i] = Double.parseDouble(answer);
        }
        Arrays.sort(millis);
        return millis[millis.length / 2];
    }
}
