import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Two guests, one NIC each, joined; iperf3 between them with several flows and sizes. For each NIC in turn the pair is
 * booted, every case measured, and the pair ended; rounds repeat that, so that a slow moment of the machine meets all.
 * What a packet cost our process stands below: messages of vfio-user, system calls, interrupts, processor time.
 */
static final Pattern FIELD = Pattern.compile("\\s*\"(\\w+)\": (\\d+),?");
static final Pattern RESULT = Pattern.compile("RESULT (\\S+) ([0-9.]+)");

/** What a packet costs the side of the adapter. */
static final List<String> COSTS = List.of("messages", "system_calls", "interrupts", "cpu_us");

static final String GUEST = """
        set -e
        modprobe $3 2>/dev/null || true
        i=0
        while [ ! -e /sys/class/net/eth0 ]; do i=$((i + 1)); [ $i -lt 300 ]; sleep 0.1; done
        ip addr add 10.9.0.$1/24 dev eth0
        ip link set eth0 up
        if [ "$1" = 2 ]; then
            iperf3 -s -D
            # a dead peer ends the guest: it is told so by silence
            until ping -c 1 -W 1 10.9.0.1 >/dev/null 2>&1; do :; done
            while ping -c 1 -W 5 10.9.0.1 >/dev/null 2>&1; do sleep 1; done
            exit 0
        fi
        i=0
        until ping -c 1 -W 1 10.9.0.2 >/dev/null 2>&1; do i=$((i + 1)); [ $i -lt 120 ]; done
        sleep 1
        rate() { awk '/receiver/ { for (n = 1; n < NF; n++) if ($(n + 1) ~ /bits\\/sec/) last = $n } END { print last + 0 }'; }
        for flows in $(echo "$5" | tr , ' '); do
            for size in 1400 131072; do
                v=$(iperf3 -c 10.9.0.2 -f m -t $4 -P $flows -l $size | rate)
                echo "RESULT tcp-$size-x$flows $v"
            done
        done
        for size in 64 512 1400; do
            v=$(iperf3 -c 10.9.0.2 -f m -t $4 -u -b 0 -l $size | rate)
            echo "RESULT udp-$size-x1 $v"
        done
        exit 0
        """;

void main(String[] arguments) throws Exception {
    boolean json = List.of(arguments).contains("--json");
    Path top = Path.of(System.getProperty("top"));
    int rounds = Integer.getInteger("rounds");
    String[] nics = System.getProperty("nics").split(",");
    Map<String, Map<String, List<Double>>> rates = new LinkedHashMap<>();
    Map<String, List<double[]>> costs = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
        for (String nic : nics) {
            System.err.println("round " + (round + 1) + ", " + nic + " ...");
            Path work = Files.createTempDirectory("guest-traffic");
            try {
                measure(top, nic, work, rates, costs);
            } finally {
                delete(work);
            }
        }
    }
    print(rates, nics, costs, json);
}

void measure(Path top, String nic, Path work, Map<String, Map<String, List<Double>>> rates,
        Map<String, List<double[]>> costs) throws Exception {
    Path script = Files.writeString(work.resolve("guest.sh"), GUEST);
    Process platform = nic.equals("mana") ? platform(top, work) : null;
    try {
        Process server = guest(top, work, script, nic, 2);
        Process client = guest(top, work, script, nic, 1);
        String said = follow(top, nic, work, platform, client, rates, costs);
        client.waitFor();
        if (client.exitValue() != 0) {
            System.err.print(said);
            throw new IllegalStateException("the client over " + nic + " ended with " + client.exitValue());
        }
        server.destroy();
        server.waitFor(10, TimeUnit.SECONDS);
    } finally {
        if (platform != null) {
            platform.destroy();
            platform.waitFor();
        }
    }
}

/** Reads what the client says, to its end; the adapter is asked what a case cost as soon as that is over. */
String follow(Path top, String nic, Path work, Process platform, Process client,
        Map<String, Map<String, List<Double>>> rates, Map<String, List<double[]>> costs) throws IOException {
    StringBuilder said = new StringBuilder();
    try (Meter meter = platform == null ? null : new Meter(top, work.resolve("data"), platform)) {
        for (String line = client.inputReader().readLine(); line != null; line = client.inputReader().readLine()) {
            said.append(line).append('\n');
            Matcher result = RESULT.matcher(line);
            if (result.find()) {
                rates.computeIfAbsent(result.group(1), name -> new LinkedHashMap<>())
                        .computeIfAbsent(nic, name -> new ArrayList<>()).add(Double.valueOf(result.group(2)));
                if (meter != null) {
                    costs.computeIfAbsent(result.group(1), name -> new ArrayList<>()).add(meter.perPacket());
                }
            }
        }
    }
    return said.toString();
}

/** What the side of the adapter has done so far, read through one attached shell, which rests between two readings. */
static final class Meter implements AutoCloseable {
    private static final List<String> COUNTERS = List.of("hc_tx_ucast_pkts", "messages", "system_calls", "interrupts");

    private final Process platform;
    private final Process shell;
    private long[] last;

