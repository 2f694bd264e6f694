package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Adapter.ResetKind;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperMetric;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.port.PortShapers;
import io.manafold.memory.Locks;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Shapers against MTU, channels, up and down, resets and the driver's going and coming, all at once: no two locks are
 * taken in both orders, and no thread waits for good.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class LocksUnderChangeTest {
    private static final long SECONDS = Integer.getInteger("manafold.locks.seconds", 30);
    /** Between changes of a kind: other tests run beside these. */
    private static final long PAUSE_MILLIS = 2;
    private static final int CHANNELS = 4;
    private static final long RATE = 10_000_000_000L;

    private interface Change {
        void once(EthernetDevice device, Random random) throws InterruptedException;
    }

    private final Bench bench = new Bench("queues", 8);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<AtomicLong> made = new ArrayList<>();
    private volatile boolean over;

    private void again(String name, Change change) {
        AtomicLong count = new AtomicLong();
        made.add(count);
        Random random = new Random(name.hashCode());
        threads.add(Thread.ofPlatform().daemon().name(name).start(() -> {
            while (!over) {
                try {
                    FunctionDrive drive = bench.drive;
                    if (drive != null && !drive.offered().isEmpty()) {
                        change.once(drive.offered().getFirst(), random);
                        count.incrementAndGet();
                    }
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                } catch (Refusal refused) {
                    // of a device that is gone, or that a change before has made so
                } catch (Throwable failed) {
                    failures.add(failed);
                    return;
                }
            }
        }));
    }

    private static Shaper limit(ShaperHandle handle, ShaperHandle parent, int weight) {
        return new Shaper(handle, parent, ShaperMetric.BPS, 0, RATE, 0, 0, weight);
    }

    private static void write(EthernetDevice device, Random random) {
        PortShapers shapers = device.shapers();
        shapers.lock().lock();
        try {
            ShaperHandle queue = ShaperHandle.queue(random.nextInt(CHANNELS));
            switch (random.nextInt(4)) {
                case 0 -> shapers.set(limit(ShaperHandle.NETDEV, null, 0));
                case 1 -> shapers.set(limit(queue, ShaperHandle.NETDEV, 1));
                case 2 -> shapers.group(limit(ShaperHandle.node(0), ShaperHandle.NETDEV, 1),
                        List.of(limit(queue, ShaperHandle.node(0), 1)));
                default -> shapers.status().forEach(status -> shapers.delete(status.handle()));
            }
        } finally {
            shapers.lock().unlock();
        }
    }

    @Test
    void noOrderIsTurnedRound() throws Exception {
        assertThat(Locks.areChecked()).as("-Dmanafold.locks=check").isTrue();
        again("writes", LocksUnderChangeTest::write);
        again("writes too", LocksUnderChangeTest::write);
        again("mtu", (device, random) -> device.setMtu(random.nextBoolean() ? 1500 : 3000));
        again("channels", (device, random) -> device.setChannels(random.nextBoolean() ? 2 : CHANNELS));
        again("up and down", (device, random) -> device.setUp(random.nextInt(4) != 0));
        again("reading", (device, _) -> {
            device.totals();
            device.pools();
            device.shapers().status();
        });
        again("reset", (_, random) -> {
            bench.adapter.adapter().requestReset(ResetKind.values()[random.nextInt(2)]);
            TimeUnit.MILLISECONDS.sleep(20);
        });
        again("removal", (_, _) -> {
            bench.remove();
            bench.begin();
            TimeUnit.MILLISECONDS.sleep(50);
        });
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() - end < 0 && failures.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(200);
            assertThat(deadlocked()).isEmpty();
        }
        over = true;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(120));
            assertThat(thread.isAlive()).as("%s waits: %s", thread.getName(), List.of(thread.getStackTrace()))
                    .isFalse();
        }
        bench.close();
        assertThat(failures).isEmpty();
        assertThat(Locks.inversions()).isEmpty();
        assertThat(made).allSatisfy(count -> assertThat(count.get()).isPositive());
    }

    private static List<String> deadlocked() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long[] found = threads.findDeadlockedThreads();
        return found == null ? List.of() : List.of(threads.getThreadInfo(found, true, true)).stream()
                .map(Object::toString).toList();
    }
}
