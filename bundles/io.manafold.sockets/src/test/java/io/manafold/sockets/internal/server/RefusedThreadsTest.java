package io.manafold.sockets.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.ServerPlan;
import io.manafold.api.sockets.Sockets;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import io.manafold.streams.RefusedThreads;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers, and listeners of the configuration, while the system lets no more threads begin. */
@Timeout(60)
class RefusedThreadsTest {
    private static final String OF_SERVERS = "manafold-sockets-server";

    private final MemorySource memory = Blocks.source();
    private final Context context = new Context(new NioTransport(), "test", memory);
    private final RefusedThreads threads = new RefusedThreads();
    private final Servers servers = new Servers(memory, threads);

    @AfterEach
    void allComesHome() {
        context.close();
        assertThat(memory.blocks()).isEmpty();
    }

    private static boolean isAt(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file.toRealPath());
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    @Test
    void aServerWithoutAThreadIsRefusedAndLeavesNothing(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("sent"), "hello");
        AtomicReference<Queues> made = new AtomicReference<>();
        servers.add((Sockets) Proxy.newProxyInstance(Sockets.class.getClassLoader(), new Class<?>[] {Sockets.class},
                (_, method, arguments) -> {
                    Object answer = method.invoke(context, arguments);
                    if (answer instanceof Queues queues) {
                        made.set(queues);
                    }
                    return answer;
                }));
        threads.refused = RefusedThreads.ALL;
        assertThatExceptionOfType(Refusal.class).isThrownBy(() -> servers.open(new ServerPlan("nio",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ServerPlan.Work.FILE, file, Knobs.USUAL)))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EAGAIN))
                .withMessageContaining("thread");
        assertThat(servers.servers()).isEmpty();
        assertThatExceptionOfType(Refusal.class).as("of closed queues")
                .isThrownBy(() -> made.get().poll(new Completions(16)))
                .satisfies(closed -> assertThat(closed.errno()).isEqualTo(Errno.EBADF));
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(open.filter(descriptor -> isAt(descriptor, file))).isEmpty();
        }
    }

    private ListenerEntry entry(int port) {
        return new ListenerEntry(RefusedListenerTest.FRAMEWORK, Map.of(), new RefusedListenerTest.At("127.0.0.1:"
                + port), servers);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    @Test
    void aListenerIsTriedAgainUntilItsServerHasAThread() throws Exception {
        int port = freePort();
        ListenerEntry entry = entry(port);
        entry.activate();
        threads.refused = OF_SERVERS;
        assertThatCode(() -> entry.add(context)).doesNotThrowAnyException();
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (threads.refusals.get() < 3) {
            assertThat(System.nanoTime() - end).as("nanoseconds late").isNegative();
            Thread.onSpinWait();
        }
        threads.refused = RefusedThreads.NONE;
        RefusedListenerTest.assertListens(port);
        entry.stop();
        assertThat(context.listeners()).isEmpty();
    }

    @Test
    void aListenerThatCannotBeTriedAgainComesWithItsTransport() throws Exception {
        int port = freePort();
        ListenerEntry entry = entry(port);
        entry.activate();
        threads.refused = RefusedThreads.ALL;
        assertThatCode(() -> entry.add(context)).doesNotThrowAnyException();
        assertThat(context.listeners()).isEmpty();
        entry.remove(context);
        threads.refused = RefusedThreads.NONE;
        entry.add(context);
        try (Socket at = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(at.isConnected()).isTrue();
        }
        entry.stop();
        assertThat(context.listeners()).isEmpty();
    }
}
