package io.manafold.benchmark;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A stream of iperf3 between ends of its own. A start of it is a slice, so that each has so many bytes. */
final class Iperf implements Carrier {
    private static final Path PROGRAM = Path.of("/usr/bin/iperf3");
    private static final long BYTES = 512L << 20;
    /** Of both ends, in percent of a processor: first its own, then the other's. */
    private static final Pattern CPU = Pattern.compile("\"(?:host|remote)_total\":\\s*([0-9.]+)");
    private static final Pattern SECONDS = Pattern.compile("\"sum_received\":\\s*\\{[^}]*\"seconds\":\\s*([0-9.]+)");
    private static final Pattern LISTENS = Pattern.compile("Server listening");

    private final TcpCase what;
    private final String port;
    private final Process server;

    Iperf(TcpCase what) throws IOException {
        this.what = what;
        port = FreePort.find();
        server = new ProcessBuilder(PROGRAM.toString(), "-s", "-B", "127.0.0.1", "-p", port, "--forceflush")
                .redirectErrorStream(true).start();
        StringBuilder said = new StringBuilder();
        while (!LISTENS.matcher(said).find()) {
            int one = server.getInputStream().read();
            if (one < 0) {
                throw new IOException("iperf3 says " + said);
            }
            said.append((char) one);
        }
        Thread.ofPlatform().daemon().start(() -> {
            try {
                server.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (IOException ended) {
                // its end
            }
        });
    }

    static boolean isThere() {
        return Files.isExecutable(PROGRAM);
    }

    @Override
    public Slice run(long millis) throws IOException {
        Process client = new ProcessBuilder(PROGRAM.toString(), "-c", "127.0.0.1", "-p", port, "-l",
                String.valueOf(what.bytes()), "-n", String.valueOf(BYTES), "-J").redirectErrorStream(true).start();
        String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher seconds = SECONDS.matcher(said);
        if (!seconds.find()) {
            throw new IOException("iperf3 says " + said);
        }
        double wall = Double.parseDouble(seconds.group(1));
        double percent = CPU.matcher(said).results().mapToDouble(one -> Double.parseDouble(one.group(1))).sum();
        return new Slice(BYTES, (long) (percent / 100 * wall * 1e9), (long) (wall * 1e9), -1, -1, Double.NaN);
    }

    @Override
    public long[] threads() {
        return new long[0];
    }

    @Override
    public void close() throws InterruptedException {
        server.destroy();
        server.waitFor();
    }
}
