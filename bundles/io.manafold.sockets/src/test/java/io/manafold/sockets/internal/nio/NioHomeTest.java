package io.manafold.sockets.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Listener;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Context;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections by the hundred, opened, used and ended anyhow: everything comes home. */
@Timeout(300)
class NioHomeTest {
    private static final int CONNECTIONS = 300;

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(NioHomeTest::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException closed) {
            return false;
        }
    }

    @Test
    void hundredsOfConnectionsComeHome() throws Exception {
        // Java keeps a socket of its own once it has closed one
        new Ends(Knobs.USUAL).close();
        long before = descriptors();
        MemorySource memory = Blocks.source();
        Context context = new Context(new NioTransport(), "test", memory);
        Random random = new Random(20);
        MemoryBlock block = memory.make("test", 4 << 20);
        Region region = context.register(block, Region.SEND | Region.RECEIVE);
        Queues queues = context.queues(QueuesPlan.USUAL.withEntries(1 << 14));
        ReceivePool pool = queues.pool(context.register(block, 2 << 20, 2 << 20, Region.RECEIVE), 4096, 512);
        Listener listener = context.listen(queues, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), EndpointPlan.USUAL, 1);
        List<Endpoint> open = new ArrayList<>();
        int[] counts = new int[3];
        Completions completions = new Completions(256);
        for (int made = 0; made < CONNECTIONS || !open.isEmpty();) {
            if (made < CONNECTIONS && open.size() < 100) {
                open.add(context.connect(queues, listener.local(), EndpointPlan.USUAL, 2));
                made++;
            }
            queues.submit();
            queues.await(Duration.ofMillis(1));
            queues.poll(completions);
            for (int i = 0; i < completions.count(); i++) {
                Endpoint endpoint = completions.endpoint(i);
                switch (completions.operation(i)) {
                    case ACCEPT -> {
                        endpoint.receive(pool, 3);
                        open.add(endpoint);
                        counts[0]++;
                    }
                    case CONNECT -> {
                        assertThat(completions.errno(i)).isIn(0, Errno.ECONNRESET.number(), Errno.ECANCELED.number());
                        if (completions.errno(i) == 0) {
                            endpoint.send(region.key(), random.nextInt(1000), 1 + random.nextInt(1 << 19), 4);
                            endpoint.receive(region.key(), 0, 100, 5);
                        }
                    }
                    case RECEIVE -> {
                        if (completions.has(i, Completions.POOLED) && completions.length(i) > 0) {
                            pool.giveBack(completions.buffer(i));
                        }
                    }
                    case CLOSE -> {
                        assertThat(open.remove(endpoint)).isTrue();
                        counts[1]++;
                    }
                    default -> {
                        // sends come back with or without an error
                    }
                }
            }
            if (!open.isEmpty() && (made == CONNECTIONS || random.nextInt(2) == 0)) {
                end(open.get(random.nextInt(open.size())), random);
            }
        }
        // those that were accepted after their peer had gone
        listener.close();
        assertThat(counts[0]).isPositive();
        assertThat(counts[1]).isBetween(CONNECTIONS, 2 * CONNECTIONS);
        assertThat(region.inFlight()).isZero();
        assertThat(pool.free()).as("buffers that the completions that were not read have").isLessThanOrEqualTo(512);
        assertThat(context.endpoints().stream().filter(state -> state.statistics().inFlight() > 0)).isEmpty();
        context.close();
        block.close();
        assertThat(memory.blocks()).isEmpty();
        assertThat(context.endpoints()).isEmpty();
        assertThat(context.regions()).isEmpty();
        assertThat(descriptors()).isEqualTo(before);
    }

    private static void end(Endpoint endpoint, Random random) {
        switch (random.nextInt(3)) {
            case 0 -> endpoint.abort();
            case 1 -> endpoint.close();
            default -> Thread.ofPlatform().start(endpoint::close);
        }
    }
}
