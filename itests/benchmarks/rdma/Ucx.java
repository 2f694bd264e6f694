package io.manafold.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Two processes of UCX's own benchmark, over shared memory or TCP through the loopback device. Its one message lies in
 * the caches. Over shared memory the side that writes or reads does all the work, and the median of that is as good as
 * processor time; all else is by the clock, of an echo half the median, as ours.
 */
final class Ucx implements Peer {
    private static final int FIRST = 20;
    private static final long LISTENS = 5_000;
    private static final long ENDS = 20;
    /** In the line of figures, the number of iterations first. */
    private static final int MEDIAN = 1;
    private static final int AVERAGE = 3;
    private static final int FIGURES = 8;
    private static int port = 20_000 + (int) (ProcessHandle.current().pid() % 10_000);

    private final RdmaCase what;
    private final String transport;
    private long iterations = FIRST;

    /** @param transport {@code posix} or {@code tcp} */
    Ucx(RdmaCase what, String transport) throws Exception {
        this.what = what;
        this.transport = transport;
        // as many as a slice has place for are found by and by
        for (int i = 0; i < 2; i++) {
            slice(100);
        }
        if (Double.isNaN(slice(100))) {
            throw new IOException("ucx_perftest comes to no end");
        }
    }

    static boolean installed() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "ucx_perftest")));
    }

    private String test() {
        return switch (what.kind()) {
            case WRITE -> "ucp_put_bw";
            case READ -> "ucp_get";
            case SEND -> "tag_bw";
            default -> "ucp_put_lat";
        };
    }

    @Override
    public boolean isByTheClock() {
        return !isOneSided();
    }

    private boolean isOneSided() {
        return transport.equals("posix") && (what.kind() == RdmaCase.Kind.WRITE || what.kind() == RdmaCase.Kind.READ);
    }

    @Override
    public double slice(long millis) throws Exception {
        String at = String.valueOf(port++);
        Process server = start(ProcessBuilder.Redirect.DISCARD, "-p", at);
        try {
            awaitListener(Integer.parseInt(at), server);
            long begin = System.nanoTime();
            Process client = start(ProcessBuilder.Redirect.PIPE, "127.0.0.1", "-f", "-p", at, "-t", test(), "-s",
                    String.valueOf(what.bytes()), "-n", String.valueOf(iterations), "-w",
                    String.valueOf(iterations / 10 + 1));
            if (!client.waitFor(ENDS, TimeUnit.SECONDS)) {
                client.destroyForcibly().waitFor();
                iterations = Math.max(FIRST, iterations / 4);
                return Double.NaN;
            }
            double nanos = nanos(new String(client.getInputStream().readAllBytes()));
            if (!Double.isNaN(nanos)) {
                long most = (System.nanoTime() - begin) / 1_000_000 > 4 * millis ? iterations * 2 : iterations * 10;
                iterations = Math.clamp((long) (millis * 1e6 / nanos), FIRST, most);
            }
            return nanos;
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private double nanos(String said) {
        for (String line : said.lines().toList()) {
            String[] words = line.strip().split("\\s+");
            if (words.length == FIGURES && words[0].matches("[0-9]+")) {
                return Double.parseDouble(words[what.echo() || isOneSided() ? MEDIAN : AVERAGE]) * 1000;
            }
        }
        return Double.NaN;
    }

    private Process start(ProcessBuilder.Redirect output, String... arguments) throws IOException {
        List<String> words = Stream.concat(Stream.of("ucx_perftest"), Stream.of(arguments)).toList();
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(output);
        builder.environment().put("UCX_TLS", transport + ",self");
        builder.environment().put("UCX_NET_DEVICES", "lo");
        return builder.start();
    }

    /** To connect and see would be to be its client. */
    private static void awaitListener(int port, Process server) throws IOException, InterruptedException {
        String entry = ":%04X ".formatted(port);
        for (long waited = 0; waited < LISTENS; waited += 10) {
            for (String line : Files.readAllLines(Path.of("/proc/net/tcp"))) {
                if (line.contains(entry) && line.contains(" 0A ")) {
                    return;
                }
            }
            if (!server.isAlive()) {
                throw new IOException("ucx_perftest has ended");
            }
            Thread.sleep(10);
        }
        throw new IOException("ucx_perftest does not listen");
    }

    @Override
    public void close() {
        // nothing is left of a slice
    }
}
