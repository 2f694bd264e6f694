import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * iperf3 from one network namespace to another, on three ways between the two: two taps with our hosts, our driver, the
 * adapter and a switch between them, a veth pair, and two taps of DPDK that testpmd forwards between. The ways take
 * turns; a tap that has none costs nothing meanwhile.
 */
static final Pattern RATE = Pattern.compile("([0-9.]+) Mbits/sec.*receiver");
static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
/** How much longer than it is to send a client may take. */
static final long MORE_SECONDS = 20;
static final String LAB = """
        adapters:
          - {name: one, ports: 2}
        links:
          - {name: net, ports: [one/1, one/2]}
        devices:
          - {name: mana0, on: one/1, tap: one0}
          - {name: mana1, on: one/2, tap: one1}
        """;

/** A way from the first namespace to the second. */
record Way(String name, String target, Runnable begin, Runnable end) {
}

final Deque<AutoCloseable> open = new ArrayDeque<>();
final List<Way> ways = new ArrayList<>();
final String here = "mb" + ProcessHandle.current().pid() + "a";
final String there = "mb" + ProcessHandle.current().pid() + "b";

void main(String[] arguments) throws Exception {
    boolean json = List.of(arguments).contains("--json");
    Path work = Path.of(System.getProperty("folder"));
    Map<String, String[]> cases = new LinkedHashMap<>();
    for (String flows : System.getProperty("flows").split(",")) {
        cases.put("tcp-x" + flows, new String[] {"-P", flows});
    }
    cases.put("udp-1400", new String[] {"-u", "-b", "0", "-l", "1400"});
    Thread last = new Thread(this::close);
    Runtime.getRuntime().addShutdownHook(last);
    try {
        for (String namespace : List.of(here, there)) {
            run("ip", "netns", "add", namespace);
            open.push(() -> run("ip", "netns", "del", namespace));
            run("ip", "-n", namespace, "link", "set", "lo", "up");
        }
        manafold(work);
        veth();
        dpdk(work);
        measure(cases, json);
    } finally {
        Runtime.getRuntime().removeShutdownHook(last);
        close();
    }
}

void measure(Map<String, String[]> cases, boolean json) throws Exception {
    for (Way way : ways) {
        // until the addresses are found
        way.begin.run();
        await("nothing gets through " + way.name, () -> !Double.isNaN(transfer(way, false, "-n", "64K")));
        way.end.run();
    }
    int rounds = Integer.getInteger("rounds");
    StringBuilder out = new StringBuilder(json ? "[" : head());
    for (Map.Entry<String, String[]> one : cases.entrySet()) {
        List<double[]> rates = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            rates.add(turn(one.getValue()));
        }
        if (json) {
            out.append(out.length() > 1 ? ",\n" : "").append(json(one.getKey(), rates));
        } else {
            out.append(line(one.getKey(), rates));
        }
    }
    IO.print(out.append(json ? "]\n" : ""));
}

double[] turn(String... options) throws Exception {
    double[] rates = new double[ways.size()];
    for (int i = 0; i < rates.length; i++) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("-t", System.getProperty("seconds")));
        ways.get(i).begin.run();
        rates[i] = iperf(ways.get(i), all.toArray(String[]::new));
        ways.get(i).end.run();
    }
    return rates;
}

/** Megabits a second that arrived, NaN if it failed twice; what its ends said is told then. */
double iperf(Way way, String... options) throws Exception {
    double rate = transfer(way, false, options);
    return Double.isNaN(rate) ? transfer(way, true, options) : rate;
}

/** With a server of its own: one whose client was killed calls itself busy to the next ones. */
double transfer(Way way, boolean tell, String... options) throws Exception {
    Path work = Path.of(System.getProperty("folder"));
    Path listened = work.resolve("server.log");
    Process server = keep(new ProcessBuilder("ip", "netns", "exec", there, "iperf3", "-s", "-1", "--forceflush")
            .redirectErrorStream(true).redirectOutput(listened.toFile()).start());
    try {
        await("iperf3 does not listen", () -> Files.readString(listened).contains("Server listening"));
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", here, "iperf3", "-c", way.target, "-f",
                "m", "--connect-timeout", "3000"));
        command.addAll(List.of(options));
        Path output = work.resolve("client.log");
        Process client = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        boolean ended = client.waitFor(Long.getLong("seconds") + MORE_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            client.destroyForcibly().waitFor();
        }
        double rate = Double.NaN;
        Matcher found = RATE.matcher(Files.readString(output));
        while (found.find()) {
            // with several flows the last line is their sum
            rate = Double.parseDouble(found.group(1));
        }
        if (client.exitValue() == 0 && !Double.isNaN(rate)) {
            return rate;
        }
        if (tell) {
            System.err.println("taps: " + way.name + ": iperf3 " + (ended ? "says " : "was ended, and said ")
                    + Files.readString(output).strip());
        }
        return Double.NaN;
    } finally {
        end();
    }
}

// ---- the ways

void manafold(Path work) throws Exception {
    Path lab = Files.writeString(work.resolve("taps.yaml"), LAB);
    ProcessBuilder builder = new ProcessBuilder("ip", "netns", "exec", here,
            Path.of(System.getProperty("top"), "manafold").toString(), "--headless", "--data",
            work.resolve("data").toString(), "--lab", lab.toString()).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("MANAFOLD_BUILD", "never");
    Process platform = keep(builder.start());
    String said = platform.inputReader().readLine();
    if (!"ready".equals(said)) {
        throw new IllegalStateException("the platform said '" + said + "' instead of 'ready'");
    }
    join("manafold", 1, "one0", "one1", () -> { }, () -> { });
}

