package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools with several threads at once. */
@Timeout(300)
class PagePoolStressTest {
    private static final int PACKETS = 400_000;
    /** A wait that leaves the processor to the thread that is waited for. */
    private static final long SHORT = 20_000;

    @ParameterizedTest
    @EnumSource(ReceivePolicy.class)
    void noBufferIsGivenTwiceAndNoneIsLost(ReceivePolicy policy) throws Exception {
        try (DmaTable table = new DmaTable();
                DmaArena arena = DmaArena.paged(table, "stress", 1L << 32, 32 << 20)) {
            PagePool pool = new PagePool("stress", arena, PagePlans.plan(policy, 16384, 1500, false), 64,
                    ReceiveMapping.PACKET);
            BlockingQueue<PacketBuffer> across = new ArrayBlockingQueue<>(300);
            AtomicReference<Throwable> wrong = new AtomicReference<>();
            List<Thread> others = new ArrayList<>();
            PacketBuffer stop = pool.take();
            for (int i = 0; i < 2; i++) {
                Thread other = new Thread(() -> {
                    try {
                        for (PacketBuffer next = across.take(); next != stop; next = across.take()) {
                            check(next);
                        }
                    } catch (Throwable mistake) {
                        wrong.set(mistake);
                    } finally {
                        across.clear();
                    }
                }, "other-" + i);
                other.start();
                others.add(other);
            }
            long here = 0;
            for (int i = 0; i < PACKETS; i++) {
                PacketBuffer buffer = pool.take();
                pool.received(buffer);
                // the thread that has it finds its own number in it, or another had it at the same time
                buffer.place(0, 64);
                buffer.put64(0, buffer.dma());
                buffer.put64(8, i);
                buffer.hash(i);
                if (i % 3 == 0) {
                    check(buffer);
                    here++;
                } else {
                    while (!across.offer(buffer) && wrong.get() == null) {
                        LockSupport.parkNanos(SHORT);
                    }
                }
            }
            while (!across.isEmpty() && wrong.get() == null) {
                LockSupport.parkNanos(SHORT);
            }
            // some are still in the others' hands when it closes
            pool.close();
            for (Thread other : others) {
                across.put(stop);
            }
            for (Thread other : others) {
                while (other.isAlive()) {
                    across.offer(stop);
                    other.join(50);
                }
            }
            assertThat(wrong).hasNullValue();
            assertThat(pool.outstanding()).as("but the one that says stop").isEqualTo(1);
            stop.release();
            assertThat(pool.isDrained()).isTrue();
            assertThat(arena.pagesInUse()).isZero();
            assertThat(here).isPositive();
        }
    }

    private static void check(PacketBuffer buffer) {
        assertSame(buffer.dma(), buffer.get64(0));
        assertSame(buffer.hash(), buffer.get64(8));
        buffer.release();
    }

    private static void assertSame(long expected, long found) {
        if (expected != found) {
            throw new AssertionError(found + " instead of " + expected);
        }
    }

    @Test
    void ofTwoThreadsThatReleaseTheSameBufferOneIsRefused() throws Exception {
        try (DmaTable table = new DmaTable();
                DmaArena arena = new DmaArena(table, "race", 1L << 32, 1 << 20)) {
            PagePool pool = new PagePool("race", arena, PagePlans.plan(ReceivePolicy.LEAN, 4096, 1500, false), 64);
            int rounds = 20_000;
            AtomicInteger refused = new AtomicInteger();
            PacketBuffer[] at = new PacketBuffer[1];
            CyclicBarrier start = new CyclicBarrier(2);
            CyclicBarrier end = new CyclicBarrier(2);
            Thread other = new Thread(() -> {
                for (int i = 0; i < rounds; i++) {
                    meet(start);
                    refused.addAndGet(release(at[0]));
                    meet(end);
                }
            });
            other.start();
            for (int i = 0; i < rounds; i++) {
                at[0] = pool.take();
                meet(start);
                refused.addAndGet(release(at[0]));
                meet(end);
            }
            other.join();
            assertThat(refused).hasValue(rounds);
            assertThat(pool.outstanding()).isZero();
            pool.close();
            assertThat(pool.isDrained()).isTrue();
        }
    }

    @Test
    void severalThatTwoThreadsReleaseComeHomeOnce() throws Exception {
        try (DmaTable table = new DmaTable();
                DmaArena arena = new DmaArena(table, "crowd", 1L << 32, 1 << 20)) {
            PagePool pool = new PagePool("crowd", arena, PagePlans.plan(ReceivePolicy.LEAN, 16384, 1500, false), 64);
            int rounds = 20_000;
            AtomicInteger refused = new AtomicInteger();
            PacketBuffer[] at = new PacketBuffer[9];
            CyclicBarrier start = new CyclicBarrier(2);
            CyclicBarrier end = new CyclicBarrier(2);
            Thread other = new Thread(() -> {
                for (int i = 0; i < rounds; i++) {
                    meet(start);
                    refused.addAndGet(release(at, 0, 6));
                    meet(end);
                }
            });
            other.start();
            for (int i = 0; i < rounds; i++) {
                for (int k = 0; k < at.length; k++) {
                    at[k] = pool.take();
                }
                meet(start);
                refused.addAndGet(release(at, 3, 6));
                meet(end);
                assertThat(pool.free()).isEqualTo(1);
            }
            other.join();
            // three of nine are released by both, and one of the two is told
            assertThat(refused.get()).isBetween(rounds, 2 * rounds);
            assertThat(pool.pages()).isEqualTo(1);
            pool.close();
            assertThat(pool.isDrained()).isTrue();
        }
    }

    private static int release(PacketBuffer[] buffers, int from, int count) {
        try {
            PacketBuffer.release(buffers, from, count);
            return 0;
        } catch (IllegalStateException twice) {
            return 1;
        }
    }

    private static int release(PacketBuffer buffer) {
        try {
            buffer.release();
            return 0;
        } catch (IllegalStateException twice) {
            return 1;
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPoolThatIsClosedWhileItsBuffersAreReleasedIsDrained(boolean byAllocatingThread) throws Exception {
        try (DmaTable table = new DmaTable();
                DmaArena arena = new DmaArena(table, "closing", 1L << 32, 8 << 20)) {
            for (int round = 0; round < 2000; round++) {
                PagePool pool = new PagePool("closing", arena, PagePlans.plan(ReceivePolicy.LEAN, 4096, 1500, false),
                        16);
                PacketBuffer[] out = new PacketBuffer[13];
                for (int i = 0; i < out.length; i++) {
                    out[i] = pool.take();
                }
                Thread other = new Thread(() -> {
                    for (PacketBuffer buffer : out) {
                        buffer.release();
                    }
                });
                if (byAllocatingThread) {
                    pool.owner(other);
                }
                other.start();
                pool.close();
                other.join();
                assertThat(pool.isDrained()).isTrue();
                assertThat(arena.pagesInUse()).isZero();
            }
        }
    }
}
