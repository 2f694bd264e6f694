package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sockets of ours over the TCP of a machine's kernel, which leaves by Linux's driver and our adapter for another
 * machine: whether the kernel takes bytes from where they lie, as it says itself, to a program in C and to a program on
 * our rooms of sockets. Emulated processors are slow: states, counts and hashes are judged, never speed.
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
    /** Bytes of one send, of either program. */
    private static final int MESSAGE = 64 << 10;
    private static final int SENDS = (int) (BYTES / MESSAGE);
    private static final long TAKEN = (long) Kit.times(4, 32) << 20;
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
        List<Guest> both = Guest.boot(Guest.named("sockets-a").on(platform.socket("a")).memory(1280)
                .limit(Kit.times(1200, 7200)).with(Kit.runtime()).with(Kit.product())
                .with(Path.of("target", "test-classes").toAbsolutePath()).with(Kit.program("zerocopy")),
                Guest.named("sockets-b").on(platform.socket("b")).cpus(1).limit(Kit.times(1200, 7200)));
        a = both.getFirst();
        b = both.getLast();
        a.run("begin; modprobe mana && until_true 300 there eth0 && end eth0 1").done();
        b.run("begin; modprobe mana && until_true 300 there eth0 && end eth0 2").done();
        a.run("until_true 100 ping -c 1 -W 1 10.1.0.2").done();
        a.run("unzip -qjo /kit/manafold.jar 'jar/*' -d /tmp/bundles", LONG).done();
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

    // ---- our sockets

    /** Sends the file; what arrived is what was sent. */
    private static Answer sends(Guest to, String address) {
        to.run("take_hash 7000").done();
        Answer sent = a.run("sockets_sender " + address + " 7000 /tmp/payload memory=registered send=zerocopy "
                + "queues=ring prefer:receive=area", LONG).done();
        assertThat(to.run("taken_hash 7000", LONG).done().output()).isEqualTo(payload);
        assertThat(sent.result("sent")).isEqualTo(Long.toString(BYTES));
        assertThat(sent.result("sends")).isEqualTo(Integer.toString(SENDS));
        assertThat(sent.result("unreported")).as("sends of which the kernel said nothing").isEqualTo("0");
        assertThat(sent.result("memory")).startsWith("registered, ");
        assertThat(sent.result("send")).startsWith("zerocopy, ");
        assertThat(sent.result("queues")).startsWith("ring, ");
        return sent;
    }

    private static void allZeroCopy(Answer sent) {
        assertThat(sent.result("zerocopy")).isEqualTo(Integer.toString(SENDS));
        assertThat(sent.result("copied")).isEqualTo("0");
        assertThat(sent.result("kernel")).isEqualTo("zero-copy/zero-copy");
    }

    /** Memory is used again as soon as it is said to be free: a byte changed too early would change the hash. */
    @Test
    @Order(4)
    void registeredMemoryLeavesFromWhereItLies() {
        assertThat(a.run("java -version", LONG).done().output()).contains("64-Bit Server VM");
        allZeroCopy(sends(b, THERE));
    }

    /** Takes a file of another machine, or of its own, into pages of a pool; what lies there is what was sent. */
    private static Answer takes(Guest from, String address, String file, String knobs) {
        String hash = from.run("sha256sum <" + file).done().output().split(" ")[0];
        from.run("give_file 7001 " + file).done();
        Answer taken = a.run("sockets_taker " + address + " 7001 " + knobs, LONG).done();
        from.run("given_file 7001", LONG).done();
        assertThat(taken.result("hash")).isEqualTo(hash);
        assertThat(taken.result("received")).isEqualTo(Long.toString(TAKEN));
        assertThat(taken.result("holders")).as("who holds the memory after the end").isEqualTo("0");
        return taken;
    }

    @Test
    @Order(7)
    void whatComesLandsInPagesOfOurs() {
        b.run("head -c " + TAKEN + " /dev/urandom >/tmp/given").done();
        Answer taken = takes(b, THERE, "/tmp/given", "receive=area");
        assertThat(taken.result("receive")).startsWith("area, the kernel puts what comes into pages of pools");
        assertThat(Long.parseLong(taken.result("area"))).as("pieces of a page at most")
                .isGreaterThanOrEqualTo(TAKEN / 4096);
        assertThat(taken.result("pooled")).isEqualTo("0");
        assertThat(taken.result("ways")).isEqualTo("area, the kernel puts it into the area, by a copy because no card "
                + "belongs to it");
    }

    @Test
    @Order(8)
    void overLoopbackItLandsThereAsWell() {
        a.run("head -c " + TAKEN + " /dev/urandom >/tmp/given").done();
        Answer taken = takes(a, "127.0.0.1", "/tmp/given", "prefer:receive=area gather=off");
        assertThat(taken.result("receive")).startsWith("area, ");
        assertThat(taken.result("pooled")).isEqualTo("0");
        Answer pooled = takes(a, "127.0.0.1", "/tmp/given", "receive=pool");
        assertThat(pooled.result("area")).isEqualTo("0");
        assertThat(pooled.result("ways")).startsWith("copied, ");
    }

    @Test
    @Order(5)
    void withoutScatterGatherTheKernelCopiesAndWeSayWhy() {
        withoutScatterGather(() -> {
            Answer sent = sends(b, THERE);
            assertThat(Integer.parseInt(sent.result("copied"))).isPositive();
            assertThat(sent.result("kernel")).contains("copied/copied");
            assertThat(sent.result("because")).contains("inferred: scatter-gather of eth0 is off");
        });
    }

    @Test
    @Order(6)
    void overLoopbackTheKernelCopiesAndWeSayWhy() {
        Answer sent = sends(a, "127.0.0.1");
        assertThat(sent.result("copied")).isEqualTo(Integer.toString(SENDS));
        assertThat(sent.result("kernel")).isEqualTo("copied/copied");
        assertThat(sent.result("because")).startsWith("inferred: the peer is on this machine");
    }

    // ---- the whole product, started in the machine

    private static final String SLOW = "the product starts for minutes where a processor is emulated";
    /** Not more sends than are explained. */
    private static final long EXPLAINED = 4 << 20;
    private static final String CONNECT = "; sock connect %s --bytes " + EXPLAINED
            + " --transport uring --knob memory=registered --knob send=zerocopy --json; sock explain uring-%d --json";

    /** What 'sock connect' and 'sock explain' have said: the hash of what was sent, and each way a send took. */
    private static List<String> ways(String said, String hash) {
        assertThat(said).contains("\"tx_sha256\": \"" + hash + "\"", "\"tx_bytes\": " + EXPLAINED);
        List<String> ways = new ArrayList<>();
        Matcher send = Pattern.compile("\"operation\": \"send\",\\s*\"bytes\": (\\d+),\\s*\"path\": \"[^\"]*\","
                + "\\s*\"kernel\": (\\S+),\\s*\"because\": ([^\\n]*),").matcher(said);
        long bytes = 0;
        while (send.find()) {
            bytes += Long.parseLong(send.group(1));
            ways.add(send.group(2) + " " + send.group(3));
        }
        assertThat(bytes).as(said).isEqualTo(EXPLAINED);
        return ways;
    }

    private static String sent(String hash) {
        return hash.split(" ")[0];
    }

    @Test
    @EnabledIfSystemProperty(named = "guests.long", matches = "true", disabledReason = SLOW)
    @Order(9)
    void theProductsOwnCommandsSendItAndExplain() {
        b.run("take_hash 7000").done();
        String said = a.run("manafold -c 'sock listen 127.0.0.1:7002 --do sink" + CONNECT.formatted(THERE + ":7000", 1)
                + CONNECT.formatted("127.0.0.1:7002", 2) + "'", LONG).done().output();
        String hash = sent(b.run("taken_hash 7000", LONG).done().output());
        int second = said.indexOf("uring-2");
        assertThat(ways(said.substring(0, second), hash)).isNotEmpty().containsOnly("\"zero-copy\" null");
        assertThat(ways(said.substring(second), hash)).isNotEmpty()
                .allMatch(way -> way.startsWith("\"copied\" \"the peer is on this machine"));
    }

    @Test
    @EnabledIfSystemProperty(named = "guests.long", matches = "true", disabledReason = SLOW)
    @Order(10)
    void theProductsOwnCommandsSayThatScatterGatherIsMissing() {
        withoutScatterGather(() -> {
            b.run("take_hash 7000").done();
            String said = a.run("manafold -c 'sock list" + CONNECT.formatted(THERE + ":7000", 1) + "'", LONG).done()
                    .output();
            assertThat(ways(said, sent(b.run("taken_hash 7000", LONG).done().output())))
                    .anyMatch(way -> way.startsWith("\"copied\" \"scatter-gather of eth0 is off"));
        });
    }
}
