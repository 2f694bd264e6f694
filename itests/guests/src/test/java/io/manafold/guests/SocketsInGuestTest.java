package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sockets of ours over the TCP of a machine's kernel, which leaves by Linux's driver and our adapter for another
 * machine: whether the kernel takes bytes from where they lie, as it says itself, to a program in C and to the product,
 * which runs in the machine. Emulated processors are slow: states, counts and hashes are judged, never speed.
 */
@Tag("guest")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SocketsInGuestTest {
    private static final String LAB = """
            adapters:
              - {name: a, queues: 2, macs: ["00:0d:3a:00:00:0a"]}
              - {name: b, queues: 2, macs: ["00:0d:3a:00:00:0b"]}
            links:
              - {name: net, ports: [a/1, b/1]}
            exports:
              - {adapter: a, socket: %s/a.sock}
              - {adapter: b, socket: %s/b.sock}
            """;
    private static final Duration LONG = Duration.ofMinutes(Kit.times(6, 30));
    private static final int MEBIBYTES = Kit.times(16, 64);
    private static final long BYTES = (long) MEBIBYTES << 20;
    /** Bytes of one send, of the program as of the product. */
    private static final int MESSAGE = 64 << 10;
    private static final int SENDS = (int) (BYTES / MESSAGE);
    private static final String KNOBS = " --transport uring --knob send=zerocopy --knob memory=registered"
            + " --knob queues=ring ";
    private static final String THERE = "10.1.0.2";

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest a;
    private static Guest b;
    private static String payload;

    @BeforeAll
    static void boot() {
        platform = Platform.with(folder, LAB);
        adapters = new Adapters(platform);
        a = Guest.named("sockets-a").on(platform.socket("a")).memory(1280).limit(Kit.times(1200, 7200))
                .with(Kit.runtime()).with(Kit.product()).with(Kit.program("zerocopy")).boot();
        b = Guest.named("sockets-b").on(platform.socket("b")).cpus(1).limit(Kit.times(1200, 7200)).boot();
        a.run("begin; modprobe mana && until_true 300 there eth0 && end eth0 1").done();
        b.run("begin; modprobe mana && until_true 300 there eth0 && end eth0 2").done();
        a.run("until_true 100 ping -c 1 -W 1 10.1.0.2").done();
        payload = a.run("head -c " + BYTES + " /dev/urandom >/tmp/payload && sha256sum </tmp/payload", LONG).done()
                .output();
    }

    @AfterAll
    static void end() {
        for (Guest guest : new Guest[] {a, b}) {
            if (guest != null) {
                guest.close();
            }
        }
        if (platform != null) {
            platform.close();
        }
    }

    @AfterEach
    void nobodyComplains() {
        for (Guest guest : new Guest[] {a, b}) {
            assertThat(guest.complaints()).as("complaints of a guest's kernel").isEmpty();
        }
        adapters.refusedNothing("a");
        adapters.refusedNothing("b");
    }

    // ---- a program in C

    /** How many sends the kernel says to have copied, and how many not; what arrived is what was sent. */
    private static Map<String, String> sendsInC(String way, Guest to, String address) {
        to.run("take_hash 7000").done();
        Answer sent = a.run("timeout 300 zerocopy " + way + " " + address + " 7000 /tmp/payload " + MESSAGE, LONG)
                .done();
        assertThat(to.run("taken_hash 7000", LONG).done().output()).isEqualTo(payload);
        assertThat(sent.result("sent")).isEqualTo(Long.toString(BYTES));
        return sent.results();
    }

    @ParameterizedTest
    @Order(1)
    @ValueSource(strings = {"ring", "flag"})
    void aProgramSendsFromWhereItsBytesLie(String way) {
        assertThat(sendsInC(way, b, THERE)).containsEntry("zerocopy", Integer.toString(SENDS))
                .containsEntry("copied", "0");
    }

    @ParameterizedTest
    @Order(2)
    @ValueSource(strings = {"ring", "flag"})
    void aProgramIsToldThatTheKernelCopiedWithoutScatterGather(String way) {
        withoutScatterGather(() -> assertThat(Integer.parseInt(sendsInC(way, b, THERE).get("copied"))).isPositive());
    }

    @ParameterizedTest
    @Order(3)
    @ValueSource(strings = {"ring", "flag"})
    void aProgramIsToldThatTheKernelCopiesOverLoopback(String way) {
        assertThat(sendsInC(way, a, "127.0.0.1")).containsEntry("zerocopy", "0")
                .containsEntry("copied", Integer.toString(SENDS));
    }

    private static void withoutScatterGather(Runnable what) {
        a.run("ethtool -K eth0 sg off && ethtool -k eth0 | grep -q '^scatter-gather: off'").done();
        try {
            what.run();
        } finally {
            a.run("ethtool -K eth0 sg on; ethtool -K eth0 tso on; ethtool -k eth0 | grep -q '^scatter-gather: on'")
                    .done();
        }
    }

    // ---- the product

    @Test
    @Order(4)
    void theRuntimeStartsInTheMachine() {
        assertThat(a.run("java -version", LONG).done().output()).contains("64-Bit Server VM");
        a.run("product_up", LONG).done();
        assertThat(rows(manafold("sock probe uring"))).filteredOn(row -> row.getBoolean("available"))
                .extracting(row -> row.getString("knob") + "=" + row.getString("value"))
                .contains("queues=ring", "memory=registered", "send=zerocopy", "send=auto", "receive=pool",
                        "accept=multishot");
    }

    private static JsonValue manafold(String command) {
        return a.run("manafold '" + command + " --json'", LONG).done().json();
    }

    private static List<JsonObject> rows(JsonValue all) {
        return all.asJsonArray().getValuesAs(JsonObject.class);
    }

    /** A connection of the product that was: what it has counted, and its last sends. */
    private record Connection(JsonObject counted, List<JsonObject> sends) {
        static Connection of(String name) {
            return new Connection(rows(manafold("sock stats " + name)).getFirst(),
                    rows(manafold("sock explain " + name)).stream()
                            .filter(one -> one.getString("operation").equals("send")).toList());
        }

        int count(String key) {
            return counted.getInt(key);
        }
    }

    /** Connects and sends; what arrived is what was sent. */
    private static Connection sends(Guest to, String address) {
        to.run("take_hash 7000").done();
        JsonObject sent = manafold("sock connect " + address + ":7000 --bytes " + MEBIBYTES + "m" + KNOBS)
                .asJsonObject();
        assertThat(to.run("taken_hash 7000", LONG).done().output()).startsWith(sent.getString("tx_sha256") + " ");
        assertThat(sent.getJsonNumber("tx_bytes").longValue()).isEqualTo(BYTES);
        Connection connection = Connection.of(sent.getString("name"));
        assertThat(connection.count("tx_transfers")).isEqualTo(SENDS);
        assertThat(connection.count("tx_unreported")).as("sends of which the kernel said nothing").isZero();
        assertThat(connection.sends).isNotEmpty();
        return connection;
    }

    private static void allZeroCopy(Connection connection) {
        assertThat(connection.count("tx_zerocopy")).isEqualTo(connection.count("tx_transfers"));
        assertThat(connection.count("tx_copied")).isZero();
        assertThat(connection.sends).allSatisfy(one -> {
            assertThat(one.getString("path")).isEqualTo("zero-copy");
            assertThat(one.getString("kernel")).isEqualTo("zero-copy");
            assertThat(one.getBoolean("inferred")).isFalse();
        });
    }

    private static void theCopiedOnesSay(Connection connection, String because) {
        assertThat(connection.sends).filteredOn(one -> one.getString("path").equals("copied")).isNotEmpty()
                .allSatisfy(one -> {
                    assertThat(one.getString("kernel")).isEqualTo("copied");
                    assertThat(one.getString("because")).contains(because);
                    assertThat(one.getBoolean("inferred")).isTrue();
                });
    }

    @Test
    @Order(5)
    void registeredMemoryLeavesFromWhereItLies() {
        allZeroCopy(sends(b, THERE));
    }

    /** Memory is used again as soon as it is said to be free: a byte changed too early would change the hash. */
    @Test
    @Order(6)
    void aFileLeavesFromWhereItLies() {
        JsonObject listener = manafold("sock listen 10.1.0.1:7001 --do file --file /tmp/payload" + KNOBS)
                .asJsonObject();
        assertThat(b.run("nc 10.1.0.1 7001 </dev/null | sha256sum", LONG).done().output()).isEqualTo(payload);
        String name = listener.getString("name");
        Connection connection = Connection.of("uring-" + (Integer.parseInt(name.substring(name.indexOf('-') + 1)) + 1));
        assertThat(connection.counted.getJsonNumber("tx_bytes").longValue()).isEqualTo(BYTES);
        allZeroCopy(connection);
        a.run("manafold 'sock close " + name + "'", LONG).done();
    }

    @Test
    @Order(7)
    void withoutScatterGatherTheKernelCopiesAndWeSayWhy() {
        withoutScatterGather(() -> {
            Connection connection = sends(b, THERE);
            assertThat(connection.count("tx_copied")).isPositive();
            theCopiedOnesSay(connection, "scatter-gather of eth0 is off");
        });
        allZeroCopy(sends(b, THERE));
    }

    @ParameterizedTest
    @Order(8)
    @ValueSource(strings = {"127.0.0.1", "10.1.0.1"})
    void overLoopbackTheKernelCopiesAndWeSayWhy(String address) {
        Connection connection = sends(a, address);
        assertThat(connection.count("tx_copied")).isEqualTo(SENDS);
        assertThat(connection.count("tx_zerocopy")).isZero();
        theCopiedOnesSay(connection, "the peer is on this machine");
    }
}
