package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A machine with Linux's driver, and our driver with what stands above it, on one switch: the machine is 10.1.0.1, our
 * own protocols are 10.1.0.2, and 10.1.0.3 is this machine's kernel, behind a tap and in a network namespace, where
 * that is allowed.
 */
@Tag("guest")
@ResourceLock("namespace")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BesideOurDriverTest {
    private static final String LAB = """
            adapters:
              - name: vm
                queues: 4
                macs: ["00:0d:3a:00:00:0a"]
              - name: one
                ports: 3
                queues: 4
                macs: ["00:0d:3a:00:00:0b", "00:0d:3a:00:00:0c", "00:0d:3a:00:00:0d"]
            links:
              - {name: net, ports: [vm/1, one/1, one/2, one/3]}
            exports:
              - {adapter: vm, socket: %s/vm.sock}
            devices:
              - {name: mana0, on: one/1, addresses: [10.1.0.2/24, "fd01::2/64"]}
              - {name: mana1, on: one/2, BEHIND}
              - {name: mana2, on: one/3}
            """;
    private static final String TAP = "mg" + ProcessHandle.current().pid();
    /** A kernel that sums in software writes ffff where TCP has 0, which is as good. */
    private static final String BAD = "ip.checksum.status == 0 || udp.checksum.status == 0"
            + " || (tcp.checksum.status == 0 && tcp.checksum != 0xffff)"
            + " || icmpv6.checksum.status == 0 || icmp.checksum.status == 0";
    private static final Duration LONG = Duration.ofMinutes(Kit.times(3, 60));

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest guest;
    private static Namespace space;
    private static int captures;

    @BeforeAll
    static void boot() {
        space = Namespace.make();
        platform = Platform.with(folder, LAB.replace("BEHIND", space == null ? "up: true" : "tap: " + TAP));
        adapters = new Adapters(platform);
        guest = Guest.named("beside").on(platform.socket("vm")).cpus(2).limit(Kit.times(500, 7200)).boot();
        guest.run("begin; modprobe mana && until_true 100 there eth0 && end eth0 1").done();
        if (space != null) {
            space.take(TAP);
            space.run("ip", "link", "set", "lo", "up").done();
            space.run("ip", "addr", "add", "10.1.0.3/24", "dev", TAP).done();
            space.run("ip", "addr", "add", "fd01::3/64", "dev", TAP, "nodad").done();
            space.run("ip", "link", "set", TAP, "up").done();
            space.begin("iperf3", "-s", "--forceflush");
            guest.run("until_true 100 iperf3 -c 10.1.0.3 -n 64K").done();
        }
    }

    @AfterAll
    static void end() {
        if (guest != null) {
            guest.close();
        }
        if (platform != null) {
            platform.close();
        }
        if (space != null) {
            space.close();
        }
    }

    @AfterEach
    void nobodyComplains() {
        assertThat(guest.complaints()).as("complaints of the guest's kernel").isEmpty();
        assertThat(guest.run("cat /proc/sys/kernel/tainted").output().trim()).as("taint").isEqualTo("0");
        assertThat(guest.run("awk '/^(Tcp|Udp):/ && $2 ~ /^[0-9]/ { print $NF }' /proc/net/snmp").done().output())
                .as("checksum errors").doesNotContainPattern("[1-9].*\\n[1-9]");
        adapters.refusedNothing("vm");
        adapters.refusedNothing("one");
    }

    private static Path capture() {
        Path file = platform.file("net" + captures++ + ".pcapng");
        platform.run("capture start net " + file).done();
        return file;
    }

    private static Frames endCapture(Path file) {
        platform.run("capture stop net " + file).done();
        Frames frames = new Frames(file);
        assertThat(frames.fields(BAD, "frame.number", "_ws.col.Info")).as("bad checksums").isEmpty();
        return frames;
    }

    private static void bothPing(int most) {
        platform.run("ping -c 5 -i 0.02 -I mana0 10.1.0.1; ping -c 5 -i 0.02 -I mana0 fd01::1; ping -c 3 -i 0.02 -s "
                + (most - 28) + " -I mana0 10.1.0.1; ping -c 3 -i 0.02 -s " + (most - 48) + " -I mana0 fd01::1").done();
        guest.run("ping -c 5 -i 0.02 10.1.0.2 && ping -c 5 -i 0.02 fd01::2 && ping -c 3 -i 0.02 -M do -s " + (most - 28)
                + " 10.1.0.2 && ping -c 3 -i 0.02 -M do -s " + (most - 48) + " fd01::2").done();
    }

    @Test
    @Order(1)
    void theyReachEachOther() {
        Path file = capture();
        bothPing(1500);
        Frames frames = endCapture(file);
        assertThat(frames.count("icmp.type == 0 && ip.src == 10.1.0.2")).isGreaterThanOrEqualTo(8);
        assertThat(frames.count("icmpv6.type == 129 && ipv6.src == fd01::2")).isGreaterThanOrEqualTo(8);
    }

    /** The kernels are the witnesses: a hash of what each has sent, and of what the other has received. */
    @Test
    @Order(3)
    void datagramsArriveAsTheyWereSent() throws IOException {
        assumeTrue(space != null, "no network namespace");
        Path served = Files.createDirectory(platform.file("served"));
        byte[] content = new byte[200_000];
        new Random(7).nextBytes(content);
        Files.write(served.resolve("down"), content);
        Output server = space.begin(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                Path.of("target", "test-classes").toAbsolutePath().toString(), FilesByDatagram.class.getName(),
                served.toString());
        server.await("ready", Duration.ofSeconds(60), () -> true);
        Path file = capture();
        for (String address : new String[] {"10.1.0.3", "fd01::3"}) {
            guest.run("cd /tmp && tftp -g -b 1400 -r down -l down " + address).done();
            guest.run("cd /tmp && tftp -p -b 1400 -l down -r up" + address.length() + " " + address).done();
            Path up = served.resolve("up" + address.length());
            until(() -> Files.exists(up), "the file has arrived; its server says " + server.soFar());
            assertThat(up).hasBinaryContent(content);
        }
        assertThat(endCapture(file).count("udp.checksum.status == 1 && frame.len > 1400")).isGreaterThan(500);
    }

    @Test
    @Order(4)
    void streams() {
        assumeTrue(space != null, "no network namespace");
        Path file = capture();
        for (String options : new String[] {"10.1.0.3 -n 4M", "10.1.0.3 -t 1 -P 4 -R", "fd01::3 -t 1 -P 2 --bidir",
            "10.1.0.3 -u -b 20M -l 1400 -t 1", "fd01::3 -u -b 20M -l 1400 -t 1 -R"}) {
            // the server takes a moment to be free again
            JsonObject end = guest.run("until_true 20 eval 'iperf3 -J -c " + options + " >/tmp/out' && cat /tmp/out",
                    LONG).done().json().asJsonObject().getJsonObject("end");
            JsonObject sum = end.containsKey("sum_received") ? end.getJsonObject("sum_received")
                    : end.getJsonObject("sum");
            assertThat(sum.getJsonNumber("bytes").longValue()).as(options).isGreaterThan(1 << 18);
        }
        assertThat(endCapture(file).count("frame.len > 1514")).as("frames longer than the MTU allows").isZero();
    }

    @Test
    @Order(5)
    void framesOf9000Bytes() {
        String all = "ip link set mana0 mtu %1$d; ip link set mana1 mtu %1$d";
        String every = "ip link set eth0 mtu %d && until_true 100 ping -c 1 -W 1 10.1.0.2";
        platform.run(all.formatted(9000)).done();
        guest.run(every.formatted(9000)).done();
        bothPing(9000);
        if (space != null) {
            space.run("ip", "link", "set", TAP, "mtu", "9000").done();
            Path file = capture();
            guest.run("iperf3 -c 10.1.0.3 -n 4M && iperf3 -c fd01::3 -t 1 -R", LONG).done();
            assertThat(endCapture(file).count("frame.len == 9014")).isPositive();
            space.run("ip", "link", "set", TAP, "mtu", "1500").done();
        }
        platform.run(all.formatted(1500)).done();
        guest.run(every.formatted(1500)).done();
    }

    /** Another version of our driver takes over, and leaves again, while everything goes on. */
    @Test
    @Order(6)
    void ourDriverIsReplacedUnderTheMachinesTraffic() throws IOException {
        if (space != null) {
            guest.run("iperf3 -c 10.1.0.3 -t 3600 --bidir >/tmp/stream.log 2>&1 & keeps_sending eth0 300").done();
        }
        platform.run("pktgen start mana0 --to mana2 --rate 500pps --size 1000 --verify").done();
        Path drivers = platform.file("data").resolve("drivers");
        Path next = drivers.resolve("ethernet.jar");
        for (int i = 1; i <= Kit.times(1, 20); i++) {
            Files.move(EthernetBundle.write("1." + i + ".0", drivers.resolve("ethernet.jar.part")), next);
            drivenBy("1." + i + ".0");
            Files.delete(next);
            drivenBy("1.0.0");
        }
        JsonObject report = stopped();
        assertThat(report.getInt("corrupted")).as("of %s", report).isZero();
        assertThat(report.getInt("received")).as("of %s", report).isPositive();
        if (space != null) {
            guest.run("kill -INT $(pidof iperf3)").done();
        }
        bothPing(1500);
    }

    private static JsonObject stopped() {
        platform.run("pktgen stop").done();
        return platform.run("pktgen show --json").done().json().asJsonObject();
    }

    private static void drivenBy(String version) {
        // a snapshot has the time of its sources behind it
        until(() -> platform.run("ethtool -i mana0").output()
                .matches("(?s).*\\bversion: \\Q" + version + "\\E([.]\\d+)?\n.*"),
                "our driver is " + version);
        if (space != null) {
            guest.run("keeps_sending eth0 300 || { cat /tmp/stream.log; false; }", LONG).done();
        }
        guest.run("until_true 100 ping -c 1 -W 1 10.1.0.2").done();
    }

    @Test
    @Order(7)
    void theMachinesDriverIsReplacedBesideOurTraffic() {
        platform.run("pktgen start mana0 --to mana2 --rate 1kpps --size 1000 --verify").done();
        for (int i = 0; i < Kit.times(1, 20); i++) {
            guest.run("modprobe -r mana_ib; modprobe -r mana && until_true 100 gone eth0 && modprobe mana"
                    + " && until_true 100 there eth0 && end eth0 1 && until_true 100 ping -c 1 -W 1 10.1.0.2",
                    LONG).done();
        }
        JsonObject report = stopped();
        assertThat(report.getInt("corrupted")).as("of %s", report).isZero();
        assertThat(report.getInt("received")).as("of %s", report).isPositive();
        bothPing(1500);
    }

    /** Something that becomes true by itself. */
    private interface Condition {
        boolean holds();
    }

    private static void until(Condition condition, String what) {
        long giveUp = System.nanoTime() + Duration.ofSeconds(90).toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("waiting until %s", what).isLessThan(giveUp);
            LockSupport.parkNanos(100_000_000);
        }
    }
}
