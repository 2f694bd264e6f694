package io.manafold.lent;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.fabric.internal.BareSwitch;
import io.manafold.memory.DmaArena;
import io.manafold.vfio.internal.BareExport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a hostile client costs, in memory of the whole process that is resident: the most at any moment that is looked
 * at, while the client holds all it can get. More rounds by hand: {@code -Dattack.rounds=50}.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class GrowthTest {
    private static final double MOST_MEBIBYTES = 200;
    private static final int ROUNDS = Integer.getInteger("attack.rounds", 2);
    private static final long SEED = 20261122;

    @TempDir
    Path folder;

    private double most;

    @Test
    void memoryStaysBoundedUnderAttack() throws Exception {
        Path socket = folder.resolve("victim.sock");
        try (TestAdapter victim = new TestAdapter("victim", "ports", 2, "queues", 16);
                BareExport export = new BareExport("victim", victim.function(), socket)) {
            aNeighbourIsServed();
            double before = Footprint.residentMebibytes();
            for (int round = 0; round < ROUNDS; round++) {
                try (Borrowed function = new Borrowed(socket)) {
                    Attack attack = new Attack(victim, function, SEED + round, this::look);
                    attack.run();
                    aNeighbourIsServed();
                    attack.noise();
                }
                awaitGone(export, victim);
                look();
            }
            System.out.printf("memory under attack: %.1f MiB more than %.1f MiB, in %d rounds%n", most - before,
                    before, ROUNDS);
            assertThat(most - before).as("growth in MiB").isLessThan(MOST_MEBIBYTES);
        }
    }

    private void look() {
        most = Math.max(most, Footprint.residentMebibytes());
    }

    /** Whatever one client holds, another one's function comes up and passes frames. */
    private void aNeighbourIsServed() throws Exception {
        Path socket = folder.resolve("neighbour.sock");
        try (BareSwitch link = new BareSwitch("link", "neighbour/1", "neighbour/2");
                TestAdapter neighbour = new TestAdapter("neighbour", "ports", 2, "queues", 4)) {
            neighbour.plug(link.link(), "neighbour/1", "neighbour/2");
            try (BareExport export = new BareExport("neighbour", neighbour.function(), socket);
                    Borrowed function = new Borrowed(socket);
                    DmaArena memory = new DmaArena(function.dma(), "neighbour", 1L << 32, 16 << 20)) {
                assertThat(export.connected()).isTrue();
                Traffic traffic = new Traffic(function, memory);
                traffic.start();
                traffic.await(1000);
                traffic.stop();
                traffic.close();
                assertThat(neighbour.adapter().rejections()).isEmpty();
            }
        }
    }

    private static void awaitGone(BareExport export, TestAdapter victim) throws InterruptedException, IOException {
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (export.connected() || victim.function().dma().ranges() > 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("the client has gone, but its memory has not");
            }
            Thread.sleep(10);
        }
    }
}
