package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Processes of their own: 'a' has a switch with three adapters, drives one of them, at 10.78.0.3, and lends the others,
 * one to 'b', which drives it at 10.78.0.1 and 10.78.0.2, and one to 'c', which drives it at 10.78.0.4.
 */
final class LentAdapters {
    static final Duration PATIENCE = Duration.ofSeconds(90);
    /** Each look is a process, and others wait for the processors. */
    private static final long PAUSE = 500_000_000;

    private final Path folder;
    private final Map<String, Path> labs;

    LentAdapters(Path folder) throws IOException {
        this.folder = folder;
        Path one = folder.resolve("one.sock");
        Path three = folder.resolve("three.sock");
        labs = Map.of("a", lab("lending", """
                adapters: [{name: one, ports: 2}, {name: two}, {name: three}]
                links: [{name: net, ports: [one/1, one/2, two/1, three/1]}]
                exports: [{adapter: one, socket: %s}, {adapter: three, socket: %s}]
                devices: [{name: mana0, on: two/1, addresses: [10.78.0.3/24]}]
                """.formatted(one, three)), "b", lab("borrowing", """
                borrow: [{name: far, socket: %s}]
                devices:
                  - {name: mana0, on: far/1, addresses: [10.78.0.1/24]}
                  - {name: mana1, on: far/2, addresses: [10.78.0.2/24]}
                """.formatted(one)), "c", lab("borrowing-too", """
                borrow: [{name: far, socket: %s}]
                devices: [{name: mana0, on: far/1, addresses: [10.78.0.4/24]}]
                """.formatted(three)));
    }

    private Path lab(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name + ".yaml"), text);
    }

    Run up(String name) {
        Run run = Run.manafold("--headless", "--data", data(name), "--lab", labs.get(name).toString()).start();
        run.awaitOut("ready\n");
        return run;
    }

    private String data(String name) {
        return folder.resolve(name).toString();
    }

    private Run.Plan plan(String name, String line) {
        return Run.manafold("attach", "--data", data(name), "-c", line);
    }

    /** Begins a line that goes on. */
    Run attached(String name, String line) {
        return plan(name, line).start();
    }

    /** What a line says, however it ends. */
    String said(String name, String line) {
        return plan(name, line).end().out();
    }

    /** What a line says that has to work. */
    String done(String name, String line) {
        return plan(name, line).end().done().out();
    }

    void eventually(String name, String line, String... words) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        String said = said(name, line);
        while (!Arrays.stream(words).allMatch(said::contains)) {
            assertThat(System.nanoTime()).as("'%s' says %s and not %s", line, said, List.of(words))
                    .isLessThan(deadline);
            LockSupport.parkNanos(PAUSE);
            said = said(name, line);
        }
    }

    /** Waits until a line has nothing to say any more. */
    void eventuallyNothing(String name, String line) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (String said = said(name, line); !said.isEmpty(); said = said(name, line)) {
            assertThat(System.nanoTime()).as("'%s' still says %s", line, said).isLessThan(deadline);
            LockSupport.parkNanos(PAUSE);
        }
    }
}
