package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.ListenerState;
import io.manafold.api.sockets.Sockets;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.DriverJar;
import io.manafold.itests.net.Wire;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/**
 * The example for sockets is dropped in, serves over the transport that its configuration names, and gives back what it
 * has.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StoreExampleTest {
    private static final String NAME = "io.manafold.example.store";
    private static final int LIMIT_MILLIS = 60_000;

    @RegisterExtension
    final Platform platform = new Platform();

    private final BundleContext context = platform.context();

    private List<ListenerState> listeners() {
        try {
            return context.getServiceReferences(Sockets.class, null).stream().map(this::state).flatMap(List::stream)
                    .filter(listener -> listener.owner().equals(NAME)).toList();
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private List<ListenerState> state(ServiceReference<Sockets> reference) {
        Sockets sockets = context.getService(reference);
        try {
            return sockets == null ? List.of() : sockets.listeners();
        } finally {
            context.ungetService(reference);
        }
    }

    private InetSocketAddress listensOver(String transport) throws InterruptedException {
        Wire.await("it listens over " + transport,
                () -> listeners().stream().anyMatch(one -> one.transport().equals(transport)));
        return listeners().getFirst().local();
    }

    private static void configure(Configuration configuration, String transport, String... knobs) throws IOException {
        Dictionary<String, Object> properties = new Hashtable<>(Map.of("address", "127.0.0.1:0", "mebibytes", 8,
                "clients", 16, "knobs", knobs, "sockets.target", "(transport=" + transport + ")"));
        configuration.update(properties);
    }

    private static String ask(InetSocketAddress store, String commands, int length) throws IOException {
        try (Socket socket = new Socket(store.getAddress(), store.getPort())) {
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.getOutputStream().write(commands.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = new byte[length];
            new DataInputStream(socket.getInputStream()).readFully(answer);
            return new String(answer, StandardCharsets.US_ASCII);
        }
    }

    @Test
    void oneProgramServesOverEachTransport() throws Exception {
        Bundle example = context.installBundle("test:example-store", DriverJar.version("example.store", "1.0.0"));
        ConfigurationAdmin admin = platform.service(ConfigurationAdmin.class);
        Configuration configuration = admin.getFactoryConfiguration(NAME, "test", "?");
        try {
            assertThat(Stream.of(example.getHeaders().get(Constants.IMPORT_PACKAGE).split(",(?=[a-z])"))
                    .map(one -> one.split(";")[0]).filter(one -> one.startsWith("io.manafold.")))
                    .containsExactlyInAnyOrder("io.manafold.api.memory",
                            "io.manafold.api.sockets");
            example.start();
            for (String transport : List.of("nio", "uring")) {
                configure(configuration, transport);
                InetSocketAddress store = listensOver(transport);
                String answer = "+OK\r\n$5\r\nvalue\r\n";
                assertThat(ask(store, "SET key value\r\nGET key\r\n", answer.length())).isEqualTo(answer);
                assertThat(platform.service(MemorySource.class).blocks()).extracting(MemoryBlock::name)
                        .contains("store 127.0.0.1:0");
            }
            configure(configuration, "nio", "queues=ring");
            Wire.await("what cannot be is not served", () -> listeners().isEmpty());
            configure(configuration, "nio", "prefer:queues=ring");
            listensOver("nio");
        } finally {
            configuration.delete();
            example.uninstall();
        }
        assertThat(listeners()).isEmpty();
        assertThat(platform.service(MemorySource.class).blocks()).as("blocks of memory").isEmpty();
    }
}
