package io.manafold.benchmark;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Packets of 64 bytes that come at half of the rate that is reached in the end, from the start of ports on, beside an
 * adapter that is at work already, and in a virtual machine that has just begun, whose adapter is interpreted. Lost is
 * what comes while more wait than a ring holds. Rate and seconds are of processor time, since others may take time
 * away.
 */
public final class FirstFiveSeconds {
    private static final int SECONDS = Integer.getInteger("first", 5);
    /** More lost than these are an error. */
    private static final long MOST_LOST = Long.getLong("most.lost", Long.MAX_VALUE);
    private static final long LEAST_WARM_UP = 1_000_000_000;
    private static final PmdCase WHAT = new PmdCase(PmdCase.Mode.TXONLY, true, 64, 1, 32);

    private FirstFiveSeconds() {
    }

    /** In a virtual machine of its own: prints how many have come, and how many of them are lost. */
    public static void main(String[] arguments) throws Exception {
        PmdTraffic traffic = paced(Double.parseDouble(arguments[0]), true);
        System.out.println(traffic.packets() + " " + traffic.lost());
        System.out.flush();
    }

    private static PmdTraffic paced(double pace, boolean warm) throws InterruptedException {
        try (PmdLab lab = new PmdLab(WHAT, warm)) {
            PmdTraffic traffic = lab.traffic();
            traffic.pace(pace);
            traffic.run(SECONDS * 1_000_000_000L, true);
            if (!traffic.isComplete() || !lab.refused().isEmpty()) {
                throw new IllegalStateException(traffic + " " + lab.refused());
            }
            return traffic;
        }
    }

    /** Answers a sentence. It is an error if what was sent does not arrive, or more than allowed is lost. */
    static String measure(long warmUp, long slice) throws Exception {
        double nanos;
        try (PmdLab lab = new PmdLab(WHAT)) {
            lab.traffic().run(Math.max(LEAST_WARM_UP, warmUp), true);
            lab.traffic().run(slice, true);
            nanos = (double) lab.traffic().cpuNanos() / lab.traffic().packets();
            // who makes the packets knows how, too
            lab.traffic().pace(0.5 / nanos);
            lab.traffic().run(Math.max(LEAST_WARM_UP, warmUp), true);
        }
        PmdTraffic started = paced(0.5 / nanos, false);
        long taken = takenByTheMachine(0.5 / nanos);
        if (started.lost() > MOST_LOST) {
            throw new IllegalStateException(started.lost() + " packets are lost beside " + started + " in the first "
                    + SECONDS + " seconds of ports at half of the final rate");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FirstFiveSeconds.class.getName(),
                String.valueOf(0.5 / nanos)));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String[] answer = new String(process.getInputStream().readAllBytes()).strip().split(" ");
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the first seconds ended with " + process.exitValue());
        }
        return String.format(Locale.ROOT, "%d of %d packets are lost in the first %d seconds of ports, at %.2f million "
                + "a second, half of the final rate, where a loop that only reads the clock would lose %d; of a "
                + "virtual machine that has just begun %s of %s are",
                started.lost(), started.packets(), SECONDS, 500 / nanos, taken, answer[1], answer[0]);
    }

    /** What would be lost by a thread that is always ready: interrupts and the machine's host have taken its time. */
    private static long takenByTheMachine(double pace) {
        double lost = 0;
        long begin = Clock.threadNanos();
        long last = begin;
        while (last - begin < SECONDS * 1_000_000_000L) {
            long now = Clock.threadNanos();
            lost += Math.max(0, (now - last) * pace - PmdTraffic.WAITING);
            last = now;
        }
        return (long) lost;
    }
}
