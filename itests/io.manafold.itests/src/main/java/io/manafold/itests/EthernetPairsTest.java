package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PoolStatus;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.EthernetBundle;
import io.manafold.itests.net.Wire;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** All pairs of changes of a device against each other while frames travel: no deadlock, no lost buffer. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class EthernetPairsTest {
    private static final long SECONDS = Integer.getInteger("manafold.pairs.seconds", 15);

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private Wire wire;
    private int version;

    /** A change, one of two kinds by turns. */
    private interface Change {
        void make(NetDevice device, int turn) throws Exception;
    }

    private record Kind(String name, Change change) {
    }

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
        try (Wire traffic = new Wire(platform, folder, 8); ExecutorService both = Executors.newFixedThreadPool(2)) {
            wire = traffic;
            List<Kind> kinds = kinds();
            int pairs = kinds.size() * (kinds.size() + 1) / 2;
            long slice = TimeUnit.SECONDS.toNanos(SECONDS) / pairs;
            for (int i = 0; i < kinds.size(); i++) {
                for (int j = i; j < kinds.size(); j++) {
                    pair(both, kinds.get(i), kinds.get(j), slice);
                }
            }
            nothingIsLost();
            assertThat(wire.flow(1).damaged() + wire.flow(2).damaged()).as("damaged frames").isZero();
        }
    }

    private void pair(ExecutorService both, Kind one, Kind other, long nanos) throws Exception {
        long end = System.nanoTime() + nanos;
        List<Future<Integer>> running = List.of(both.submit(() -> repeat(one, end)), both.submit(() -> repeat(other, end)));
        for (Future<Integer> each : running) {
            await(each, one.name + " against " + other.name);
        }
        Wire.await("the devices are there", () -> wire.device(1) != null && wire.device(2) != null);
        calm(wire.device(1));
        wire.flows("after " + one.name + " against " + other.name);
    }

    private int repeat(Kind kind, long end) throws Exception {
        int turn = 0;
        do {
            NetDevice device = wire.device(1);
            if (device != null) {
                try {
                    kind.change.make(device, turn);
                } catch (Refusal refused) {
                    // what another change forbids, and a device whose driver has just gone
                    assertThat(refused.errno()).as(kind.name + ": " + refused.getMessage()).isIn(Errno.ENODEV,
                            Errno.ENOENT, Errno.EOPNOTSUPP, Errno.EINVAL);
                }
            }
            turn++;
        } while (System.nanoTime() < end);
        return turn;
    }

    private static void await(Future<Integer> running, String what) throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (int patience = 0; patience < 240; patience++) {
            try {
                running.get(500, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException still) {
                long[] locked = threads.findDeadlockedThreads();
                assertThat(locked).as("%s: %s", what, locked == null ? "" : dump(threads.getThreadInfo(locked, 30)))
                        .isNull();
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof Exception cause ? cause : failed;
            }
        }
        throw new AssertionError(what + " does not end: " + dump(threads.dumpAllThreads(true, true, 30)));
    }

    private static String dump(ThreadInfo[] threads) {
        return String.join("", Arrays.stream(threads).map(ThreadInfo::toString).toList());
    }

    private static void calm(NetDevice device) {
        device.setHook(null);
        device.setPages(ReceivePolicy.LEAN, 4096);
        device.setUp(true);
    }

    /** Every buffer is posted, free, or held by somebody with a name; and when all let go, none is out. */
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
