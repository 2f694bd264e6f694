package io.manafold.pmd.internal.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.LinkState;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;
import io.manafold.pmd.internal.RefusedThreads;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What readers of telemetry are told, and what clients that mean no good cannot do. */
class TelemetryTest {
    private static final long MILLIS = 30_000;
    private static final Map<String, Long> COUNTERS = new LinkedHashMap<>();

    static {
        COUNTERS.put("rx_good_packets", 5L);
        COUNTERS.put("rx_q0_packets", 3L);
        COUNTERS.put("rx_q1_packets", 2L);
    }

    @TempDir
    private Path folder;
    private final RefusedThreads threads = new RefusedThreads();
    private Telemetry telemetry;
    private final List<UnixSocket> clients = new ArrayList<>();

    private static <T> T fake(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            Object answer = answers.get(method.getName());
            if (answer == null) {
                throw new UnsupportedOperationException(method.getName());
            }
            return answer;
        }));
    }

    @BeforeEach
    void begin() throws IOException {
        EthDev port = fake(EthDev.class, Map.of("number", 3, "statistics", new EthDevStatistics(5, 500, 6, 600, 7,
                8, 9, 10), "extendedStatistics", COUNTERS, "link", new LinkState(true, 200_000)));
        Environment environment = fake(Environment.class, Map.of("ports", List.of(port), "cores", List.of(0, 2)));
        telemetry = new Telemetry(folder.resolve("dpdk_telemetry.v2"), "test", new Answers(environment), threads);
    }

    @AfterEach
    void end() {
        clients.forEach(UnixSocket::close);
        telemetry.close();
        assertThat(telemetry.path()).doesNotExist();
    }

    private UnixSocket connect() throws SystemCallException {
        UnixSocket client = UnixSocket.connectForPackets(telemetry.path(), MILLIS);
        client.receiveLimit(MILLIS);
        clients.add(client);
        return client;
    }

    private static String receive(UnixSocket client) throws SystemCallException {
        byte[] bytes = new byte[Answers.LONGEST + 1];
        int length = client.receive(bytes, 0, bytes.length);
        return length < 0 ? null : new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static JsonValue ask(UnixSocket client, String command) throws SystemCallException {
        byte[] bytes = command.getBytes(StandardCharsets.UTF_8);
        client.send(bytes, 0, bytes.length);
        JsonObject answer = Json.createReader(new StringReader(receive(client))).readObject();
        assertThat(answer).hasSize(1);
        return answer.values().iterator().next();
    }

    @Test
    void clientsThatNoThreadCanAnswerAreLeftAndTheNextOneIsTold() throws Exception {
        threads.refuses = true;
        for (int i = 0; i <= Telemetry.MOST_CLIENTS; i++) {
            assertThat(receive(connect())).as("what is left of client " + i).isNull();
        }
        threads.refuses = false;
        assertThat(receive(connect())).contains("\"max_output_len\":16384");
    }

    @Test
    void clientsAreToldByTheNamesThatTheyKnow() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(telemetry.path())))
                .isEqualTo("rw-------");
        UnixSocket client = connect();
        assertThat(receive(client)).contains("\"pid\":" + ProcessHandle.current().pid(), "\"max_output_len\":16384");
        assertThat(ask(client, "/").toString()).contains("\"/ethdev/stats\"", "\"/info\"");
        assertThat(ask(client, "/ethdev/list").toString()).isEqualTo("[3]");
        assertThat(ask(client, "/eal/lcore/list").toString()).isEqualTo("[0,2]");
        assertThat(ask(client, "/ethdev/stats,3").toString())
                .startsWith("{\"ipackets\":5,\"opackets\":6,\"ibytes\":500,\"obytes\":600,"
                + "\"imissed\":7,\"ierrors\":8,\"oerrors\":9,\"rx_nombuf\":10,\"q_ipackets\":[3,2],");
        assertThat(ask(client, "/ethdev/xstats,3").toString())
                .isEqualTo("{\"rx_good_packets\":5,\"rx_q0_packets\":3,\"rx_q1_packets\":2}");
        assertThat(ask(client, "/ethdev/link_status,3").toString())
                .isEqualTo("{\"status\":\"UP\",\"speed\":200000,\"duplex\":\"full-duplex\"}");
        for (String bad : List.of("/ethdev/stats", "/ethdev/stats,0", "/ethdev/stats,-3", "/ethdev/stats,99999999999",
                "/ethdev/stats,3x", "/none", "none", "\"}{", "/help,/none")) {
            assertThat(ask(client, bad)).as(bad).isEqualTo(JsonValue.NULL);
        }
    }

    @Test
    void whateverIsSentIsAnsweredOrLeft() throws Exception {
        UnixSocket client = connect();
        receive(client);
        Random random = new Random(5);
        byte[] bytes = new byte[4 * Telemetry.LONGEST_COMMAND];
        for (int i = 0; i < 2000; i++) {
            random.nextBytes(bytes);
            int length = 1 + random.nextInt(bytes.length);
            client.send(bytes, 0, length);
            assertThat(receive(client)).hasSizeLessThanOrEqualTo(Answers.LONGEST);
        }
        assertThat(ask(client, "/ethdev/list").toString()).isEqualTo("[3]");
    }

    @Test
    void tooManyClientsAreLeftAndOthersServed() throws Exception {
        for (int i = 0; i < Telemetry.MOST_CLIENTS; i++) {
            assertThat(receive(connect())).isNotNull();
        }
        assertThat(receive(connect())).as("what one more is told").isNull();
        assertThat(ask(clients.getFirst(), "/ethdev/list").toString()).isEqualTo("[3]");
        clients.getFirst().close();
        long giveUp = System.nanoTime() + MILLIS * 1_000_000;
        while (receive(connect()) == null) {
            assertThat(System.nanoTime()).as("time until a place is free").isLessThan(giveUp);
            Thread.sleep(10);
        }
    }

    /** It asks and asks, and takes no answer. */
    @Test
    void aClientThatTakesNothingHoldsUpNoOne() throws Exception {
        UnixSocket deaf = connect();
        deaf.sendLimit(100);
        byte[] ask = "/ethdev/stats,3".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> {
            while (true) {
                deaf.send(ask, 0, ask.length);
            }
        }).isInstanceOf(SystemCallException.class);
        UnixSocket other = connect();
        receive(other);
        assertThat(ask(other, "/ethdev/list").toString()).isEqualTo("[3]");
    }

    @Test
    void aFolderGoesWithItsLastFile() throws Exception {
        Path own = RuntimeFolder.of(folder.resolve("run"), "rte");
        Path other = Files.createFile(own.resolve("mp_socket"));
        RuntimeFolder.leave(own);
        assertThat(own).as("another environment has a file there").isDirectory();
        Files.delete(other);
        RuntimeFolder.leave(own);
        assertThat(own).doesNotExist();
        RuntimeFolder.leave(own);
        assertThat(folder.resolve("run")).as("the folder for all").isDirectory();
    }

    @Test
    void aFolderThatOthersMayWriteIsNotUsed() throws Exception {
        Path root = folder.resolve("run");
        assertThat(RuntimeFolder.of(root, "rte")).isDirectory();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("rte"))))
                .isEqualTo("rwx------");
        assertThat(RuntimeFolder.of(root, "rte")).isEqualTo(root.resolve("rte"));
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> RuntimeFolder.of(root, "rte")).isInstanceOf(Refusal.class)
                .hasMessageContaining("is no folder of");
        Path link = folder.resolve("link");
        Files.createSymbolicLink(link, root);
        assertThatThrownBy(() -> RuntimeFolder.of(link, "rte")).isInstanceOf(Refusal.class);
    }

    /** In a container any number can be the user, and most of them have no name. */
    @Test
    void aUserWithoutANameHasAFolder() {
        String name = System.getProperty("user.name");
        System.setProperty("user.name", "?");
        try {
            assertThat(RuntimeFolder.of(folder.resolve("run"), "rte")).isDirectory();
        } finally {
            System.setProperty("user.name", name);
        }
    }

    @Test
    void whereNothingCanBeWrittenThePlaceIsWithWhatIsTemporary() throws IOException {
        assertThat(RuntimeFolder.root(folder.resolve("run/dpdk"), folder)).isEqualTo(folder.resolve("run/dpdk"));
        // even the superuser makes nothing there
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(RuntimeFolder.root(file.resolve("run/dpdk"), folder)).isEqualTo(folder.resolve("dpdk"));
        if (!"root".equals(System.getProperty("user.name"))) {
            Path closed = Files.createDirectory(folder.resolve("closed"), PosixFilePermissions
                    .asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
            assertThat(RuntimeFolder.root(closed.resolve("dpdk"), folder)).isEqualTo(folder.resolve("dpdk"));
        }
    }
}
