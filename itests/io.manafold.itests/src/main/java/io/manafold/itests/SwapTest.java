package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.itests.bundles.DriverBundle;
import io.manafold.itests.bundles.Footprint;
import io.manafold.itests.bundles.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;

/** A bound driver is replaced over and over under a busy dependent; nothing may pile up. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SwapTest {
    private static final String ADDRESS = "7870:00:00.0";
    private static final int SWAPS = Integer.getInteger("manafold.swaps", 100);
    /** The state that later swaps are held against: by then everything that is made once has been made. */
    private static final int SETTLED = 10;

    @RegisterExtension
    final Platform platform = new Platform();

    private static DriverBundle ethernet(int swap) {
        return DriverBundle.of("ethernet", "1414:00ba").offers("mana.rdma").version("1." + swap + ".0");
    }

    @Test
    void updatesUnderABusyDependent() throws Exception {
        platform.plug(ADDRESS);
        Bundle driver = platform.start(ethernet(0));
        platform.start(DriverBundle.of("rdma", "mana.rdma").busy());
        platform.assertBound("mana.rdma.0", "rdma 1.0.0");
        Footprint footprint = new Footprint(platform.context());
        long[] rebound = new long[SWAPS];
        Footprint.Figures settled = null;
        for (int swap = 1; swap <= SWAPS; swap++) {
            footprint.watch(driver.adapt(BundleWiring.class).getClassLoader());
            var next = ethernet(swap).jar();
            long begin = System.nanoTime();
            driver.update(next);
            awaitBound("mana.rdma.0");
            rebound[swap - 1] = System.nanoTime() - begin;
            platform.assertBound(ADDRESS, "ethernet 1." + swap + ".0");
            if (swap == SETTLED) {
                settled = footprint.measure();
            }
        }
        // a frame on some stack may run code that was compiled for the last ones, until others come
        for (int more = 1; more <= SETTLED; more++) {
            driver.update(ethernet(SWAPS + more).jar());
            awaitBound("mana.rdma.0");
        }
        Footprint.Figures end = footprint.measureAgainst(settled);
        report("update to re-bound, dependent included", rebound);
        assertThat(end.noMoreThan(settled)).as("after %d swaps %s, after %d %s", SWAPS, end, SETTLED, settled).isTrue();
    }

    @Test
    void startsAndStops() throws Exception {
        platform.plug(ADDRESS);
        Bundle driver = platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
        Footprint footprint = new Footprint(platform.context());
        long[] bound = new long[SWAPS];
        long[] unbound = new long[SWAPS];
        Footprint.Figures settled = null;
        for (int swap = 1; swap <= SWAPS; swap++) {
            long begin = System.nanoTime();
            driver.stop();
            unbound[swap - 1] = System.nanoTime() - begin;
            begin = System.nanoTime();
            driver.start();
            awaitBound(ADDRESS);
            bound[swap - 1] = System.nanoTime() - begin;
            if (swap == SETTLED) {
                settled = footprint.measure();
            }
        }
        Footprint.Figures end = footprint.measureAgainst(settled);
        report("bundle start to bound", bound);
        report("bundle stop to unbound", unbound);
        assertThat(end.noMoreThan(settled)).as("after %d swaps %s, after %d %s", SWAPS, end, SETTLED, settled).isTrue();
    }

    private void awaitBound(String device) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (platform.find(device).flatMap(status -> status.driver()).isEmpty()) {
            assertThat(System.nanoTime()).as("waiting for %s to be bound", device).isLessThan(giveUp);
            // the dependent keeps one core busy; a second spinner would leave the core none
            LockSupport.parkNanos(20_000);
        }
    }

    /** Figures for people: printed, and kept beside the test reports. */
    private void report(String what, long[] nanos) throws IOException {
        Arrays.sort(nanos);
        String line = String.format(Locale.ROOT, "%s, %s: median %.2f ms, p99 %.2f ms, worst %.2f ms of %d%n",
                platform.context().getBundle(0).getSymbolicName(), what, nanos[nanos.length / 2] / 1e6,
                nanos[Math.min(nanos.length - 1, nanos.length * 99 / 100)] / 1e6, nanos[nanos.length - 1] / 1e6,
                nanos.length);
        System.out.print(line);
        Path file = Path.of(System.getProperty("manafold.report"), "swap-times.txt");
        Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
