package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.ListenerState;
import io.manafold.api.sockets.Sockets;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.DriverJar;
import io.manafold.itests.net.Drivers;
import io.manafold.itests.net.Wire;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/**
 * Byte streams over RDMA on the live platform: the service comes and goes with devices, and what it carries ends and
 * begins again.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SocketsOverRdmaTest {
    private static final String STORE = "io.manafold.example.store";
    private static final String RDMA = "(transport=rdma)";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private BundleContext context;
    private Drivers drivers;

    @BeforeEach
    void begin() throws Exception {
        context = platform.context();
        drivers = new Drivers(platform, folder, "streams", 1);
        Wire.await("both devices are there", () -> drivers.count(RdmaDevice.class, "(name=mana_*)") == 2);
        Wire.await("the transport is there", () -> drivers.count(Sockets.class, RDMA) == 1);
    }

    @AfterEach
    void end() throws Exception {
        drivers.close();
    }

    private ServiceReference<Sockets> reference() {
        try {
            return context.getServiceReferences(Sockets.class, RDMA).stream().findFirst().orElse(null);
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private InetSocketAddress store() {
        InetSocketAddress[] found = new InetSocketAddress[1];
        Wire.await("the store listens over RDMA", () -> {
            ServiceReference<Sockets> reference = reference();
            Sockets sockets = reference == null ? null : context.getService(reference);
            if (sockets != null) {
                found[0] = sockets.listeners().stream().filter(one -> one.owner().equals(STORE))
                        .map(ListenerState::local).findFirst()
                        .orElse(null);
                context.ungetService(reference);
            }
            return found[0] != null;
        });
        return found[0];
    }

    private static String ask(Endpoint endpoint, String commands, int length) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(commands.getBytes(StandardCharsets.US_ASCII));
        while (all.hasRemaining()) {
            endpoint.channel().write(all);
        }
        ByteBuffer answer = ByteBuffer.allocate(length);
        while (answer.hasRemaining()) {
            if (endpoint.channel().read(answer) < 0) {
                throw new EOFException("the store has ended the connection");
            }
        }
        return new String(answer.array(), StandardCharsets.US_ASCII);
    }

    /** The example knows nothing of RDMA: its configuration names the transport. */
    @Test
    void aStoreServesWhileTheDriverIsReplaced() throws Exception {
        Bundle example = context.installBundle("test:example-store", DriverJar.version("example.store", "1.0.0"));
        Configuration configuration = platform.service(ConfigurationAdmin.class).getFactoryConfiguration(STORE,
                "test", "?");
        try {
            ServiceReference<Sockets> first = reference();
            InetAddress address = context.getService(first).address();
            configuration.update(new Hashtable<>(Map.of("address", "[" + address.getHostAddress() + "]:0", "mebibytes",
                    8, "clients", 16, "sockets.target", RDMA)));
            example.start();
            Endpoint endpoint = context.getService(first).connect(store(), EndpointPlan.USUAL, MINUTE);
            assertThat(ask(endpoint, "SET key value\r\nGET key\r\n", 16)).isEqualTo("+OK\r\n$5\r\nvalue\r\n");
            holdersAreNamed();
            AtomicLong answers = new AtomicLong();
            Throwable[] ended = new Throwable[1];
            Thread asking = Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        assertThat(ask(endpoint, "GET key\r\n", 11)).isEqualTo("$5\r\nvalue\r\n");
                        answers.incrementAndGet();
                    }
                } catch (IOException | RuntimeException failed) {
                    ended[0] = failed;
                }
            });
            Wire.await("answers come", () -> answers.get() > 10);
            drivers.rdma().update(DriverJar.version("rdma", "1.1.0"));
            asking.join();
            assertThat(ended[0]).as("how the connection ended").isInstanceOf(IOException.class);
            context.ungetService(first);
            // its component begins anew with the service
            InetSocketAddress again = store();
            ServiceReference<Sockets> second = reference();
            assertThat(second).isNotEqualTo(first);
            Endpoint next = context.getService(second).connect(again, EndpointPlan.USUAL, MINUTE);
            assertThat(ask(next, "GET key\r\n", 5)).isEqualTo("$-1\r\n");
            next.close();
            context.ungetService(second);
        } finally {
            configuration.delete();
            example.uninstall();
        }
        Wire.await("memory comes home", () -> platform.service(MemorySource.class).blocks().isEmpty());
        drivers.refusedNothing();
        drivers.rdma().stop();
        assertThat(drivers.count(Sockets.class, RDMA)).as("the transport without devices").isZero();
        drivers.assertUsesNo("queue_pairs", "memory_regions", "rdma_completion_queues", "doorbell_pages", "gids");
    }

    private void holdersAreNamed() {
        List<MemoryBlock> blocks = platform.service(MemorySource.class).blocks();
        MemoryBlock block = blocks.stream().filter(one -> one.name().startsWith("store ")).findFirst().orElseThrow();
        assertThat(block.holders().keySet()).as("who holds what is sent").anyMatch(who -> who.contains("sockets rdma"))
                .anyMatch(who -> who.contains(Drivers.LEFT) || who.contains("mana.rdma"))
                .hasSizeGreaterThanOrEqualTo(3);
    }
}
