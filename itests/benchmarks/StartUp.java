import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * From start to prompt, and from start to exit, each with and without the cache of loaded classes. The cases take
 * turns, so that a slow moment of the machine meets them all. Needs util-linux's script(1) for a terminal.
 */
void main(String[] arguments) throws Exception {
    boolean json = List.of(arguments).contains("--json");
    int rounds = Integer.getInteger("rounds", 10);
    Path top = Path.of(System.getProperty("top"));
    Map<String, double[]> times = new LinkedHashMap<>();
    for (String name : List.of("prompt", "prompt, no cache", "-c drivers", "-c drivers, no cache", "java alone")) {
        times.put(name, new double[rounds]);
    }
    for (int round = -1; round < rounds; round++) {
        for (Map.Entry<String, double[]> entry : times.entrySet()) {
            double millis = measure(top, entry.getKey());
            if (round >= 0) {
                entry.getValue()[round] = millis;
            }
        }
    }
    print(times, json);
}

double measure(Path top, String name) throws Exception {
    Path data = Files.createTempDirectory("manafold-start");
    String manafold = top.resolve("manafold").toString();
    List<String> command = new ArrayList<>();
    if (name.startsWith("prompt")) {
        command.addAll(List.of("script", "-qefc", manafold + " --data " + data, "/dev/null"));
    } else if (name.startsWith("java")) {
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                "-version"));
    } else {
        command.addAll(List.of(manafold, "-c", "drivers"));
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("MANAFOLD_BUILD", "never");
    if (name.endsWith("no cache")) {
        builder.environment().put("MANAFOLD_OPTS", "-XX:AOTMode=off");
    }
    long begin = System.nanoTime();
    Process process = builder.start();
    if (name.startsWith("prompt")) {
        await(process.getInputStream(), "manafold> ");
    } else {
        process.getInputStream().readAllBytes();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(command + " ended with " + process.exitValue());
        }
    }
    double millis = (System.nanoTime() - begin) / 1e6;
    if (process.isAlive()) {
        process.getOutputStream().write("exit\r".getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        process.getInputStream().readAllBytes();
        process.waitFor();
    }
    try (var files = Files.walk(data)) {
        for (Path path : files.sorted((a, b) -> b.compareTo(a)).toList()) {
            Files.delete(path);
        }
    }
    return millis;
}

void await(InputStream stream, String text) throws IOException {
    StringBuilder seen = new StringBuilder();
    while (seen.indexOf(text) < 0) {
        int next = stream.read();
        if (next < 0) {
            throw new IllegalStateException("ended without a prompt: " + seen);
        }
        seen.append((char) next);
    }
}

void print(Map<String, double[]> times, boolean json) {
    StringBuilder out = new StringBuilder(json ? "[" : String.format("%-22s %8s %8s %8s%n", "START TO", "MIN ms",
            "MEDIAN", "MAX"));
    times.forEach((name, millis) -> {
        Arrays.sort(millis);
        double median = (millis[(millis.length - 1) / 2] + millis[millis.length / 2]) / 2;
        out.append(String.format(Locale.ROOT,
                json ? "%s{\"start_to\":\"%s\",\"min_ms\":%.1f,\"median_ms\":%.1f,\"max_ms\":%.1f}"
                : "%s%-22s %8.1f %8.1f %8.1f%n", json && out.length() > 1 ? "," : "", name, millis[0], median,
                millis[millis.length - 1]));
    });
    IO.print(json ? out.append("]\n") : out);
}
