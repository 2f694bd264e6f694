package io.manafold.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What is measured.
 *
 * @param mode what is done to packets
 * @param oneThread whether the driver and the adapter take turns in one thread
 * @param queues of each port
 * @param burst packets that are moved at once
 */
record PmdCase(Mode mode, boolean oneThread, int frame, int queues, int burst) {
    /** What is done to packets. */
    enum Mode {
        /** Packets are made and sent by one port, and released by the other. */
        TXONLY,
        /** What arrives at one port is sent by the other, and comes back to the first. */
        IO,
        /** What arrives at a port is sent back to whom it is from. */
        MACSWAP;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static List<PmdCase> all() {
        List<PmdCase> all = new ArrayList<>();
        for (String mode : words("modes", "txonly,io,macswap")) {
            for (int threads : numbers("threads", "1,2")) {
                for (int queues : numbers("queues", "1,2")) {
                    for (int frame : numbers("frames", "64,256,1500,9000")) {
                        for (int burst : numbers("bursts", "1,8,32,256")) {
                            all.add(new PmdCase(Mode.valueOf(mode.toUpperCase(Locale.ROOT)), threads == 1, frame,
                                    queues, burst));
                        }
                    }
                }
            }
        }
        return all;
    }

    private static List<String> words(String property, String usual) {
        return List.of(System.getProperty(property, usual).split(","));
    }

    private static int[] numbers(String property, String usual) {
        return Stream.of(System.getProperty(property, usual).split(",")).mapToInt(Integer::parseInt).toArray();
    }

    int threads() {
        return oneThread ? 1 : 2;
    }
}
