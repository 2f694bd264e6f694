package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PoolStatus;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.EthernetBundle;
import io.manafold.itests.net.Pairs;
import io.manafold.itests.net.Pairs.Kind;
import io.manafold.itests.net.Wire;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** All pairs of changes of a device against each other while frames travel: no deadlock, no lost buffer. */
@OneFramework
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class EthernetPairsTest {
    private static final long SECONDS = Integer.getInteger("manafold.pairs.seconds", 15);

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private Wire wire;
    private int version;

    private List<Kind> kinds() {
        return List.of(new Kind("mtu", (device, turn) -> device.setMtu(turn % 2 == 0 ? 1500 : 3000)),
                new Kind("rings", (device, turn) -> device.setRings(turn % 2 == 0 ? 256 : 512, 256)),
                new Kind("channels", (device, turn) -> device.setChannels(turn % 2 == 0 ? 2 : 6)),
                new Kind("spreading", (device, turn) -> {
                    byte[] key = new byte[40];
                    Arrays.fill(key, (byte) turn);
                    device.setSpreading(key, new int[device.spreading().table().length]);
                }),
                new Kind("limit", (device, turn) -> wire.limit(device, turn % 2 == 0 ? 20_000_000_000L : 0)),
                new Kind("up and down", (device, turn) -> device.setUp(turn % 2 == 0)),
                new Kind("hook", (device, turn) -> device.setHook(turn % 2 == 0 ? null
                        : (_, _) -> ReceiveHook.Verdict.PASS)),
                new Kind("pages", (device, turn) -> device.setPages(ReceivePolicy.values()[turn % 4],
                        turn % 3 == 0 ? 4096 : 16384)),
                new Kind("swap", (_, _) -> swap()));
    }

    private synchronized void swap() throws Exception {
        wire.driver().update(EthernetBundle.version("2." + ++version + ".0"));
    }

    @Test
    void allPairs() throws Exception {
        platform.folder(folder);
        try (Wire traffic = new Wire(platform, folder, 8); Pairs pairs = new Pairs(traffic)) {
            wire = traffic;
            pairs.run(Pairs.of(kinds()), SECONDS, pair -> {
                Wire.await("the devices are there", () -> wire.device(1) != null && wire.device(2) != null);
                calm(wire.device(1));
                wire.flows("after " + pair);
            });
            nothingIsLost();
            assertThat(wire.flow(1).damaged() + wire.flow(2).damaged()).as("damaged frames").isZero();
        }
    }

    private static void calm(NetDevice device) {
        device.setHook(null);
        device.setPages(ReceivePolicy.LEAN, 4096);
        device.setUp(true);
    }

    /** Every buffer is posted, free, or held by a user with a name; and when all let go, none is out. */
    private void nothingIsLost() {
        wire.flow(1).releaseKept();
        wire.flow(2).releaseKept();
        for (int port = 1; port <= 2; port++) {
            NetDevice device = wire.device(port);
            Wire.await("pools of port " + port + " that have no queues any more are gone", () -> {
                wire.flow(1).releaseKept();
                wire.flow(2).releaseKept();
                return closing(device).isEmpty();
            });
        }
    }

    private static List<PoolStatus> closing(NetDevice device) {
        return new ArrayList<>(device.pools().stream().filter(PoolStatus::closing).toList());
    }
}