void veth() throws Exception {
    run("ip", "-n", here, "link", "add", "two0", "type", "veth", "peer", "name", "two1");
    join("veth", 2, "two0", "two1", () -> { }, () -> { });
}

void dpdk(Path work) throws Exception {
    if (Stream.of(System.getenv("PATH").split(":"))
            .noneMatch(path -> Files.isExecutable(Path.of(path, "dpdk-testpmd")))) {
        System.err.println("taps: DPDK is not installed, so there is no ratio to its taps; in Debian, dpdk-testpmd is "
                + "in the package dpdk-dev");
        return;
    }
    Path log = work.resolve("testpmd.log");
    Process testpmd = keep(new ProcessBuilder("ip", "netns", "exec", here, "stdbuf", "-oL", "dpdk-testpmd", "-l", "0,1",
            "--no-pci", "--no-telemetry", "--no-huge", "--no-shconf", "-m", "256", "--file-prefix", here,
            "--vdev=net_tap0,iface=three0", "--vdev=net_tap1,iface=three1", "--", "-i", "--nb-cores=1", "--burst=32",
            "--total-num-mbufs=16384", "--forward-mode=io").redirectErrorStream(true)
            .redirectOutput(log.toFile()).start());
    PrintStream orders = new PrintStream(testpmd.getOutputStream(), true);
    open.push(() -> orders.println("quit"));
    // what it does with its interfaces it does before that
    await("testpmd does not get ready", () -> Files.readString(log).contains("Checking link statuses"));
    join("dpdk-tap", 3, "three0", "three1", () -> orders.println("start"), () -> orders.println("stop"));
}

/** Gives a way its addresses as soon as both its ends are there. */
void join(String name, int number, String left, String right, Runnable begin, Runnable end) throws Exception {
    await(name + " does not make " + left + " and " + right, () -> works("ip", "-n", here, "link", "show", left)
            && works("ip", "-n", here, "link", "show", right));
    run("ip", "-n", here, "link", "set", right, "netns", there);
    run("ip", "-n", here, "addr", "add", "10.98." + number + ".1/24", "dev", left);
    run("ip", "-n", there, "addr", "add", "10.98." + number + ".2/24", "dev", right);
    run("ip", "-n", here, "link", "set", left, "up");
    run("ip", "-n", there, "link", "set", right, "up");
    ways.add(new Way(name, "10.98." + number + ".2", begin, end));
}

Process keep(Process process) {
    open.push(() -> {
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    });
    return process;
}

void await(String otherwise, Callable<Boolean> condition) throws Exception {
    long until = System.nanoTime() + PATIENCE;
    while (!condition.call()) {
        if (System.nanoTime() - until > 0) {
            throw new IllegalStateException(otherwise);
        }
        TimeUnit.MILLISECONDS.sleep(100);
    }
}

boolean works(String... command) throws Exception {
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
            .waitFor() == 0;
}

void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes()).strip();
    if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + said);
    }
}

/** Ends what was begun last. */
synchronized void end() throws Exception {
    if (!open.isEmpty()) {
        open.pop().close();
    }
}

synchronized void close() {
    while (!open.isEmpty()) {
        try {
            open.pop().close();
        } catch (Exception failed) {
            System.err.println("taps: " + failed.getMessage());
        }
    }
}

// ---- figures

String head() {
    StringBuilder head = new StringBuilder(String.format("%-10s", "MBIT/S"));
    ways.forEach(way -> head.append(String.format("%11s", way.name)));
    ways.stream().skip(1).forEach(way -> head.append(String.format("%12s", "/" + way.name)));
    return head.append('\n').toString();
}

String line(String name, List<double[]> rates) {
    StringBuilder line = new StringBuilder(String.format("%-10s", name));
    for (int i = 0; i < ways.size(); i++) {
        line.append(String.format(Locale.ROOT, "%11.0f", rate(rates, i)));
    }
    for (int i = 1; i < ways.size(); i++) {
        line.append(String.format(Locale.ROOT, "%12.2f", ratio(rates, i)));
    }
    return line.append('\n').toString();
}

String json(String name, List<double[]> rates) {
    StringBuilder line = new StringBuilder("{\"case\":\"" + name + "\"");
    for (int i = 0; i < ways.size(); i++) {
        String key = ways.get(i).name.replace('-', '_');
        line.append(",\"").append(key).append("\":").append(number(rate(rates, i)));
        if (i > 0) {
            line.append(",\"ratio_to_").append(key).append("\":").append(number(ratio(rates, i)));
        }
    }
    return line.append('}').toString();
}

String number(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.3f", value) : "null";
}

double rate(List<double[]> rates, int way) {
    return median(rates.stream().mapToDouble(all -> all[way]));
}

/** Ours to another's, round by round. */
double ratio(List<double[]> rates, int way) {
    return median(rates.stream().mapToDouble(all -> all[0] / all[way]));
}

double median(DoubleStream values) {
    double[] sorted = values.filter(Double::isFinite).sorted().toArray();
    return sorted.length == 0 ? Double.NaN
            : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
}
