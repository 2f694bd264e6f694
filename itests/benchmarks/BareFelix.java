import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** What an empty shell needs; the framework and its launcher are on the class path of both. */
static final List<String> SHELL = List.of("org.apache.felix.gogo.runtime", "org.apache.felix.gogo.jline", "jline");
/** The quotes are gone from the answer, so that what is typed is not taken for it. */
static final String QUESTION = "echo first'-'answer\r";
static final String ANSWER = "first-answer";
static final double GOAL = 1.5;

/** Times of one start in milliseconds, processor time of the Java process included. */
record Start(double prompt, double answer, double promptProcessor, double answerProcessor) {
}

/** Both take turns, so that a slow moment of the machine meets both. Needs util-linux's script(1) for a terminal. */
void main(String[] arguments) throws Exception {
    boolean json = List.of(arguments).contains("--json");
    int rounds = Integer.getInteger("rounds", 9);
    Path top = Path.of(System.getProperty("top"));
    Path work = Files.createTempDirectory(memory(), "manafold-bare");
    try {
        Path settings = work.resolve("launcher.properties");
        int bundles = writeSettings(top, settings);
        Start[] ours = new Start[rounds];
        Start[] bare = new Start[rounds];
        double[] java = new double[rounds];
        double[] script = new double[rounds];
        for (int round = -1; round < rounds; round++) {
            Start our = start(ours(top, work), "manafold> ", work);
            Start theirs = start(bare(top, settings, work), "g! ", work);
            double alone = run(List.of(javaProgram(), "-XX:+UseSerialGC", "-version"));
            double found = run(List.of(top.resolve("manafold").toString(), "--java"));
            if (round >= 0) {
                ours[round] = our;
                bare[round] = theirs;
                java[round] = alone;
                script[round] = found;
            }
        }
        print(ours, bare, java, script, bundles, json);
    } finally {
        delete(work);
    }
}

static Path memory() {
    Path shared = Path.of("/dev/shm");
    return Files.isWritable(shared) ? shared : Path.of(System.getProperty("java.io.tmpdir"));
}

static String javaProgram() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
}

static Path file(Path top) {
    return top.resolve("bndrun/target/manafold.jar");
}

/** The product's settings of its launcher, with no other bundles than the shell's; answers how many the product has. */
int writeSettings(Path top, Path to) throws IOException {
    Properties settings = new Properties();
    try (ZipFile zip = new ZipFile(file(top).toFile());
            InputStream in = zip.getInputStream(zip.getEntry("launcher.properties"))) {
        settings.load(in);
    }
    List<String> all = List.of(settings.getProperty("launch.bundles").split(","));
    String few = all.stream().filter(one -> SHELL.stream().anyMatch(name -> one.contains("/" + name + "-")))
            .collect(Collectors.joining(","));
    if (few.split(",").length != SHELL.size()) {
        throw new IllegalStateException("the product has no longer the bundles of a shell: " + few);
    }
    settings.setProperty("launch.bundles", few);
    settings.remove("launch.runbundles.attrs");
    settings.setProperty("launch.startlevel.default", settings.getProperty("org.osgi.framework.startlevel.beginning"));
    try (OutputStream out = Files.newOutputStream(to)) {
        settings.store(out, null);
    }
    return all.size();
}

List<String> ours(Path top, Path work) {
    return List.of("script", "-qefc", top.resolve("manafold") + " --data " + work.resolve("data"), "/dev/null");
}

/** As the start script does it. */
List<String> bare(Path top, Path settings, Path work) {
    Path cache = top.resolve("bndrun/target/manafold.aot");
    String java = "exec " + javaProgram() + " " + System.getProperty("vm") + " -XX:AOTCache=" + cache
            + " -XX:AOTMode=auto -Xlog:aot=off -Xlog:cds=off -Xlog:disable -Xlog:all=error:stderr -Djava.io.tmpdir="
            + work + " -Dlaunch.storage.dir=" + work.resolve("framework") + " -Dgosh.home=" + work
            + " -Dlauncher.properties=" + settings + " -jar " + file(top);
    return List.of("script", "-qefc", java, "/dev/null");
}

