package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.lab.Labs;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.ListenerState;
import io.manafold.api.sockets.SocketServer;
import io.manafold.api.sockets.Sockets;
import io.manafold.itests.bundles.Footprint;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.BusyPeer;
import io.manafold.itests.net.DriverJar;
import io.manafold.itests.net.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/** Bundles that stop while connections of theirs are busy: one that uses the sockets, and the one that has them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SocketsStopTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String STORE = "io.manafold.example.store";
    private static final int PEERS = 4;
    private static final int ROUNDS = 2;
    private static final byte[] VALUE = "what is kept lies in registered memory;".repeat(1000)
            .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ANSWER = ("$" + VALUE.length + "\r\n" + new String(VALUE, StandardCharsets.US_ASCII)
            + "\r\n").getBytes(StandardCharsets.US_ASCII);
    private static final byte[] QUESTION = "GET key\r\n".getBytes(StandardCharsets.US_ASCII);

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private final BundleContext context = platform.context();
    private Labs labs;
    private Bundle example;
    private Bundle sockets;
    private Configuration configuration;

    @AfterEach
    void takeDown() throws Exception {
        if (sockets != null) {
            sockets.start();
        }
        if (example != null) {
            configuration.delete();
            example.uninstall();
        }
        labs.list().stream().filter(lab -> lab.up()).forEach(lab -> labs.down(lab.name()));
        labs.settleGone(PATIENCE);
    }

    /** What a service answers, {@code null} without the service. */
    private <S, T> T ask(Class<S> type, String filter, Function<S, T> question) {
        try {
            for (ServiceReference<S> reference : context.getServiceReferences(type, filter)) {
                S service = context.getService(reference);
                if (service != null) {
                    try {
                        return question.apply(service);
                    } finally {
                        context.ungetService(reference);
                    }
                }
            }
            return null;
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private InetSocketAddress front() {
        return ask(SocketServer.class, "(name=front)", server -> server.listener().local());
    }

    /** Where the store listens, with the value in it. */
    private InetSocketAddress store(String transport) throws IOException {
        InetSocketAddress[] found = new InetSocketAddress[1];
        Wire.await("the store listens", () -> {
            found[0] = ask(Sockets.class, "(transport=" + transport + ")", service -> service.listeners().stream()
                    .filter(one -> one.owner().equals(STORE)).map(ListenerState::local).findFirst().orElse(null));
            return found[0] != null;
        });
        try (Socket socket = new Socket(found[0].getAddress(), found[0].getPort())) {
            socket.getOutputStream().write(("*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n").getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(ANSWER);
            assertThat(new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII)).isEqualTo(
                    "+OK\r\n");
        }
        return found[0];
    }

    private List<String> blocks() {
        return platform.service(MemorySource.class).blocks().stream().map(block -> block.name() + " held by "
                + block.holders().keySet()).sorted().toList();
    }

    /** KiB that the kernel keeps in place for this process. */
    private static long pinned() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmPin:")).mapToLong(line -> Long.parseLong(line.replaceAll(
                    "\\D", ""))).sum();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Stops a bundle while its connections are busy; each peer has been told of the end then. */
    private long stopUnderTraffic(Bundle bundle, InetSocketAddress at, byte[] question, byte[] answer)
            throws Exception {
        List<BusyPeer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < PEERS; i++) {
                peers.add(new BusyPeer(at, question, answer, PATIENCE));
            }
            Wire.await("all are busy", () -> peers.stream().allMatch(peer -> peer.isEnded() || peer.received() > 1
                    << 20));
            assertThat(peers).as("connections that are busy").noneMatch(BusyPeer::isEnded);
            long pinned = pinned();
            bundle.stop();
            for (BusyPeer peer : peers) {
                assertThat(peer.awaitEnd(PATIENCE)).isGreaterThan(1 << 20);
            }
            return pinned;
        } finally {
            for (BusyPeer peer : peers) {
                peer.close();
            }
        }
    }

    private void begin(String transport) throws IOException, InterruptedException, BundleException {
        labs = platform.service(Labs.class);
        labs.up(Files.writeString(folder.resolve("stopping.yaml"), """
                listeners:
                  - {name: front, at: "127.0.0.1:0", transport: %s, knobs: ["prefer:memory=registered",
                     "prefer:send=zerocopy"]}
                """.formatted(transport)).toString());
        assertThat(labs.settle(PATIENCE)).isEmpty();
        sockets = ask(SocketServer.class, "(name=front)", server -> FrameworkUtil.getBundle(server.getClass()));
        configuration = platform.service(ConfigurationAdmin.class).getFactoryConfiguration(STORE, "stopping", "?");
        configuration.update(new Hashtable<>(Map.of("address", "127.0.0.1:0", "mebibytes", 2, "clients", 8,
                "sockets.target", "(transport=" + transport + ")", "knobs", new String[] {"prefer:memory=registered",
                    "prefer:send=zerocopy"})));
        example = context.installBundle("test:stopped-store", DriverJar.version("example.store", "1.0.0"));
        example.start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void whatIsUnderWayEndsAndAllComesHome(String transport) throws Exception {
        // a server of the test before may still be letting its connections go
        Wire.await("no server is left", () -> blocks().stream().noneMatch(one -> one.startsWith("connections of")));
        List<String> blocks = blocks();
        long pinned = pinned();
        begin(transport);
        boolean pins = ask(Sockets.class, "(transport=" + transport + ")", service -> service.offer(Knob.MEMORY,
                "registered").available());
        byte[] pattern = new byte[64 * 251];
        for (int i = 0; i < pattern.length; i++) {
            pattern[i] = (byte) (i % 251);
        }
        Footprint footprint = new Footprint(context);
        Footprint.Figures first = null;
        for (int round = 1; round <= ROUNDS; round++) {
            long meanwhile = stopUnderTraffic(example, store(transport), QUESTION, ANSWER);
            assertThat(meanwhile > pinned).as("memory is pinned while it is sent from").isEqualTo(pins);
            assertThat(blocks()).as("blocks after the user has stopped").noneMatch(block -> block.contains("store"));
            stopUnderTraffic(sockets, front(), pattern, pattern);
            assertThat(front()).as("where the stopped bundle listens").isNull();
            assertThat(blocks()).as("blocks after round %s", round).isEqualTo(blocks);
            Wire.await("what was pinned is home", () -> pinned() <= pinned);
            // the first round loads and makes what stays for good
            Footprint.Figures now = first == null ? footprint.measure() : footprint.measureAgainst(first);
            if (first == null) {
                first = now;
            }
            assertThat(now.noMoreThan(first)).as("%s after %s", now, first).isTrue();
            sockets.start();
            example.start();
            assertThat(labs.settle(PATIENCE)).isEmpty();
        }
        try (BusyPeer peer = new BusyPeer(front(), pattern, pattern, PATIENCE)) {
            Wire.await("it serves again", () -> peer.received() > pattern.length);
        }
    }
}
