package io.manafold.commands.platform.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.log.LogLine;
import io.manafold.api.log.PlatformLog;
import io.manafold.shell.Command;
import io.manafold.shell.host.CommandLine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class FollowingTest {
    private final Platform platform = new Platform();
    private final Fakes.Events events = new Fakes.Events();
    private final Fakes.Log log = new Fakes.Log();

    @Test
    void eventsAreListed() {
        platform.events = events;
        assertThat(Fakes.run(new EventsCommand(platform)).out()).isEqualTo("TIME  EVENT\n");
        assertThat(Fakes.run(new EventsCommand(platform), "--json").out()).isEqualTo("[]\n");
        post("one");
        post("two");
        assertThat(Fakes.run(new EventsCommand(platform)).out().lines()).hasSize(3);
        assertThat(Fakes.run(new EventsCommand(platform), "-n1").out()).contains("two").doesNotContain("one");
        assertThat(Fakes.run(new EventsCommand(platform), "--json", "--last", "1").out().replaceAll("\\s", ""))
                .isEqualTo("[{\"sequence\":2,\"time\":\"1970-01-01T00:00:02Z\",\"kind\":\"bound\","
                        + "\"device\":\"7870:00:00.0\",\"driver\":\"ethernet\","
                        + "\"version\":\"1.0.0\",\"sentence\":\"two\"}]");
        assertThat(Fakes.run(new EventsCommand(platform), "--last", "many").status()).isEqualTo(2);
    }

    @Test
    void numbersOfAnEventAreFieldsOfItsObject() {
        platform.events = events;
        Map<String, Number> figures = new LinkedHashMap<>();
        figures.put("gap_ms", 1.5);
        figures.put("frames_lost", 7L);
        events.recent.add(new Fakes.Event(1, Instant.EPOCH, DeviceEvent.Kind.SWAPPED, Optional.empty(),
                Optional.empty(), "swapped", figures));
        assertThat(Fakes.run(new EventsCommand(platform), "--json").out().replaceAll("\\s", ""))
                .endsWith("\"sentence\":\"swapped\",\"gap_ms\":1.5,\"frames_lost\":7}]");
    }

    @Test
    void followingEndsWhenInterruptedAndUnsubscribes() throws Exception {
        platform.events = events;
        post("before");
        Lines lines = new Lines(2);
        FutureTask<Integer> run = start(new EventsCommand(platform), lines, "--follow", "--json");
        while (events.listeners.isEmpty()) {
            Thread.onSpinWait();
        }
        post("after");
        assertThat(lines.seen.await(30, TimeUnit.SECONDS)).isTrue();
        runner.interrupt();
        assertThat(run.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(lines.text().lines()).hasSize(2)
                .allMatch(line -> line.startsWith("{\"sequence\":") && line.endsWith("}"));
        assertThat(events.listeners).isEmpty();
    }

    @Test
    void followingEndsWhenNobodyReadsThoughNothingHappens() throws Exception {
        platform.log = log;
        Lines lines = new Lines(0);
        lines.broken = true;
        assertThat(start(new LogCommand(platform), lines, "--follow").get(30, TimeUnit.SECONDS)).isZero();
        assertThat(log.listeners).isEmpty();
    }

    @Test
    void followingEndsWithASentenceWhenTheSourceGoes() throws Exception {
        platform.events = events;
        FutureTask<Integer> run = start(new EventsCommand(platform), new Lines(0), "--follow");
        while (events.listeners.isEmpty()) {
            Thread.onSpinWait();
        }
        platform.events = null;
        assertThat(run.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(events.listeners).isEmpty();
    }

    @Test
    void theLogIsListedOrItsAbsenceExplained() {
        assertThat(Fakes.run(new LogCommand(platform)).err())
                .startsWith("manafold: This platform does not keep its log");
        platform.log = log;
        assertThat(Fakes.run(new LogCommand(platform)).out()).isEqualTo("TIME  LEVEL  LOGGER  TEXT\n");
        log.recent.add(new LogLine(Instant.EPOCH, "INFO", "Bus", "a\nfake line\u001b[2J" + "x".repeat(100)));
        assertThat(Fakes.run(new LogCommand(platform)).out().lines()).hasSize(2)
                .last().asString().endsWith("  INFO   Bus     a\\nfake line\\u001b[2J" + "x".repeat(100));
    }

    @Test
    void aLineThatIsLoggedWhileFollowingBeginsIsShownOnce() throws Exception {
        platform.log = new PlatformLog() {
            @Override
            public List<LogLine> recent() {
                return List.of(line("before"), line("between"), line("between"));
            }

            @Override
            public AutoCloseable follow(Consumer<LogLine> listener) {
                List.of("between", "between", "after", "between", "end").forEach(text -> listener.accept(line(text)));
                return () -> { };
            }
        };
        Lines lines = new Lines(0);
        FutureTask<Integer> run = start(new LogCommand(platform), lines, "--follow");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!lines.text().endsWith("end\n") && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        runner.interrupt();
        assertThat(run.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(lines.text().lines().map(line -> line.replaceFirst(".* ", "")))
                .containsExactly("before", "between", "between", "after", "between", "end");
    }

    private static LogLine line(String text) {
        return new LogLine(Instant.EPOCH, "INFO", "Bus", text);
    }

    private Thread runner;

    private FutureTask<Integer> start(Command command, OutputStream out, String... words) {
        FutureTask<Integer> task = new FutureTask<>(() -> CommandLine.run(command, List.of(words),
                new ByteArrayInputStream(new byte[0]), new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(OutputStream.nullOutputStream())));
        runner = new Thread(task);
        runner.start();
        return task;
    }

    private void post(String sentence) {
        events.post(DeviceEvent.Kind.BOUND, null, null, sentence);
    }

    /** Notes lines as they come. */
    private static final class Lines extends OutputStream {
        final CountDownLatch seen;
        volatile boolean broken;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Lines(int expected) {
            seen = new CountDownLatch(expected);
        }

        @Override
        public synchronized void write(int b) throws IOException {
            bytes.write(b);
            if (b == '\n') {
                seen.countDown();
            }
        }

        @Override
        public void flush() throws IOException {
            if (broken) {
                throw new IOException("no reader is left");
            }
        }

        synchronized String text() {
            try {
                bytes.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
