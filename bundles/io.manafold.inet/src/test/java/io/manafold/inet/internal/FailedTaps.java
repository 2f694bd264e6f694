package io.manafold.inet.internal;

import io.manafold.api.refusal.Refusal;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.stream.Stream;

/** A process with few descriptors that opens a tap, again and again, and says how that went and what was left. */
public final class FailedTaps {
    private static final int ROUNDS = 64;

    private FailedTaps() {
    }

    public static void main(String[] arguments) throws Exception {
        String tap = arguments[0];
        // classes that are needed take descriptors to load, so once with enough of them
        open(tap);
        openWithOneDescriptor(tap);
        left();
        long[] before = left();
        for (int round = 0; round < ROUNDS; round++) {
            System.out.println("one descriptor: " + openWithOneDescriptor(tap));
        }
        long[] after = left();
        System.out.println("descriptors: " + (after[0] - before[0]));
        System.out.println("bytes: " + (after[1] - before[1]));
    }

    private static String open(String tap) {
        try {
            TapEnd.open("mana0", tap, () -> { }).close(Runnable::run);
            return "opened";
        } catch (Refusal refused) {
            return refused.errno().name();
        }
    }

    private static String openWithOneDescriptor(String tap) throws IOException {
        ArrayDeque<FileInputStream> fillers = new ArrayDeque<>();
        try {
            while (true) {
                fillers.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException none) {
            fillers.pop().close();
        }
        try {
            return open(tap);
        } finally {
            for (FileInputStream one : fillers) {
                one.close();
            }
        }
    }

    /** How many descriptors the process has, and how many bytes its address space. */
    private static long[] left() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"));
                Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
            long kibibytes = status.filter(line -> line.startsWith("VmSize:")).mapToLong(line -> Long.parseLong(
                    line.replaceAll("[^0-9]", ""))).sum();
            return new long[] {descriptors.count(), kibibytes << 10};
        }
    }
}
