package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.net.ExternalFrames;
import io.manafold.itests.net.Wire;
import io.manafold.memory.PacketPool;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A port over a pair sends from memory of the application, whichever way its packets take. */
@OneFramework
class PollPairTest extends PollPorts {
    private static final int ROUNDS = 3;
    private static final int MOST_UNDER_WAY = 64;
    /** As long as nothing arrives, frames that were under way are not given up. */
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final BitSet seen = new BitSet();
    private final int[] burst = new int[BURST];
    private EthDev pair;
    private EthDev right;
    private ExternalFrames external;
    private int number;
    private int sent;
    private int received;
    private int lost;

    private void begin(ExternalFrames made) throws Exception {
        external = made;
        environment = started();
        pair = environment.ports().stream().filter(port -> port.info().driver().equals("net_netvsc")).findFirst()
                .orElseThrow();
        right = port(RIGHT);
        setUp(right, 1);
        network(RIGHT).setUp(false);
        // it may have come after the pair was taken down
        network(LEFT).setUp(false);
        pair.configure(EthDevPlan.of(1).withOffloads(0, Offload.SEND_SEGMENTS));
        pair.setUpSend(0, 128);
        pair.setUpReceive(0, 128, pool.number());
        right.start();
        pair.start();
    }

    /** The function's network devices come back a moment after the lab has changed. */
    private Environment started() throws Exception {
        long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            try {
                return platform.service(Environments.class).start(List.of("-l", "0-2", "-a", LEFT
                        + ",mac=00:0d:3a:30:00:01", "-a", RIGHT));
            } catch (Refusal refused) {
                assertThat(System.nanoTime()).as(refused.getMessage()).isLessThan(giveUp);
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    private long count(String name) {
        return pair.extendedStatistics().get(name);
    }

    private int underWay() {
        return sent - received - lost;
    }

    /** Sends a burst, of which the rest is not sent at all. */
    private void send() {
        int made = 0;
        while (made < BURST && underWay() + made < MOST_UNDER_WAY) {
            int packet = external.make(number);
            if (packet < 0) {
                break;
            }
            number++;
            burst[made++] = packet;
        }
        int taken = pair.sendQueue(0).burst(burst, 0, made);
        PacketPool.release(burst, taken, made - taken);
        sent += taken;
        pair.sendQueue(0).reclaim();
    }

    /** Takes what has arrived, each frame whole and for the first time. */
    private int receive() {
        int found = right.receiveQueue(0).burst(burst, 0, BURST);
        for (int i = 0; i < found; i++) {
            long come = frames.number(burst[i]);
            assertThat(come).as("the frame that has arrived").isBetween(0L, number - 1L);
            assertThat(seen.get((int) come)).as("frame %d has arrived before", come).isFalse();
            seen.set((int) come);
        }
        pool.give(burst, 0, found);
        received += found;
        return found;
    }

    /** Sends and receives until that is over, and what was under way has arrived or been lost. */
    private void exchangeUntil(String what, BooleanSupplier over) {
        long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        long arrived = System.nanoTime();
        boolean isOver = false;
        while (!isOver || underWay() > 0) {
            assertThat(System.nanoTime()).as("time for: %s", what).isLessThan(giveUp);
            isOver |= over.getAsBoolean();
            if (!isOver) {
                send();
            }
            if (receive() > 0 || underWay() == 0) {
                arrived = System.nanoTime();
            } else if (System.nanoTime() - arrived > LOST_NANOS) {
                lost += underWay();
                arrived = System.nanoTime();
            }
        }
    }

    private void exchangeAll(String what, int frames) {
        int lostBefore = lost;
        int sentBefore = sent;
        exchangeUntil(what, () -> sent - sentBefore >= frames);
        assertThat(lost).as("lost: %s", what).isEqualTo(lostBefore);
    }

    /** Does something to the virtual function while frames go on. */
    private void exchangeWhile(String what, Runnable change, int switches) throws Exception {
        long expected = count("path_switches") + switches;
        CompletableFuture<Void> done = CompletableFuture.runAsync(change);
        exchangeUntil(what, () -> done.isDone() && count("path_switches") >= expected);
        done.get();
        assertThat(count("path_switches")).as(what).isEqualTo(expected);
    }

    @Test
    void memoryOfTheApplicationIsSentWhicheverWayPacketsTake() throws Exception {
        drivers.pair();
        Adapter adapter = drivers.adapters().stream().filter(one -> one.address().toString().equals(LEFT)).findFirst()
                .orElseThrow();
        try (ExternalFrames made = new ExternalFrames(pool, platform.service(MemorySource.class))) {
            begin(made);
            exchangeUntil("the virtual function is in use", () -> count("path_switches") == 1);
            for (int round = 0; round < ROUNDS; round++) {
                long fast = count("vf_tx_good_packets");
                exchangeAll("by the virtual function", 1000);
                assertThat(count("vf_tx_good_packets") - fast).isGreaterThanOrEqualTo(900);
                exchangeWhile("the virtual function is taken away", adapter::revoke, 1);
                long slow = count("vf_tx_good_packets");
                exchangeAll("by the synthetic device", 1000);
                assertThat(count("vf_tx_good_packets")).isEqualTo(slow);
                assertThat(external.left()).as("buffers while nothing is under way").isZero();
                exchangeWhile("it comes back", adapter::restore, 1);
                exchangeWhile("it is reset", () -> adapter.requestReset(Adapter.ResetKind.RESET), 2);
            }
            send();
            pair.stop();
            right.stop();
            external.assertAllToldOnce();
            assertThat(pool.available()).as("packets that are home").isEqualTo(pool.packets());
            assertThat(lost).as("lost of %d frames", sent).isLessThan(ROUNDS * 3 * MOST_UNDER_WAY);
            assertThat(pair.statistics().sendErrors()).isZero();
            Wire.await("all is back", () -> pair.sendQueue(0).reclaim() == 0);
            environment.close();
        }
    }
}
