package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A hundred adapters on one switch, every second one lent: what they cost without traffic. */
@Timeout(600)
class HundredTest {
    private static final Duration QUIET = Duration.ofSeconds(5);

    private record Cost(Duration ready, long threads, Duration end, int status) {
    }

    @TempDir
    Path folder;

    private Path lab(int adapters) throws IOException {
        String text = IntStream.range(0, adapters).mapToObj("  - name: a%d\n"::formatted)
                        .collect(Collectors.joining("", "adapters:\n", ""))
                + IntStream.range(0, adapters).mapToObj("a%d/1"::formatted)
                        .collect(Collectors.joining(", ", "links:\n  - name: net\n    ports: [", "]\n"))
                + IntStream.range(0, adapters / 2).mapToObj("  - adapter: a%d\n"::formatted)
                        .collect(Collectors.joining("", "exports:\n", ""));
        return Files.writeString(folder.resolve("of" + adapters + ".yaml"), text);
    }

    private Cost cost(int adapters) throws Exception {
        long begin = System.nanoTime();
        try (Run run = Run.manafold("--headless", "--data", folder.resolve("home" + adapters).toString(), "--lab",
                lab(adapters).toString()).start()) {
            run.awaitOut("ready\n");
            Duration ready = Duration.ofNanos(System.nanoTime() - begin);
            // idle threads are let go after two seconds
            Thread.sleep(QUIET);
            long threads = threads(run.process());
            begin = System.nanoTime();
            run.process().destroy();
            int status = run.process().waitFor();
            return new Cost(ready, threads, Duration.ofNanos(System.nanoTime() - begin), status);
        }
    }

    private static long threads(Process process) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
            return tasks.count();
        }
    }

    @Test
    void whatIsLentIsNotDrivenHereFirst() throws Exception {
        Path home = folder.resolve("home");
        try (Run run = Run.manafold("--headless", "--data", home.toString(), "--lab", lab(10).toString()).start()) {
            run.awaitOut("ready\n");
            String events = Run.manafold("attach", "--data", home.toString(), "-c", "events").end().done().out();
            assertThat(events.lines().filter(line -> line.contains(" is bound to vfio "))).hasSize(5);
            assertThat(events.lines().filter(line -> line.matches(".*7870:\\S+ is bound to ethernet .*"))).hasSize(5);
            assertThat(events).doesNotContain(" went from ");
        }
    }

    @Test
    void adaptersThatDoNothingHaveNoThreadsAndKeepNobodyWaiting() throws Exception {
        // what is prepared once is not what is compared here
        Run.manafold("-c", "exit").end().done();
        Cost few = cost(10);
        Cost many = cost(100);
        System.out.printf(Locale.ROOT, "adapters 10: ready %d ms, %d threads, end %d ms; 100: %d ms, %d threads, %d "
                + "ms%n", few.ready.toMillis(), few.threads, few.end.toMillis(), many.ready.toMillis(), many.threads,
                many.end.toMillis());
        // the virtual machine's own come and go
        assertThat(many.threads).as("threads, of ten adapters %d", few.threads).isLessThan(few.threads + 10);
        assertThat(many.ready).as("time until ready, of ten adapters %s", few.ready)
                .isLessThan(few.ready.multipliedBy(8));
        // an end that takes too long, or stands still, is given up
        assertThat(many.status).as("status after an end of %s", many.end).isZero();
    }
}
