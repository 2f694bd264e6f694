package io.manafold.netshaper.internal.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Refusal;
import io.manafold.netshaper.internal.FakeOps;
import io.manafold.testkit.MemorySettings;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All at once: shapers are set, grouped and deleted while queues come and go, devices forget, and drivers are
 * swapped.
 */
@Timeout(300)
class NothingStandsStillTest {
    private static final long SECONDS = Integer.getInteger("manafold.shapers.seconds", 5);

    private interface RandomCall {
        void once(Random random) throws Exception;
    }

    private final PlatformShapers platform = new PlatformShapers(new MemorySettings());
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<AtomicLong> turns = new ArrayList<>();
    private volatile FakeOps ops = new FakeOps("mana0", 2, 8);
    private volatile boolean over;

    private void goesOn(String name, RandomCall call) {
        AtomicLong count = new AtomicLong();
        turns.add(count);
        Random random = new Random(name.hashCode());
        threads.add(Thread.ofPlatform().daemon().name(name).start(() -> {
            while (!over) {
                try {
                    call.once(random);
                } catch (Refusal refused) {
                    // an answer
                } catch (Throwable failed) {
                    failures.add(failed);
                    return;
                }
                count.incrementAndGet();
            }
        }));
    }

    private static Map<String, Object> queue(int id) {
        return Map.of("scope", "queue", "id", id);
    }

    @Test
    void nothingStandsStill() throws Exception {
        platform.addDevice(ops.device());
        platform.addOps(ops);
        goesOn("set",
                random -> platform.perform("set", Map.of("ifindex", 2, "handle", queue(random.nextInt(8)), "bw-max",
                        8L * random.nextInt(100))));
        goesOn("delete", random -> platform.perform("delete", Map.of("ifindex", 2, "handle", random.nextBoolean()
                ? queue(random.nextInt(8)) : Map.of("scope", "node", "id", random.nextInt(3)))));
        goesOn("group",
                random -> platform.perform("group", Map.of("ifindex", 2, "handle", Map.of("scope", "node"), "parent",
                        Map.of("scope", "netdev"), "leaves", List.of(Map.of("handle", queue(random.nextInt(4))),
                                Map.of("handle", queue(4 + random.nextInt(4)), "weight", 2)))));
        goesOn("plan", _ -> platform.plan("delete", Map.of("ifindex", 2, "handle", queue(1))));
        goesOn("dump", _ -> platform.dump("get", Map.of("ifindex", 2)).forEach(shaper -> {
            if (!shaper.containsKey("handle")) {
                throw new IllegalStateException("half a shaper: " + shaper);
            }
        }));
        goesOn("queues", random -> {
            ops.resize(1 + random.nextInt(8));
            TimeUnit.MILLISECONDS.sleep(1);
        });
        goesOn("reset", _ -> {
            ops.reset();
            TimeUnit.MILLISECONDS.sleep(3);
        });
        goesOn("swap", _ -> {
            FakeOps old = ops;
            old.calls.clear();
            platform.removeOps(old);
            FakeOps next = new FakeOps("mana0", 2, 8);
            ops = next;
            platform.addOps(next);
            TimeUnit.MILLISECONDS.sleep(5);
        });
        TimeUnit.SECONDS.sleep(SECONDS);
        over = true;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(60));
            assertThat(thread.isAlive()).as("%s stands still: %s", thread.getName(), List.of(thread.getStackTrace()))
                    .isFalse();
        }
        assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads()).isNull();
        assertThat(failures).isEmpty();
        assertThat(turns).allSatisfy(count -> assertThat(count.get()).isPositive());
        platform.end();
    }
}
