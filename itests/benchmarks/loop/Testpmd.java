package io.manafold.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * DPDK's testpmd with one forwarding thread, told what to do line by line; stopped, that thread sleeps. Without root
 * and without huge pages it works as well, though on pages of 4 KiB.
 */
final class Testpmd implements AutoCloseable {
    private static final int HUGE_PAGES = 300;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final int LINES = 100_000;
    private static final String PROMPT = "testpmd> ";
    private static final Pattern NUMBER = Pattern.compile("(RX-packets|Rx-pps):\\s*(\\d+)");
    private static final Pattern FREE = Pattern.compile("(HugePages_Free|Hugepagesize):\\s*(\\d+)");

    private final Process process;
    private final PrintStream to;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(LINES);

    /**
     * @param cores the processors of the thread that takes orders, and of the one that forwards
     * @param mode what is forwarded: {@code io}, {@code rxonly}, {@code txonly}
     */
    Testpmd(String name, String mode, int[] cores, int frame, int burst, List<String> devices) throws IOException {
        List<String> words = new ArrayList<>(List.of("stdbuf", "-oL", "dpdk-testpmd", "--lcores",
                "0@" + cores[0] + ",1@" + cores[1], "--no-pci", "--no-telemetry", "-m", "256",
                "--file-prefix", "manafold-" + ProcessHandle.current().pid() + "-" + name));
        words.addAll(hugePages() ? List.of("--in-memory", "--single-file-segments")
                : List.of("--no-huge", "--no-shconf"));
        devices.forEach(device -> words.add("--vdev=" + device));
        // frames that wait when it stops go on when it starts again
        words.addAll(List.of("--", "-i", "--no-flush-rx", "--nb-cores=1", "--burst=" + burst, "--total-num-mbufs=16384",
                "--forward-mode=" + mode, "--txpkts=" + frame));
        process = new ProcessBuilder(words).redirectErrorStream(true).start();
        to = new PrintStream(process.getOutputStream(), true);
        Thread.ofPlatform().daemon().name("testpmd-" + name).start(this::read);
        await("ready", line -> line.contains("Checking link statuses"));
    }

    static boolean installed() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "dpdk-testpmd")));
    }

    /** What its memory consists of. */
    static String pages() {
        return hugePages() ? "huge pages" : "pages of 4 KiB";
    }

    private static boolean hugePages() {
        try {
            Map<String, Long> numbers = new HashMap<>();
            Matcher found = FREE.matcher(Files.readString(Path.of("/proc/meminfo")));
            while (found.find()) {
                numbers.put(found.group(1), Long.parseLong(found.group(2)));
            }
            return numbers.getOrDefault("HugePages_Free", 0L) >= HUGE_PAGES
                    && numbers.getOrDefault("Hugepagesize", 0L) == 2048;
        } catch (IOException unknown) {
            return false;
        }
    }

    private void read() {
        try (BufferedReader from = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                lines.offer(line);
            }
        } catch (IOException ended) {
            // the thread that waits for a line sees that the process has gone
        }
    }

    void tell(String order) {
        to.println(order);
    }

    private String await(String what, Predicate<String> wanted) {
        long until = System.nanoTime() + PATIENCE;
        String last = "";
        try {
            while (System.nanoTime() - until < 0) {
                String line = lines.poll(100, TimeUnit.MILLISECONDS);
                if (line == null) {
                    if (!process.isAlive() && lines.isEmpty()) {
                        throw new IllegalStateException("testpmd has ended: " + last);
                    }
                } else if (wanted.test(line)) {
                    return line;
                } else if (!line.isBlank() && !line.startsWith(PROMPT)) {
                    last = line.strip();
                }
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("testpmd does not get " + what + ": " + last);
    }

    private long number(String what, String label) {
        Matcher found = NUMBER.matcher(await(what, line -> line.contains(label)));
        found.find();
        return Long.parseLong(found.group(2));
    }

    /** Ends forwarding; how many packets were received since it began. */
    long stop() {
        tell("stop");
        await("to an end", line -> line.contains("Accumulated forward statistics"));
        long packets = number("to an end", "RX-packets:");
        await("to an end", line -> line.contains("Done."));
        return packets;
    }

    /** Packets a second that its only port has received since this was asked the last time. */
    long received() {
        tell("show port stats 0");
        return number("statistics", "Rx-pps:");
    }

    /** Processor time of the thread that forwards; exact when that sleeps. */
    long nanos() throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc", "" + pid(), "task"))) {
            for (Path task : tasks.toList()) {
                if (Files.readString(task.resolve("comm")).contains("worker-1")) {
                    return Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ")[0]);
                }
            }
        }
        throw new IllegalStateException("testpmd has no forwarding thread");
    }

    private long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        tell("quit");
        to.close();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                process.waitFor();
            }
        } catch (InterruptedException hurried) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
