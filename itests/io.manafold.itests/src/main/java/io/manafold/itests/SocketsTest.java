package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.lab.LabChange;
import io.manafold.api.lab.Labs;
import io.manafold.api.sockets.SocketServer;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** Listeners of labs: they come and go with the lab, with their bundle, and by an administrator's hand. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SocketsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private final BundleContext context = platform.context();

    @AfterEach
    void takeDown() throws InterruptedException {
        Labs labs = platform.service(Labs.class);
        labs.list().stream().filter(lab -> lab.up()).forEach(lab -> labs.down(lab.name()));
        labs.settleGone(PATIENCE);
    }

    /** The server of a lab's entry, {@code null} if it is not there. */
    private SocketServer server(String name) {
        try {
            for (ServiceReference<SocketServer> reference : context.getServiceReferences(SocketServer.class, "(name="
                    + name + ")")) {
                return context.getService(reference);
            }
            return null;
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static void assertEchoes(InetSocketAddress at) throws IOException {
        try (Socket socket = new Socket(at.getAddress(), at.getPort())) {
            byte[] text = "hello".getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(text);
            assertThat(socket.getInputStream().readNBytes(text.length)).isEqualTo(text);
        }
    }

    private String lab(String transport) throws IOException {
        return Files.writeString(folder.resolve("listening.yaml"), """
                listeners:
                  - {name: front, at: "127.0.0.1:0", transport: %s}
                  - {name: hole, at: "127.0.0.1:0", do: sink, transport: %1$s, knobs: [gather=off, "prefer:memory=registered"]}
                """.formatted(transport)).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void whatWasClosedByHandComesAgainWithTheLab(String transport) throws Exception {
        Labs labs = platform.service(Labs.class);
        String lab = lab(transport);
        assertThat(labs.up(lab)).extracting(LabChange::name).containsExactly("front", "hole");
        assertThat(labs.settle(PATIENCE)).isEmpty();
        InetSocketAddress first = server("front").listener().local();
        assertEchoes(first);
        assertThat(server("hole").listener().knobs()).anySatisfy(knob -> assertThat(knob.knob() + "=" + knob.got())
                .isEqualTo("GATHER=off"));
        server("front").close();
        assertThat(server("front")).as("a server that was closed").isNull();
        Wire.await("its configuration goes", () -> labs.diff(lab).stream().map(LabChange::name).toList()
                .equals(List.of("front")));
        assertThat(labs.settle(PATIENCE)).as("nothing that was closed is waited for").isEmpty();
        assertThat(labs.up(lab)).extracting(LabChange::name).containsExactly("front");
        assertThat(labs.settle(PATIENCE)).isEmpty();
        assertEchoes(server("front").listener().local());
        assertThat(server("front").listener().local()).as("a new place").isNotEqualTo(first);
        labs.down("listening");
        assertThat(labs.settleGone(PATIENCE)).isEmpty();
        assertThat(server("front")).isNull();
        assertThat(server("hole")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void whatTheBundleTakesAlongItBringsBack(String transport) throws Exception {
        Labs labs = platform.service(Labs.class);
        String lab = lab(transport);
        labs.up(lab);
        assertThat(labs.settle(PATIENCE)).isEmpty();
        SocketServer before = server("front");
        Bundle bundle = bundle(before);
        try (Socket open = new Socket(before.listener().local().getAddress(), before.listener().local().getPort())) {
            open.setSoTimeout((int) PATIENCE.toMillis());
            Wire.await("it is served", () -> before.connections() == 1);
            bundle.stop();
            assertThat(open.getInputStream().read()).as("the end of the stream").isEqualTo(-1);
            assertThat(server("front")).isNull();
        } finally {
            bundle.start();
        }
        assertThat(labs.settle(PATIENCE)).isEmpty();
        assertThat(labs.diff(lab)).as("what the lab lacks").isEmpty();
        assertEchoes(server("front").listener().local());
    }

    private static Bundle bundle(SocketServer server) {
        return FrameworkUtil.getBundle(server.getClass());
    }
}
