package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Two processes: 'a' has a switch with two adapters, drives one of them, at 10.78.0.3, and lends the other one, which
 * 'b' drives, at 10.78.0.1 and 10.78.0.2.
 */
final class TwoPlatforms {
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path folder;
    private final Path lending;
    private final Path borrowing;

    TwoPlatforms(Path folder) throws IOException {
        this.folder = folder;
        Path socket = folder.resolve("one.sock");
        lending = Files.writeString(folder.resolve("lending.yaml"), """
                adapters: [{name: one, ports: 2}, {name: two}]
                links: [{name: net, ports: [one/1, one/2, two/1]}]
                exports: [{adapter: one, socket: %s}]
                devices: [{name: mana0, on: two/1, addresses: [10.78.0.3/24]}]
                """.formatted(socket));
        borrowing = Files.writeString(folder.resolve("borrowing.yaml"), """
                borrow: [{name: far, socket: %s}]
                devices:
                  - {name: mana0, on: far/1, addresses: [10.78.0.1/24]}
                  - {name: mana1, on: far/2, addresses: [10.78.0.2/24]}
                """.formatted(socket));
    }

    Run up(String name) {
        Run run = Run.manafold("--headless", "--data", data(name), "--lab", (name.equals("a") ? lending : borrowing)
                .toString()).start();
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
            said = said(name, line);
        }
    }

    /** Waits until a line has nothing to say any more. */
    void eventuallyNothing(String name, String line) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (String said = said(name, line); !said.isEmpty(); said = said(name, line)) {
            assertThat(System.nanoTime()).as("'%s' still says %s", line, said).isLessThan(deadline);
        }
    }
}