Start start(List<String> command, String prompt, Path work) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("MANAFOLD_BUILD", "never");
    builder.environment().put("HOME", work.toString());
    builder.environment().put("SHELL", "/bin/sh");
    long begin = System.nanoTime();
    Process process = builder.start();
    InputStream in = process.getInputStream();
    await(in, prompt);
    double prompted = (System.nanoTime() - begin) / 1e6;
    double promptProcessor = processor(process);
    type(process, QUESTION);
    await(in, ANSWER);
    double answered = (System.nanoTime() - begin) / 1e6;
    double answerProcessor = processor(process);
    type(process, "exit\r");
    if (!process.waitFor(2, java.util.concurrent.TimeUnit.SECONDS)) {
        // the bare shell ends, its framework does not
        process.descendants().forEach(ProcessHandle::destroy);
        in.readAllBytes();
        process.waitFor();
    }
    delete(work.resolve("data"));
    delete(work.resolve("framework"));
    return new Start(prompted, answered, promptProcessor, answerProcessor);
}

void type(Process process, String text) throws IOException {
    process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
}

/** Of all that the terminal's program has started and that still lives. */
double processor(Process process) {
    return process.descendants().mapToDouble(one -> one.info().totalCpuDuration().map(time -> time.toNanos() / 1e6)
            .orElse(0.0)).sum();
}

double run(List<String> command) throws Exception {
    long begin = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    process.waitFor();
    return (System.nanoTime() - begin) / 1e6;
}

void await(InputStream stream, String text) throws IOException {
    StringBuilder seen = new StringBuilder();
    while (seen.indexOf(text) < 0) {
        int next = stream.read();
        if (next < 0) {
            throw new IllegalStateException("ended without '" + text + "': " + seen);
        }
        seen.append((char) next);
    }
}

void delete(Path top) throws IOException {
    if (!Files.exists(top)) {
        return;
    }
    try (Stream<Path> files = Files.walk(top)) {
        for (Path path : files.sorted((a, b) -> b.compareTo(a)).toList()) {
            Files.deleteIfExists(path);
        }
    }
}

static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
}

static double median(Start[] starts, java.util.function.ToDoubleFunction<Start> what) {
    return median(Arrays.stream(starts).mapToDouble(what).toArray());
}

void print(Start[] ours, Start[] bare, double[] java, double[] script, int bundles, boolean json) {
    Map<String, java.util.function.ToDoubleFunction<Start>> rows = new LinkedHashMap<>();
    rows.put("prompt", Start::prompt);
    rows.put("first answer", Start::answer);
    rows.put("from prompt to answer", start -> start.answer() - start.prompt());
    rows.put("processor time to prompt", Start::promptProcessor);
    rows.put("processor time to answer", Start::answerProcessor);
    List<String> lines = new ArrayList<>();
    rows.forEach((name, what) -> {
        double[] ratios = new double[ours.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = what.applyAsDouble(ours[i]) / what.applyAsDouble(bare[i]);
        }
        lines.add(String.format(Locale.ROOT, json
                ? "{\"until\":\"%s\",\"manafold_ms\":%.1f,\"bare_ms\":%.1f,\"ratio\":%.2f}"
                : "%-26s %10.1f %10.1f %7.2f", name, median(ours, what), median(bare, what), median(ratios)));
    });
    if (json) {
        IO.println("[" + String.join(",", lines) + "]");
        return;
    }
    IO.println(String.format("%-26s %10s %10s %7s", "UNTIL, ms", "MANAFOLD", "BARE", "RATIO"));
    lines.forEach(IO::println);
    IO.println(String.format(Locale.ROOT, "%nOf both: java alone, without a cache %.1f ms. Of ours alone: the start"
            + " script up to its JDK %.1f ms.", median(java), median(script)));
    IO.println(String.format(Locale.ROOT, "%d bundles of ours beside %d; the aim is a ratio of %.1f for both times.",
            bundles, SHELL.size(), GOAL));
}
