package io.manafold.sockets.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.ServerPlan;
import io.manafold.api.sockets.SocketServer;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.sockets.internal.uring.UringTransport;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that are stopped while their connections are busy, as their bundle does when it stops. */
@Timeout(240)
class StopTest {
    private static final int LIMIT_SECONDS = 60;
    private static final int PEERS = 8;
    private static final int PERIOD = 251;
    private static final int WRITTEN = 255 * PERIOD;

    /** A peer that sends without end and checks what comes back, until its connection ends. */
    private static final class Peer implements AutoCloseable {
        private final Socket socket;
        private final Thread writer = new Thread(this::write, "peer that writes");
        private final Thread reader = new Thread(this::read, "peer that reads");
        private final CompletableFuture<Long> ended = new CompletableFuture<>();
        private volatile long received;

        Peer(InetSocketAddress at) throws IOException {
            socket = new Socket(at.getAddress(), at.getPort());
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
            writer.start();
            reader.start();
        }

        private void write() {
            byte[] bytes = new byte[WRITTEN];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (i % PERIOD);
            }
            try {
                while (true) {
                    socket.getOutputStream().write(bytes);
                }
            } catch (IOException _) {
                // it has ended
            }
        }

        private void read() {
            byte[] bytes = new byte[1 << 16];
            try {
                for (int length = 0; length >= 0; length = socket.getInputStream().read(bytes)) {
                    for (int i = 0; i < length; i++) {
                        if (bytes[i] != (byte) ((received + i) % PERIOD)) {
                            throw new AssertionError("byte " + (received + i) + " is " + bytes[i]);
                        }
                    }
                    received += length;
                }
                ended.complete(received);
            } catch (SocketTimeoutException | AssertionError wrong) {
                // nothing told it of the end, or what came was not what was sent
                ended.completeExceptionally(wrong);
            } catch (IOException reset) {
                ended.complete(received);
            }
        }

        @Override
        public void close() throws IOException, InterruptedException {
            socket.close();
            writer.join();
            reader.join();
        }
    }

    private static long descriptors() {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(StopTest::isOurs).count();
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

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().startsWith("manafold-"))
                .count();
    }

    private static void assertBecomes(String what, LongSupplier now, long wanted) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        // the kernel gives back some of it a little later
        while (now.getAsLong() > wanted && System.nanoTime() - end < 0) {
            Thread.sleep(5);
        }
        assertThat(now.getAsLong()).as(what).isLessThanOrEqualTo(wanted);
    }

    private static void stopUnderTraffic(String transport, String knobs) throws Exception {
        MemorySource memory = Blocks.source();
        Context context = new Context(transport.equals("nio") ? new NioTransport() : new UringTransport(), "test",
                memory);
        Servers servers = new Servers(memory);
        servers.add(context);
        SocketServer server = servers.open(new ServerPlan(transport, new InetSocketAddress(InetAddress
                .getLoopbackAddress(), 0), ServerPlan.Work.ECHO, null, Knobs.parse(knobs == null ? List.of()
                : List.of(knobs.split(" ")))));
        List<Peer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < PEERS; i++) {
                peers.add(new Peer(server.listener().local()));
            }
            for (Peer peer : peers) {
                while (peer.received < 1 << 20 && !peer.ended.isDone()) {
                    Thread.sleep(1);
                }
                assertThat(peer.ended).as("the end of a connection that is busy").isNotDone();
            }
            servers.stop();
            context.close();
            for (Peer peer : peers) {
                assertThat(peer.ended.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isPositive();
            }
            assertThat(servers.servers()).isEmpty();
            assertThat(context.endpoints()).isEmpty();
            assertThat(context.listeners()).isEmpty();
            assertThat(context.regions()).isEmpty();
            assertThat(memory.blocks()).as("blocks that are held").isEmpty();
        } finally {
            for (Peer peer : peers) {
                peer.close();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"nio,", "uring,", "uring,prefer:memory=registered prefer:send=zerocopy", "uring,accept=single"})
    void whatIsUnderWayIsDrainedOrFailsAndAllComesHome(String transport, String knobs) throws Exception {
        // what Java and the kernel make once for all is there afterwards
        stopUnderTraffic(transport, knobs);
        long descriptors = descriptors();
        long threads = threads();
        for (int i = 0; i < 3; i++) {
            stopUnderTraffic(transport, knobs);
        }
        assertBecomes("descriptors", StopTest::descriptors, descriptors);
        assertBecomes("threads", StopTest::threads, threads);
    }
}
