package io.manafold.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Two network namespaces, a pair of virtual interfaces between them, and a queueing discipline of the kernel on one.
 */
final class Veth implements AutoCloseable {
    private static final String FROM = "10.99.0.1";
    private static final String TO = "10.99.0.2";
    private static final int HEADERS = 14 + 20 + 8;
    private static final int PORT = 7001;
    private static final double LEAD = 0.3;
    private static final int LEAST_BURST = 16384;

    private final String load;
    private final String left = "mf-a-" + ProcessHandle.current().pid();
    private final String right = "mf-b-" + ProcessHandle.current().pid();
    private final Deque<String> undo = new ArrayDeque<>();

    private Veth(String load) {
        this.load = load;
    }

    /** @throws IllegalStateException why there cannot be one */
    static Veth open(String load) throws IOException, InterruptedException {
        if (load.isEmpty()) {
            throw new IllegalStateException("it needs gcc");
        }
        Veth veth = new Veth(load);
        try {
            veth.make();
        } catch (RuntimeException failed) {
            veth.close();
            throw failed;
        }
        return veth;
    }

    private void make() throws IOException, InterruptedException {
        for (String name : List.of(left, right)) {
            run("ip netns add " + name);
            undo.push("ip netns del " + name);
        }
        run("ip link add va netns " + left + " type veth peer name vb netns " + right);
        run("ip -n " + left + " addr add " + FROM + "/24 dev va");
        run("ip -n " + right + " addr add " + TO + "/24 dev vb");
        run("ip -n " + left + " link set va up");
        run("ip -n " + right + " link set vb up");
        run("tc -n " + left + " qdisc show dev va");
    }

    /** Bytes that a discipline may send at once: those of two milliseconds, if that is not too few. */
    static long burst(long rate) {
        return Math.max(LEAST_BURST, rate / 4000);
    }

    /** Frames' lengths are as the discipline counts them. */
    Measured measure(String discipline, long rate, int frame, double seconds) throws IOException, InterruptedException {
        try {
            run("tc -n " + left + " qdisc del dev va root");
        } catch (IllegalStateException none) {
            // the first one
        }
        long burst = burst(rate);
        if (discipline.equals("tbf")) {
            run("tc -n " + left + " qdisc add dev va root tbf rate " + rate + " burst " + burst + " latency 100ms");
        } else {
            run("tc -n " + left + " qdisc add dev va root handle 1: htb default 1");
            run("tc -n " + left + " class add dev va parent 1: classid 1:1 htb rate " + rate + " burst " + burst
                    + " cburst " + burst + " quantum 60000");
        }
        Process receiver = start(right, load, "receive", "" + PORT, "" + LEAD, "" + seconds);
        Process sender = start(left, load, "send", TO, "" + PORT, "" + (LEAD + seconds + 0.4), "" + (frame - HEADERS));
        String[] seen = text(receiver).strip().split(" ");
        String[] spent = text(sender).strip().split(" ");
        if (seen.length != 4 || spent.length != 1) {
            throw new IllegalStateException("nothing arrives through " + discipline);
        }
        double cpu = (Double.parseDouble(seen[3]) + Double.parseDouble(spent[0])) * 100 / (LEAD + seconds);
        return new Measured(Double.parseDouble(seen[0]), Double.parseDouble(seen[1]), Double.parseDouble(seen[2]), cpu);
    }

    private static Process start(String namespace, String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        all.addAll(List.of(words));
        return new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    private static String text(Process process) throws IOException, InterruptedException {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text;
    }

    private static void run(String line) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(Stream.of(line.split(" ")).toList()).redirectErrorStream(true).start();
        } catch (IOException absent) {
            throw new IllegalStateException("it needs ip and tc of iproute2 (" + absent.getMessage() + ")", absent);
        }
        String said = text(process).strip();
        if (process.exitValue() != 0) {
            throw new IllegalStateException(String.format(Locale.ROOT, "'%s' says '%s'; it needs root", line, said));
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        while (!undo.isEmpty()) {
            run(undo.pop());
        }
    }
}
