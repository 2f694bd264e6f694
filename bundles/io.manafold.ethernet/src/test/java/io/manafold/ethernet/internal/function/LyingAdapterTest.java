package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Fault;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.ethernet.internal.queue.QueueSet;
import io.manafold.ethernet.internal.queue.ReceiveCounters;
import io.manafold.ethernet.internal.user.DeviceAgent;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.OwnerBits;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.driver.QueuePair;
import io.manafold.memory.RawMemory;
import java.lang.reflect.Field;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Completions that no honest device writes: counted, or the port ends with a reason; neither driver nor users are hurt.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class LyingAdapterTest {
    private final Bench bench = new Bench();
    private final Station left = new Station(bench.left());
    private int entries = 512;
    private int position;

    @AfterEach
    void close() {
        left.close();
        bench.close();
    }

    private interface Body {
        void write(long entry);
    }

    /** A fresh set of queues that is looked at all the time. */
    private QueueSet fresh() {
        entries = 768 - entries;
        position = 0;
        bench.change(bench.left(), now -> now.withRings(entries, entries).withChannels(1).withFlag(PortConfig.POLL,
                true));
        return bench.left().life().queues();
    }

    /** Writes the next completion of a queue that has had none but those. */
    private void lie(QueuePair pair, int workQueue, boolean sendSide, Body body) {
        int slots = pair.completions().slots();
        int index = slots + position++;
        bench.left().life().agent().run(() -> {
            long entry = pair.completions().memory().pointer()
                    + (long) OwnerBits.slot(index, slots) * CompletionEntry.SIZE;
            RawMemory.clear(entry, CompletionEntry.LAST);
            body.write(entry);
            RawMemory.putRelease32(entry + CompletionEntry.LAST,
                    CompletionEntry.last(workQueue, sendSide, index, slots));
        });
    }

    private void received(QueueSet set, int type, int... lengths) {
        QueuePair pair = set.receive(0).pair();
        lie(pair, pair.work().id(), false, entry -> {
            RawMemory.put32(entry + ReceiveCompletion.FIRST, CompletionEntry.first(type, 0));
            for (int k = 0; k < lengths.length; k++) {
                RawMemory.put16(entry + (type == ReceiveCompletion.COALESCED_8 ? ReceiveCompletion.pairedLengthAt(k)
                        : ReceiveCompletion.lengthAt(k)), lengths[k]);
            }
        });
    }

    @Test
    void lengthsAndTypesThatCannotBe() {
        QueueSet set = fresh();
        ReceiveCounters counters = bench.left().life().counters().receive(0);
        received(set, ReceiveCompletion.OK, 65535);
        received(set, ReceiveCompletion.OK, 1515);
        received(set, ReceiveCompletion.TRUNCATED, 9);
        Bench.await("too long is counted", () -> counters.truncated == 3);
        received(set, ReceiveCompletion.OK, 0);
        received(set, ReceiveCompletion.COALESCED, 0, 60, 60, 60);
        Bench.await("nothing is counted", () -> counters.withoutLength == 2);
        received(set, 0);
        received(set, 63, 100);
        Bench.await("unknown is counted", () -> counters.unknown == 2);
        received(set, ReceiveCompletion.FENCE);
        received(set, ReceiveCompletion.COALESCED, 60, 65000, 70, 80);
        received(set, ReceiveCompletion.OK, 1514);
        Bench.await("what is possible arrives", () -> left.arrived.size() == 4);
        assertThat(counters.truncated).isEqualTo(4);
        // the driver has not asked for two frames in an entry, and understands them all the same
        received(set, ReceiveCompletion.COALESCED_8, 0, 60, 60, 60, 60, 60, 60, 60);
        Bench.await("nothing is counted once more", () -> counters.withoutLength == 3);
        received(set, ReceiveCompletion.COALESCED_8, 60, 61, 65000, 63, 0, 65, 66, 67);
        received(set, ReceiveCompletion.COALESCED_8, 60, 61, 62, 63, 64, 65, 66, 67);
        Bench.await("what is possible of eight arrives", () -> left.arrived.size() == 15);
        assertThat(counters.truncated).isEqualTo(5);
        assertThat(counters.coalesced[4]).isEqualTo(2);
        assertThat(counters.coalesced[8]).isEqualTo(1);
        // more than were ever posted, in turns
        for (int i = 0; i < 3 * entries; i++) {
            received(set, ReceiveCompletion.OK, 64);
        }
        Bench.await("all arrive", () -> left.arrived.size() == 15 + 3 * entries);
        assertThat(set.failure()).isNull();
    }

    @Test
    void moreAtOnceThanWereEverPosted() {
        position = 0;
        bench.change(bench.left(), now -> now.withRings(128, 128).withChannels(1).withFlag(PortConfig.POLL, true));
        QueueSet set = bench.left().life().queues();
        ReceiveCounters counters = bench.left().life().counters().receive(0);
        bench.left().life().agent().run(() -> {
            for (int i = 0; i < 60; i++) {
                received(set, ReceiveCompletion.COALESCED, 65000, 65000, 60, 65000);
                received(set, ReceiveCompletion.COALESCED_8, 65000, 65000, 65000, 65000, 65000, 65000, 65000, 60);
            }
        });
        Bench.await("all are counted", () -> counters.truncated == 600 && left.arrived.size() == 120);
        assertThat(set.failure()).isNull();
        fresh();
    }

    @Test
    void completionsOfAnotherQueue() {
        for (int kind = 0; kind < 6; kind++) {
            QueueSet set = fresh();
            QueuePair receive = set.receive(0).pair();
            QueuePair send = set.send(0).pair();
            switch (kind) {
                case 0 -> lie(receive, receive.work().id() + 1, false, _ -> { });
                case 1 -> lie(receive, receive.work().id(), true, _ -> { });
                case 2 -> lie(send, send.work().id(), false, _ -> { });
                case 3 -> lie(send, send.work().id() ^ 0xffff, true, _ -> { });
                case 4 -> lie(send, send.work().id(), true, entry -> {
                    RawMemory.put32(entry + SendCompletion.FIRST, CompletionEntry.first(SendCompletion.OK, 0));
                    RawMemory.put32(entry + SendCompletion.REQUEST, SendCompletion.request(0, 0x7ff_ffff));
                });
                default -> lie(send, send.work().id(), true, entry -> RawMemory.put32(entry + SendCompletion.FIRST,
                        CompletionEntry.first(SendCompletion.OK, 0)));
            }
            Bench.await("the port has failed", () -> set.failure() != null);
            assertThat(set.failure()).endsWith(".").containsPattern("queue \\d+");
            Bench.await("the queues are made anew", () -> bench.left().life().queues() != set);
        }
        fresh();
        assertThat(left.trySend(left.frame(bench.right(), 1, 100), 2000, _ -> { })).isTrue();
    }

    /** The adapter holds back the answer that makes new queues the port's, and lies to them before it comes. */
    @Test
    void completionsOfAnotherQueueBeforeTheQueuesAreThePorts() throws Exception {
        QueueSet old = fresh();
        bench.adapter.adapter().inject(new Fault("late", "configure-vport-rx", Fault.Effect.LATE, 0,
                TimeUnit.SECONDS.toNanos(5), true));
        CompletableFuture<Void> change = CompletableFuture.runAsync(() -> bench.left().setMtu(3000));
        Bench.await("the device's thread has new queues", () -> newest() != old);
        QueueSet set = newest();
        position = 0;
        QueuePair send = set.send(0).pair();
        lie(send, send.work().id(), false, _ -> { });
        Bench.await("they have failed", () -> set.failure() != null);
        assertThat(change).as("the change waits for the answer").isNotDone();
        change.get(60, TimeUnit.SECONDS);
        awaitOthersThan(set);
    }

    @Test
    void aFailureThatIsNotHeardOfIsFound() {
        QueueSet set = fresh();
        QueuePair send = set.send(0).pair();
        Plan plan = new Plan(bench.right().address(), 2, bench.right().name(), Optional.empty(), true);
        bench.right().life().lock().lock();
        try {
            // as many as the control agent takes: it hears of nothing else
            for (int i = 0; i < 100; i++) {
                bench.drive.follow(plan);
            }
            lie(send, send.work().id(), false, _ -> { });
            Bench.await("the port has failed", () -> set.failure() != null);
            bench.left().life().agent().run(() -> { });
        } finally {
            bench.right().life().lock().unlock();
        }
        awaitOthersThan(set);
    }

    private void awaitOthersThan(QueueSet set) {
        Bench.await("the queues are made anew", () -> {
            QueueSet now = bench.left().life().queues();
            return now != null && now != set;
        });
        assertThat(left.trySend(left.frame(bench.right(), 1, 100), 2000, _ -> { })).isTrue();
        Bench.await("frames leave", () -> bench.right().totals().get("rx_packets") > 0);
    }

    /** The queues that the device's thread has got last, be they the port's already or not. */
    private QueueSet newest() {
        DeviceAgent agent = bench.left().life().agent();
        QueueSet[] last = new QueueSet[1];
        agent.run(() -> {
            try {
                Field sets = DeviceAgent.class.getDeclaredField("sets");
                sets.setAccessible(true);
                QueueSet[] all = (QueueSet[]) sets.get(agent);
                last[0] = all[all.length - 1];
            } catch (ReflectiveOperationException renamed) {
                throw new AssertionError(renamed);
            }
        });
        return last[0];
    }

    @Test
    void entriesThatSkipALap() {
        QueueSet set = fresh();
        QueuePair receive = set.receive(0).pair();
        position = 3 * receive.completions().slots();
        lie(receive, receive.work().id(), false, _ -> { });
        Bench.await("the port has failed", () -> set.failure() != null);
        assertThat(set.failure()).contains("overwritten");
    }
}
