package io.manafold.fabric.internal;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.refusal.Refusal;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;

/** A process with few descriptors that opens links to the host, again and again, and says how that went. */
public final class FailedOpens {
    private static final int ROUNDS = 64;

    private FailedOpens() {
    }

    public static void main(String[] arguments) throws Exception {
        LinkPlan wire = new LinkPlan("host", LinkPlan.Kind.PACKET, List.of("one/1"), "lo", Impairments.NONE, null);
        // classes that are needed take descriptors to load, so once with enough of them
        open(wire);
        openWithOneDescriptor(wire);
        left();
        long[] before = left();
        for (int round = 0; round < ROUNDS; round++) {
            System.out.println("one descriptor: " + openWithOneDescriptor(wire));
        }
        long[] after = left();
        System.out.println("enough descriptors: " + open(wire));
        System.out.println("descriptors: " + (after[0] - before[0]));
        System.out.println("bytes: " + (after[1] - before[1]));
    }

    private static String open(LinkPlan plan) {
        try {
            FabricLink.open(plan).close();
            return "opened";
        } catch (Refusal refused) {
            return refused.errno().name();
        }
    }

    private static String openWithOneDescriptor(LinkPlan plan) throws IOException {
        ArrayDeque<FileInputStream> fillers = new ArrayDeque<>();
        try {
            while (true) {
                fillers.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException none) {
            fillers.pop().close();
        }
        try {
            return open(plan);
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
