package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Listener;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import io.manafold.streams.Ends;
import io.manafold.streams.Way;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections by the hundred, or by the thousand, opened, used and killed at random: all that they had comes home. */
@Timeout(1800)
class HomeTest {
    private static final int CONNECTIONS = Integer.getInteger("manafold.connections", 300);
    private static final int AT_ONCE = Math.clamp(CONNECTIONS / 4, 100, 2000);

    private final Random random = new Random(20);
    private final List<Endpoint> open = new ArrayList<>();
    private final List<Thread> closers = new ArrayList<>();
    private int accepted;
    private int closed;

    static Stream<Way> ways() {
        return Stream.of(new TcpWay("nio", List.of()), new TcpWay("uring", List.of()),
                new TcpWay("uring", List.of("prefer:memory=registered", "prefer:send=zerocopy")));
    }

    /** Those that have to do with connections: sockets, rings, selectors, what wakes them, shared memory. */
    private static long descriptors() {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(HomeTest::isOurs).count();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static boolean isOurs(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("socket:") || target.startsWith("anon_inode:") || target.startsWith("/memfd:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    /** KiB that the kernel keeps in place for this process. */
    private static long pinned() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmPin:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).sum();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static long threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private static void assertBecomes(String what, LongSupplier now, long wanted) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        // the kernel gives back some of it a little later
        while (now.getAsLong() > wanted && System.nanoTime() - end < 0) {
            Thread.sleep(5);
        }
        assertThat(now.getAsLong()).as(what).isLessThanOrEqualTo(wanted);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void everythingComesHome(Way way) throws Exception {
        // what Java and the kernel make once for all is there afterwards
        new Ends(way).close();
        long descriptors = descriptors();
        long pinned = pinned();
        long threads = threads();
        MemorySource memory = Blocks.source();
        Context context = new Context(way.make(), "test", memory);
        MemoryBlock block = memory.make("test", 4 << 20);
        Region region = context.register(block, Region.SEND | Region.RECEIVE);
        Queues queues = context.queues(QueuesPlan.USUAL.withEntries(1 << 16).with(way.knobs()));
        ReceivePool pool = queues.pool(context.register(block, 2 << 20, 2 << 20, Region.RECEIVE), 4096, 512);
        EndpointPlan plan = EndpointPlan.USUAL.with(way.knobs());
        Listener listener = context.listen(queues, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), plan, 1);
        Completions completions = new Completions(256);
        for (int made = 0; made < CONNECTIONS || !open.isEmpty();) {
            for (int i = 0; i < 4 && made < CONNECTIONS && open.size() < AT_ONCE; i++) {
                open.add(context.connect(queues, listener.local(), plan, 2));
                made++;
            }
            queues.submit();
            queues.await(Duration.ofMillis(1));
            queues.poll(completions);
            for (int i = 0; i < completions.count(); i++) {
                come(completions, i, region, pool);
            }
            for (int i = 0; i < 4 && !open.isEmpty(); i++) {
                if (made == CONNECTIONS || open.size() > AT_ONCE / 2 && random.nextInt(4) == 0) {
                    kill(open.get(random.nextInt(open.size())));
                }
            }
        }
        listener.close();
        for (Thread closer : closers) {
            closer.join();
        }
        assertThat(accepted).isPositive();
        assertThat(closed).isBetween(CONNECTIONS, 2 * CONNECTIONS);
        assertThat(region.inFlight()).as("transfers of closed endpoints").isZero();
        assertThat(context.endpoints()).allSatisfy(state -> assertThat(state.statistics().pinnedBytes()).isZero());
        assertThat(context.closed()).allSatisfy(state -> assertThat(state.statistics().pinnedBytes()).isZero());
        context.close();
        block.close();
        assertThat(memory.blocks()).isEmpty();
        assertThat(context.endpoints()).isEmpty();
        assertThat(context.regions()).isEmpty();
        assertBecomes("descriptors", HomeTest::descriptors, descriptors);
        assertBecomes("pinned KiB", HomeTest::pinned, pinned);
        assertBecomes("threads", HomeTest::threads, threads);
    }

    private void come(Completions completions, int index, Region region, ReceivePool pool) {
        Endpoint endpoint = completions.endpoint(index);
        try {
            switch (completions.operation(index)) {
                case ACCEPT -> {
                    open.add(endpoint);
                    accepted++;
                    endpoint.receive(pool, 3);
                }
                case CONNECT -> {
                    if (completions.errno(index) == 0) {
                        endpoint.send(region.key(), random.nextInt(1000), 1 + random.nextInt(1 << 19), 4);
                        endpoint.receive(region.key(), 0, 100, 5);
                    }
                }
                case CLOSE -> {
                    if (endpoint != null) {
                        assertThat(open.remove(endpoint)).isTrue();
                        closed++;
                    }
                }
                default -> {
                    if (completions.operation(index) == Operation.RECEIVE
                            && completions.has(index, Completions.POOLED)) {
                        pool.giveBack(completions.buffer(index));
                    }
                }
            }
        } catch (Refusal _) {
            // it was killed a moment ago
        }
    }

    private void kill(Endpoint endpoint) {
        switch (random.nextInt(3)) {
            case 0 -> endpoint.abort();
            case 1 -> endpoint.close();
            default -> closers.add(Thread.ofPlatform().start(endpoint::close));
        }
    }
}
