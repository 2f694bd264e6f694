package io.manafold.benchmark;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * Prints how many milliseconds after the start of its virtual machine packets of 64 bytes go round at nine tenths of
 * the rate that they end up with. The rate is of processor time, since others may take time away; the milliseconds are
 * of the clock.
 */
public final class FirstSeconds {
    private static final int STEP = 20;
    /** Steps over which a rate is taken. */
    private static final int SPAN = 5;
    /** With less time there is no steady rate to be seen. */
    private static final int LEAST = 400;

    private FirstSeconds() {
    }

    public static void main(String[] arguments) {
        int steps = Math.max(LEAST, Integer.parseInt(arguments[0])) / STEP;
        long start = ManagementFactory.getRuntimeMXBean().getStartTime();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        DriverCase what = new DriverCase(true, 64, 32);
        try (DriverLab lab = new DriverLab(what)) {
            long thread = lab.traffic().threads(true)[0];
            long[] millis = new long[steps];
            long[] packets = new long[steps];
            long[] nanos = new long[steps];
            lab.traffic().begin((steps + 50L) * STEP * 1_000_000);
            for (int i = 0; i < steps; i++) {
                millis[i] = System.currentTimeMillis() - start;
                packets[i] = lab.traffic().progress();
                nanos[i] = threads.getThreadCpuTime(thread);
                Memif.pause(STEP);
            }
            System.out.println(soon(millis, packets, nanos));
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
    }

    private static long soon(long[] millis, long[] packets, long[] nanos) {
        double[] rates = new double[packets.length - SPAN];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = (packets[i + SPAN] - packets[i]) / (double) Math.max(1, nanos[i + SPAN] - nanos[i]);
        }
        double[] steady = Arrays.copyOfRange(rates, rates.length / 2, rates.length);
        Arrays.sort(steady);
        double enough = 0.9 * steady[steady.length / 2];
        for (int i = 0; i < rates.length; i++) {
            if (rates[i] >= enough) {
                return millis[i + SPAN];
            }
        }
        throw new IllegalStateException("no rate is ever as high as nine tenths of the median");
    }
}
