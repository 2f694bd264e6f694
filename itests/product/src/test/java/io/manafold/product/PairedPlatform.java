package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;

/** A platform with a pair of a synthetic device and a virtual function, eth1, and a second window on it. */
abstract class PairedPlatform {
    @TempDir
    Path folder;

    final Run.Ended attached(String line) {
        return Run.manafold("attach", "--data", folder.toString(), "-c", line).end();
    }

    final long counter(String name) {
        JsonObject all = attached("ethtool -S eth1 --json").done().json().asJsonArray().getJsonObject(0);
        return all.getJsonNumber(name).longValue();
    }

    final Run started() throws Exception {
        return started("pair");
    }

    final Run started(String lab) throws Exception {
        Run platform = Run.manafold("--headless", "--data", folder.toString(), "--lab", lab).start();
        platform.awaitOut("ready\n");
        return platform;
    }

    final void awaitLine(String line, String shown) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!attached(line).done().out().contains(shown)) {
            assertThat(System.nanoTime()).as("%s shows %s", line, shown).isLessThan(deadline);
            Thread.sleep(50);
        }
    }
}
