package io.manafold.itests.shaper;

import static io.manafold.itests.shaper.DeviceShapers.handle;
import static io.manafold.itests.shaper.DeviceShapers.leaf;
import static io.manafold.itests.shaper.DeviceShapers.queue;
import static io.manafold.itests.shaper.DeviceShapers.values;

import io.manafold.api.adapter.Adapter.ResetKind;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.OneFramework;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.EthernetBundle;
import io.manafold.itests.net.Pairs;
import io.manafold.itests.net.Pairs.Kind;
import io.manafold.itests.net.Pairs.Pair;
import io.manafold.itests.net.Wire;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes to shapers against each other and against everything else that happens to a device, while frames travel: no
 * deadlock, and afterwards the adapter holds what is listed.
 */
@OneFramework
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ShaperPairsTest {
    private static final long SECONDS = Integer.getInteger("manafold.pairs.seconds", 15);
    private static final int CHANNELS = 4;
    private static final long RATE = 10_000_000_000L;

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private Wire wire;
    private DeviceShapers on;
    private int version;

    private List<Kind> writes() {
        return List.of(new Kind("device", (_, turn) -> {
            if (turn % 2 == 0) {
                on.set(handle("netdev"), "metric", "bps", "bw-max", RATE);
            } else {
                on.delete(handle("netdev"));
            }
        }), new Kind("queues", (_, turn) -> {
            Map<String, Object> queue = queue(turn / 2 % CHANNELS);
            if (turn % 2 == 0) {
                on.set(queue, "metric", "bps", "bw-max", RATE, "weight", turn % 9 + 1L);
            } else {
                on.delete(queue);
            }
        }), new Kind("groups", (_, turn) -> {
            switch (turn % 4) {
                case 0 -> on.group(values("metric", "bps", "bw-max", RATE), List.of(leaf(0, 1), leaf(1, 2)));
                case 1 -> on.group(values("parent", handle("netdev")), List.of(leaf(1, 3), leaf(2, 1)));
                case 2 -> on.group(values("handle", handle("netdev")), List.of(leaf(0, 0), leaf(3, 0)));
                default -> nodes().forEach(on::delete);
            }
        }), new Kind("reading", (device, _) -> {
            on.dump();
            on.capabilities();
            wire.shapers().status(device.name());
        }));
    }

    private List<Map<String, Object>> nodes() {
        return on.dump().stream().map(DeviceShapers::handleOf).filter(one -> one.get("scope").equals("node")).toList();
    }

    private List<Kind> others() {
        return List.of(new Kind("mtu", (device, turn) -> device.setMtu(turn % 2 == 0 ? 1500 : 3000)),
                new Kind("channels", (device, turn) -> device.setChannels(turn % 2 == 0 ? 2 : CHANNELS)),
                new Kind("up and down", (device, turn) -> device.setUp(turn % 2 == 0)),
                new Kind("swap", (_, _) -> wire.driver().update(EthernetBundle.version("2." + ++version + ".0"))),
                new Kind("removal", (_, _) -> {
                    platform.core().unbind(Wire.ADDRESS);
                    platform.core().bind(Wire.ADDRESS, null);
                }),
                new Kind("surprise", (_, _) -> {
                    wire.adapter().revoke();
                    wire.adapter().restore();
                }),
                new Kind("reset", (_, turn) -> requestReset(ResetKind.values()[turn % 2])));
    }

    /** The adapter does not ask faster than its driver listens. */
    private void requestReset(ResetKind kind) {
        try {
            wire.adapter().requestReset(kind);
        } catch (Refusal refused) {
            if (refused.errno() != Errno.EBUSY) {
                throw refused;
            }
        }
    }

    @Test
    void writesAgainstEverything() throws Exception {
        platform.folder(folder);
        try (Wire traffic = new Wire(platform, folder, 0); Pairs pairs = new Pairs(traffic)) {
            wire = traffic;
            on = new DeviceShapers(wire, 1);
            List<Pair> all = new ArrayList<>(Pairs.of(writes()));
            for (Kind write : writes()) {
                others().forEach(other -> all.add(new Pair(write, other)));
            }
            pairs.run(all, SECONDS, pair -> {
                Wire.await("the devices are there after " + pair, () -> wire.device(2) != null
                        && isDone(() -> on.device().setUp(true)));
                try {
                    Wire.await("the adapter holds what is listed after " + pair, this::isAtRest);
                } catch (AssertionError differs) {
                    throw new AssertionError(pair + ": " + on.difference(), differs);
                }
                wire.flows("after " + pair);
            });
            Wire.await("all shapers are taken away", () -> isDone(on::clear));
        }
    }

    /** Whether it is so; a device that has just come back may be told its shapers a moment later. */
    private boolean isAtRest() {
        return isNow(() -> wire.device(1) != null && on.isHeldByTheAdapter());
    }

    private static boolean isDone(Runnable what) {
        return isNow(() -> {
            what.run();
            return true;
        });
    }

    /** Not while the device is away: a reset that was asked for may still be to come. */
    private static boolean isNow(BooleanSupplier what) {
        try {
            return what.getAsBoolean();
        } catch (Refusal away) {
            return false;
        }
    }
}
