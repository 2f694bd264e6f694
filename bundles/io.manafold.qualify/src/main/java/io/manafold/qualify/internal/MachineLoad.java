package io.manafold.qualify.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** What the processors of the machine have done so far, and what this process had of them, in the kernel's ticks. */
record MachineLoad(long own, long busy, long stolen, long atNanos) {
    private static final double TICKS = 100;
    private static final double NANOS = 1e9;
    private static final double MUCH_STOLEN = 0.01;
    private static final double MUCH_OTHERS = 0.2;
    /** Places of fields: of a process behind its name, its own time and then the kernel's for it; of the machine. */
    private static final int USER = 11;
    private static final int STOLEN = 7;

    static MachineLoad now() {
        long time = System.nanoTime();
        try {
            return of(Files.readString(Path.of("/proc/stat")), Files.readString(Path.of("/proc/self/stat")), time);
        } catch (IOException | RuntimeException unreadable) {
            // a machine that does not tell is taken for a quiet one
            return new MachineLoad(0, 0, 0, time);
        }
    }

    static MachineLoad of(String machine, String process, long atNanos) {
        String[] all = machine.substring("cpu".length(), machine.indexOf('\n')).strip().split(" +");
        // the name before it is in brackets and may have blanks
        String[] own = process.substring(process.lastIndexOf(')') + 1).strip().split(" +");
        // user, nice, system, then idle and waiting, then interrupts of both kinds
        return new MachineLoad(sum(own, USER, USER + 1), sum(all, 0, 1, 2, 5, 6), sum(all, STOLEN), atNanos);
    }

    private static long sum(String[] fields, int... which) {
        return Arrays.stream(which).mapToLong(at -> Long.parseLong(fields[at])).sum();
    }

    private double seconds(MachineLoad since) {
        return Math.max(0.001, (atNanos - since.atNanos) / NANOS);
    }

    /** How many cores this process had on average. */
    double cores(MachineLoad since) {
        return Math.max(0, own - since.own) / TICKS / seconds(since);
    }

    /** What of the machine got in the way, in words; empty if not much. */
    String disturbance(MachineLoad since) {
        double theirs = Math.max(0, busy - since.busy - (own - since.own)) / TICKS / seconds(since);
        double taken = Math.max(0, stolen - since.stolen) / TICKS / seconds(since);
        if (taken > MUCH_STOLEN) {
            return String.format(Locale.ROOT, "%.0f %% of a core stolen", 100 * taken);
        }
        return theirs > MUCH_OTHERS
                ? String.format(Locale.ROOT, "other processes had %.1f cores", theirs) : "";
    }
}
