package io.manafold.sockets.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.ServerPlan;
import io.manafold.api.sockets.Sockets;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;

/** A listener of the configuration, and a server, that cannot be had, or cannot be had yet. */
@Timeout(60)
class RefusedListenerTest {
    record At(String at) implements ListenerEntry.Config {
        @Override
        public String do$() {
            return "echo";
        }

        @Override
        public String file() {
            return "";
        }

        @Override
        public String transport() {
            return "nio";
        }

        @Override
        public String[] knobs() {
            return new String[0];
        }

        @Override
        public Class<? extends Annotation> annotationType() {
            return ListenerEntry.Config.class;
        }
    }

    /** A framework in which nothing is registered. */
    static final BundleContext FRAMEWORK = (BundleContext) Proxy.newProxyInstance(
            BundleContext.class.getClassLoader(), new Class<?>[] {BundleContext.class}, (_, _, _) -> null);

    static void assertListens(int port) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (true) {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException refused) {
                assertThat(System.nanoTime() - end).as("nanoseconds late, and " + refused).isNegative();
                Thread.sleep(20);
            }
        }
    }

    @Test
    void triesAgainWhenItsTransportCameTooEarly() throws Exception {
        MemorySource memory = Blocks.source();
        Context context = new Context(new NioTransport(), "test", memory);
        try (AutoCloseable _ = context::close) {
            ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            ListenerEntry entry = new ListenerEntry(FRAMEWORK, Map.of(), new At("127.0.0.1:" + other.getLocalPort()),
                    new Servers(memory));
            entry.activate();
            entry.add(context);
            other.close();
            assertListens(other.getLocalPort());
            entry.stop();
            assertThat(context.listeners()).isEmpty();
        }
        assertThat(memory.blocks()).isEmpty();
    }

    /** Addresses of devices come later than the devices. */
    @Test
    void waitsForAnAddressOfADevice() throws Exception {
        MemorySource memory = Blocks.source();
        Context context = new Context(new NioTransport(), "test", memory);
        AtomicBoolean isThere = new AtomicBoolean();
        Sockets overDevices = (Sockets) Proxy.newProxyInstance(Sockets.class.getClassLoader(),
                new Class<?>[] {Sockets.class}, (_, method, arguments) -> switch (method.getName()) {
                    case "protocol" -> "rdma";
                    case "listen" -> {
                        if (!isThere.get()) {
                            throw new Refusal(Errno.EADDRNOTAVAIL, "It is no address of a device.");
                        }
                        yield method.invoke(context, arguments);
                    }
                    default -> method.invoke(context, arguments);
                });
        try (AutoCloseable _ = context::close; ServerSocket free = new ServerSocket(0, 1,
                InetAddress.getLoopbackAddress())) {
            free.close();
            ListenerEntry entry = new ListenerEntry(FRAMEWORK, Map.of(), new At("127.0.0.1:" + free.getLocalPort()),
                    new Servers(memory));
            entry.add(overDevices);
            entry.activate();
            assertThat(context.listeners()).isEmpty();
            isThere.set(true);
            assertListens(free.getLocalPort());
            entry.stop();
            assertThat(context.listeners()).isEmpty();
        }
        assertThat(memory.blocks()).isEmpty();
    }

    @Test
    void aFileThatWasOpenedForAServerThatIsRefusedIsClosed(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("sent"), "hello");
        MemorySource memory = Blocks.source();
        Context context = new Context(new NioTransport(), "test", memory);
        try (AutoCloseable _ = context::close) {
            Servers servers = new Servers(memory);
            servers.add(context);
            assertThatThrownBy(() -> servers.open(new ServerPlan("nio", new InetSocketAddress(InetAddress
                    .getLoopbackAddress(), 0), ServerPlan.Work.FILE, file, Knobs.parse(List.of("queues=ring")))))
                    .isInstanceOf(Refusal.class);
        }
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(open.filter(descriptor -> isAt(descriptor, file))).isEmpty();
        }
    }

    private static boolean isAt(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file.toRealPath());
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    @Test
    void isRefusedAtOnce() throws Exception {
        MemorySource memory = Blocks.source();
        Context context = new Context(new NioTransport(), "test", memory);
        try (AutoCloseable _ = context::close;
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ListenerEntry entry = new ListenerEntry(null, Map.of(), new At("127.0.0.1:" + other.getLocalPort()),
                    new Servers(memory));
            entry.add(context);
            long begin = System.nanoTime();
            assertThatThrownBy(entry::activate).isInstanceOf(Refusal.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).as("until it was refused")
                    .isLessThan(Duration.ofSeconds(5));
        }
        assertThat(memory.blocks()).isEmpty();
    }
}