    Meter(Path top, Path data, Process platform) throws IOException {
        this.platform = platform;
        shell = new ProcessBuilder(top.resolve("manafold").toString(), "attach", "--data", data.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        last = read();
    }

    /**
     * What a packet has cost since the last reading: messages, system calls, interrupts, microseconds of processor
     * time.
     */
    double[] perPacket() throws IOException {
        long[] now = read();
        double packets = Math.max(1, now[0] - last[0]);
        double[] cost = new double[COUNTERS.size()];
        for (int i = 0; i < cost.length; i++) {
            cost[i] = (now[i + 1] - last[i + 1]) / packets;
        }
        last = now;
        return cost;
    }

    /** Sums over both adapters, and microseconds of processor time behind them. */
    private long[] read() throws IOException {
        shell.outputWriter().write("vfio list --json\nadapter stats --json\n");
        shell.outputWriter().flush();
        long[] read = new long[COUNTERS.size() + 1];
        for (int lists = 0; lists < 2;) {
            String line = shell.inputReader().readLine();
            if (line == null) {
                throw new IOException("the platform is gone");
            }
            Matcher field = FIELD.matcher(line);
            if (field.matches() && COUNTERS.contains(field.group(1))) {
                read[COUNTERS.indexOf(field.group(1))] += Long.parseLong(field.group(2));
            }
            lists += line.equals("]") ? 1 : 0;
        }
        read[COUNTERS.size()] = platform.info().totalCpuDuration().map(time -> time.toNanos() / 1000).orElse(0L);
        return read;
    }

    @Override
    public void close() {
        shell.destroy();
    }
}

Process platform(Path top, Path work) throws IOException {
    Process platform = new ProcessBuilder(top.resolve("manafold").toString(), "--headless", "--data",
            work.resolve("data").toString(), "--lab", "qemu-two").redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line = platform.inputReader().readLine();
    if (!"ready".equals(line)) {
        throw new IllegalStateException("the platform said '" + line + "' instead of 'ready'");
    }
    return platform;
}

Process guest(Path top, Path work, Path script, String nic, int number) throws IOException {
    List<String> command = new ArrayList<>(List.of(top.resolve("itests/guests/kit/boot-guest").toString(), "-m", "512",
            "-c", "1", "-t", "600", "-N", "g" + number));
    String module = nic.replace("-", "_");
    if (nic.equals("mana")) {
        command.addAll(List.of("-s", work.resolve("data/vfio/" + (number == 1 ? "a" : "b") + ".sock").toString()));
    } else {
        Path socket = work.resolve("wire.sock");
        command.addAll(List.of("-q", "-netdev stream,id=n,server=" + (number == 2 ? "on" : "off")
                + ",addr.type=unix,addr.path=" + socket + (number == 1 ? ",reconnect-ms=200" : "") + " -device "
                + (nic.equals("virtio-net") ? "virtio-net-pci" : nic) + ",netdev=n,romfile=,mac=52:54:00:00:00:0"
                + number));
        if (nic.equals("virtio-net")) {
            module = "virtio_net";
        }
    }
    command.addAll(List.of(script.toString(), Integer.toString(number), "0", module, System.getProperty("seconds"),
            System.getProperty("flows")));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    if (number == 2) {
        builder.redirectOutput(work.resolve("server.log").toFile());
    }
    return builder.start();
}

void print(Map<String, Map<String, List<Double>>> rates, String[] nics, Map<String, List<double[]>> costs,
        boolean json) {
    StringBuilder out = new StringBuilder();
    if (!json) {
        out.append(String.format("%-16s", "MBIT/S"));
        for (String nic : nics) {
            out.append(String.format("%12s", nic));
        }
        for (int peer = 1; peer < nics.length; peer++) {
            out.append(String.format("%13s", "/" + nics[peer]));
        }
        out.append('\n');
    }
    rates.forEach((name, byNic) -> {
        double own = median(byNic.get(nics[0]));
        if (json) {
            out.append(out.isEmpty() ? "[" : ",").append("{\"case\":\"").append(name).append('"');
            for (String nic : nics) {
                out.append(String.format(Locale.ROOT, ",\"%s\":%.1f", nic, median(byNic.get(nic))));
            }
            for (int i = 0; costs.containsKey(name) && i < COSTS.size(); i++) {
                out.append(String.format(Locale.ROOT, ",\"%s\":%.3f", COSTS.get(i), cost(costs.get(name), i)));
            }
            out.append('}');
            return;
        }
        out.append(String.format("%-16s", name));
        for (String nic : nics) {
            out.append(String.format(Locale.ROOT, "%12.1f", median(byNic.get(nic))));
        }
        for (int peer = 1; peer < nics.length; peer++) {
            out.append(String.format(Locale.ROOT, "%13.2f", own / median(byNic.get(nics[peer]))));
        }
        out.append('\n');
    });
    if (json) {
        out.append("]\n");
    } else {
        print(costs, out);
    }
    IO.print(out);
}

/** What a packet cost on our side of the socket. */
void print(Map<String, List<double[]>> costs, StringBuilder out) {
    if (costs.isEmpty()) {
        return;
    }
    out.append(String.format("%n%-16s%12s%12s%12s%12s%n", "FOR A PACKET", "messages", "sys. calls", "interrupts",
            "cpu us"));
    costs.forEach((name, rounds) -> {
        out.append(String.format("%-16s", name));
        for (int i = 0; i < COSTS.size(); i++) {
            out.append(String.format(Locale.ROOT, "%12.3f", cost(rounds, i)));
        }
        out.append('\n');
    });
}

double cost(List<double[]> rounds, int which) {
    return median(rounds.stream().map(round -> round[which]).toList());
}

double median(List<Double> values) {
    if (values == null || values.isEmpty()) {
        return Double.NaN;
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
}

void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
        for (Path path : files.sorted((a, b) -> b.compareTo(a)).toList()) {
            Files.deleteIfExists(path);
        }
    }
}
