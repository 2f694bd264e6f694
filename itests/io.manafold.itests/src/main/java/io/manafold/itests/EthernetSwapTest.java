package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.PortStatus;
import io.manafold.api.device.DeviceEvent;
import io.manafold.api.net.NetDevice;
import io.manafold.itests.bundles.Footprint;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.wiring.BundleWiring;

/** The Ethernet driver is replaced over and over while frames travel between its devices. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class EthernetSwapTest {
    private static final int SWAPS = Integer.getInteger("manafold.ethernet.swaps", 50);
    private static final int SETTLED = 10;
    private static final int KEPT = 32;

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    @Test
    void updatesUnderTraffic() throws Exception {
        swaps("update", Wire::update);
    }

    @Test
    void newerVersionsTakeOverUnderTraffic() throws Exception {
        swaps("take-over by a newer version", Wire::takeOver);
    }

    @Test
    void theEventTellsWhatIsStillOut() throws Exception {
        platform.folder(folder);
        try (Wire wire = new Wire(platform, folder, KEPT)) {
            for (int port = 1; port <= 2; port++) {
                int end = port;
                Wire.await("end " + port + " has kept what it keeps", () -> wire.flow(end).received() > KEPT);
            }
            wire.update("1.1.0");
            platform.assertBound(Wire.ADDRESS, "ethernet 1.1.0");
            DeviceEvent swapped = swapped();
            assertThat(swapped.figures()).containsOnlyKeys("gap_ms", "frames_lost", "buffers_out")
                    .containsEntry("buffers_out", 2L * KEPT);
            assertThat(swapped.sentence()).endsWith(2 * KEPT + " buffers not home");
            wire.flow(1).keepNone();
            wire.flow(2).keepNone();
            wire.flows("after the first replacement");
            wire.update("1.2.0");
            platform.assertBound(Wire.ADDRESS, "ethernet 1.2.0");
            assertThat(swapped().sentence()).endsWith(", all buffers home");
        }
    }

    private DeviceEvent swapped() {
        return platform.events().recent().reversed().stream().filter(event -> event.kind() == DeviceEvent.Kind.SWAPPED
                && event.device().filter(Wire.ADDRESS::equals).isPresent()).findFirst().orElseThrow();
    }

    /** How one version follows another. */
    private interface Step {
        void take(Wire wire, String version) throws Exception;
    }

    private void swaps(String what, Step step) throws Exception {
        platform.folder(folder);
        Footprint footprint = new Footprint(platform.context());
        long[] gaps = new long[SWAPS];
        Footprint.Figures settled = null;
        try (Wire wire = new Wire(platform, folder, KEPT)) {
            byte[] key = set(wire);
            for (int swap = 1; swap <= SWAPS; swap++) {
                wire.flows("before swap " + swap);
                footprint.watch(wire.driver().adapt(BundleWiring.class).getClassLoader());
                step.take(wire, "1." + swap + ".0");
                wire.flows("after swap " + swap);
                gaps[swap - 1] = Math.max(wire.flow(1).longestPause(), wire.flow(2).longestPause());
                platform.assertBound(Wire.ADDRESS, "ethernet 1." + swap + ".0");
                assertAsSet(wire, key);
                if (swap == SETTLED) {
                    settled = measure(wire, footprint);
                    wire.flow(1).releaseKept();
                } else if (swap % 7 == 0) {
                    wire.flow(2).releaseKept();
                }
            }
            Footprint.Figures limit = settled;
            // frames of drivers long gone are read once more here, and let go
            assertThat(wire.flow(1).releaseKept()).isEqualTo(KEPT);
            wire.flow(2).releaseKept();
            wire.flows("at the end");
            if (limit != null) {
                Footprint.Figures end = measure(wire, footprint, limit);
                assertThat(end.noMoreThan(limit)).as("after %d swaps %s, after %d %s", SWAPS, end, SETTLED, limit)
                        .isTrue();
            }
            everyFrameIsSentOrCounted(wire);
            assertThat(wire.adapter().rejections()).isEmpty();
        }
        report("Ethernet driver's " + what + ", longest time without a frame", gaps);
    }

    /** Two drivers' worth of kept frames may be out at any time, and no more. */
    private static Footprint.Figures measure(Wire wire, Footprint footprint) throws InterruptedException {
        wire.flow(1).releaseKept();
        wire.flow(2).releaseKept();
        return footprint.measure();
    }

    private static Footprint.Figures measure(Wire wire, Footprint footprint, Footprint.Figures limit)
            throws InterruptedException {
        wire.flow(1).releaseKept();
        wire.flow(2).releaseKept();
        return footprint.measureAgainst(limit);
    }

    private static byte[] set(Wire wire) {
        NetDevice device = wire.device(1);
        byte[] key = new byte[40];
        Arrays.fill(key, (byte) 0x5a);
        device.setMtu(4000);
        device.setRings(512, 512);
        device.setChannels(3);
        device.setSpreading(key, null);
        wire.limit(device, 10_000_000_000L);
        return key;
    }

    private static void assertAsSet(Wire wire, byte[] key) {
        NetDevice device = wire.device(1);
        assertThat(device.mtu()).isEqualTo(4000);
        assertThat(device.rings().receive()).isEqualTo(512);
        assertThat(device.rings().transmit()).isEqualTo(512);
        assertThat(device.channels()).isEqualTo(3);
        assertThat(device.spreading().key()).isEqualTo(key);
        Wire.await("the limit is there again", () -> wire.isLimited(device));
    }

    private static void everyFrameIsSentOrCounted(Wire wire) throws Exception {
        wire.driver().stop();
        for (int port = 1; port <= 2; port++) {
            assertThat(wire.flow(port).damaged()).as("damaged frames at port %d", port).isZero();
            PortStatus status = wire.adapter().ports().get(port - 1);
            Map<String, Long> counters = status.counters();
            assertThat(counters.get("tx_packets")).as("port %d sent, of %d accepted: %s", port,
                    wire.flow(port).accepted(), counters).isEqualTo(wire.flow(port).accepted());
        }
    }

    private void report(String what, long[] nanos) throws IOException {
        Arrays.sort(nanos);
        String line = String.format(Locale.ROOT, "%s, %s: median %.2f ms, p99 %.2f ms, worst %.2f ms of %d%n",
                platform.context().getBundle(0).getSymbolicName(), what, nanos[nanos.length / 2] / 1e6,
                nanos[Math.min(nanos.length - 1, nanos.length * 99 / 100)] / 1e6, nanos[nanos.length - 1] / 1e6,
                nanos.length);
        System.out.print(line);
        String folder = System.getProperty("manafold.report");
        if (folder != null) {
            Files.writeString(Path.of(folder, "rebind.txt"), line, StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }
}
