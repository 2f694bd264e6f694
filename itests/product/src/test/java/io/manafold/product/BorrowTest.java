package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One platform lends its adapter, another drives it: two processes, one contract between them. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class BorrowTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    private Path lending;
    private Path borrowing;

    @BeforeEach
    void write() throws IOException {
        Path socket = folder.resolve("one.sock");
        lending = Files.writeString(folder.resolve("lending.yaml"), """
                adapters: [{name: one, ports: 2}]
                links: [{name: net, ports: [one/1, one/2]}]
                exports: [{adapter: one, socket: %s}]
                """.formatted(socket));
        borrowing = Files.writeString(folder.resolve("borrowing.yaml"), """
                borrow: [{name: far, socket: %s}]
                devices:
                  - {name: mana0, on: far/1, addresses: [10.78.0.1/24]}
                  - {name: mana1, on: far/2, addresses: [10.78.0.2/24]}
                """.formatted(socket));
    }

    private Run up(String name, Path lab) {
        Run run = Run.manafold("--headless", "--data", data(name), "--lab", lab.toString()).start();
        run.awaitOut("ready\n");
        return run;
    }

    private String data(String name) {
        return folder.resolve(name).toString();
    }

    private String said(String name, String line) {
        return Run.manafold("attach", "--data", data(name), "-c", line).end().out();
    }

    private void eventually(String name, String line, String... words) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        String said = said(name, line);
        while (!holds(said, words)) {
            assertThat(System.nanoTime()).as("'%s' says %s and not %s", line, said, words).isLessThan(deadline);
            said = said(name, line);
        }
    }

    /** Waits until a line has nothing to say any more. */
    private void eventuallyNothing(String name, String line) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (String said = said(name, line); !said.isEmpty(); said = said(name, line)) {
            assertThat(System.nanoTime()).as("'%s' still says %s", line, said).isLessThan(deadline);
        }
    }

    private static boolean holds(String said, String... words) {
        for (String word : words) {
            if (!said.contains(word)) {
                return false;
            }
        }
        return true;
    }

    @Test
    void whatOneLendsTheOtherDrives() {
        try (Run lender = up("a", lending); Run borrower = up("b", borrowing)) {
            eventually("b", "lspci -n", "7871:00:00.0 0200: 1414:00ba");
            eventually("b", "devices --json", "7871:00:00.0", "\"ethernet\"");
            eventually("a", "vfio list", "one   lent       7870:00:00.0", "yes");
            eventually("b", "vfio list", "far   borrowed   7871:00:00.0", "yes");
            eventually("b", "ip link", "mana0", "mana1");
            eventually("a", "adapter show one", "open");
            assertThat(said("b", "ping -c 3 -I mana0 10.78.0.2")).contains(" 0% packet loss");
            assertThat(said("b", "pktgen start mana0 --to mana1 --rate 5kpps --count 5000 --verify --wait"))
                    .containsPattern("received +5000").containsPattern("corrupted +0");

            Run.manafold("attach", "--data", data("b"), "-c", "vfio return far").end().done();
            assertThat(said("b", "vfio list --json")).isEqualTo("[]\n");
            assertThat(said("b", "lspci -n")).isEmpty();
            eventually("a", "vfio list", "one   lent       7870:00:00.0", "no");

            assertThat(said("b", "vfio borrow " + folder.resolve("one.sock"))).isEqualTo("one is at 7871:00:00.0\n");
            eventually("b", "ip link", "mana0", "mana1");

            lender.close();
            // that the connection is gone is told first; the function goes right after it
            eventually("b", "vfio list --json", "\"connected\": false", "\"direction\": \"borrowed\"");
            eventuallyNothing("b", "lspci -n");
            try (Run again = up("a", lending)) {
                eventually("b", "vfio list", "one   borrowed   7871:00:00.0", "yes");
                eventually("b", "ip link", "mana0", "mana1");
                assertThat(again.process().isAlive()).isTrue();
            }
            assertThat(borrower.process().isAlive()).isTrue();
        }
    }
}
