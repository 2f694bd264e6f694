package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A client that makes its eventfds block, and fills them, loses its interrupts; ports beside its own lose nothing. */
@Isolated
class StuckInterruptsTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private String data;

    @Test
    void theNeighboursOfAnExportDoNotNotice() throws IOException {
        Path socket = folder.resolve("vm.sock");
        Path lending = Files.writeString(folder.resolve("lending.yaml"), """
                adapters: [{name: one, ports: 2}, {name: vm}]
                links: [{name: net, ports: [one/1, one/2, vm/1]}]
                exports: [{adapter: vm, socket: %s}]
                devices:
                  - {name: mana0, on: one/1, addresses: [10.77.0.1/24]}
                  - {name: mana1, on: one/2, addresses: [10.77.0.2/24]}
                """.formatted(socket));
        Path client = Files.writeString(folder.resolve("client.yaml"), """
                borrow: [{name: far, socket: %s}]
                devices: [{name: mana0, on: far/1, addresses: [10.77.0.3/24]}]
                """.formatted(socket));
        data = folder.resolve("lending").toString();
        try (Run lender = up(data, lending); Run tenant = up(folder.resolve("client").toString(), client)) {
            attached("ping -c 1 -W 10 -I mana0 10.77.0.3").done();
            JsonObject export = stop(tenant);
            // a client that was stopped while it polled wants no interrupt, and has to be stopped once more
            for (int again = 0; again < 5 && export.getJsonArray("problems").isEmpty(); again++) {
                Run.of("kill", "-CONT", Long.toString(tenant.pid())).end().done();
                attached("ping -c 1 -W 10 -I mana0 10.77.0.3");
                export = stop(tenant);
            }
            assertThat(export.getJsonArray("problems").toString()).contains("does not take its interrupts");
            assertThat(export.getInt("stuck_interrupts")).isPositive();
            assertThat(attached("vfio list").done().out()).contains("PROBLEMS", "the guest does not");

            attached("lab down lending").done();
            attached("lab up " + lending).done();
            attached("ping -q -c 20 -i 0.02 -I mana0 10.77.0.2").done();
            lender.terminate();
            assertThat(lender.ended(SOON).status()).isZero();
        }
    }

    /**
     * Fills the client's eventfds and sends to it, and to a neighbour of it; answers what the lender says of it then.
     */
    private JsonObject stop(Run tenant) {
        Run.Ended filled = Run.of("python3", Path.of("src/test/resources/fill-eventfds.py").toAbsolutePath().toString(),
                Long.toString(tenant.pid())).end();
        assertThat(Integer.parseInt(filled.done().out().strip())).isPositive();
        // each of these reaches the tenant's port too, and would raise an interrupt there
        attached("ping -q -c 20 -i 0.02 -I mana0 10.77.0.3");
        attached("ping -q -c 20 -i 0.02 -I mana0 10.77.0.2").done();
        return export();
    }

    /** The export, once a write has waited for long enough to be told. */
    private JsonObject export() {
        long deadline = System.nanoTime() + Duration.ofSeconds(15).toNanos();
        while (true) {
            JsonObject export = attached("vfio list --json").done().json().asJsonArray().getJsonObject(0);
            if (!export.getJsonArray("problems").isEmpty() || System.nanoTime() > deadline) {
                return export;
            }
        }
    }

    private Run.Ended attached(String line) {
        return Run.manafold("attach", "--data", data, "-c", line).end();
    }

    private static Run up(String data, Path lab) {
        Run run = Run.manafold("--headless", "--data", data, "--lab", lab.toString()).start();
        run.awaitOut("ready\n");
        return run;
    }
}
