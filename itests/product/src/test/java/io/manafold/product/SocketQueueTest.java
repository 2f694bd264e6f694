package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.manafold.testkit.Namespace;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The kernel's TCP through the tap of a port of the platform: which receive queue a connection comes by is chosen when
 * it is made, seen in the device's counters, and moved by the device's table.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SocketQueueTest {
    private static final int QUEUES = 4;
    /** Frames that have nothing to do with the connection: who has the address, and the like. */
    private static final long OTHERS = 40;

    @TempDir
    Path folder;

    private Namespace near;
    private Namespace far;
    private Run platform;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(Namespace.isAllowed() && Files.exists(Path.of("/dev/net/tun")), "taps are not allowed here");
        assumeTrue(Namespace.isThere("socat"), "socat is not installed");
        Path lab = Files.writeString(folder.resolve("queues.yaml"), """
                adapters: [{name: one, ports: 2, rdma: off}]
                links: [{name: net, ports: [one/1, one/2]}]
                devices:
                  - {name: mana0, on: one/1, tap: near0}
                  - {name: mana1, on: one/2, tap: far0}
                """);
        near = new Namespace("msn");
        far = new Namespace("msf");
        // Java has IPv6 if there is such an address when it starts
        near.inside("ip", "link", "set", "lo", "up");
        // the whole platform is in a namespace, so that nothing outside has its taps and their addresses
        platform = Run.of("ip", "netns", "exec", near.name(), Run.TOP.resolve("manafold").toString(), "--headless",
                "--data", folder.toString(), "--lab", lab.toString()).start();
        platform.awaitOut("ready\n");
        addresses(near, "near0", 1);
        near.inside("ip", "link", "set", "far0", "netns", far.name());
        addresses(far, "far0", 2);
        far.begin("socat", "TCP6-LISTEN:7000,ipv6only=0,fork,reuseaddr", "SYSTEM:cat");
        attached("ethtool -L mana0 combined " + QUEUES).done();
    }

    private void addresses(Namespace space, String tap, int host) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!near.inside("ip", "link").contains(tap + ": <BROADCAST,MULTICAST,UP") && space == near) {
            assertThat(System.nanoTime()).as("%s is up", tap).isLessThan(deadline);
            Thread.sleep(50);
        }
        space.inside("ip", "addr", "add", "10.78.7." + host + "/24", "dev", tap);
        space.inside("ip", "addr", "add", "fd78:7::" + host + "/64", "dev", tap, "nodad");
        space.inside("ip", "link", "set", tap, "up");
    }

    @AfterEach
    void stop() throws Exception {
        if (platform != null) {
            platform.close();
            platform.process().waitFor(60, TimeUnit.SECONDS);
        }
        if (far != null) {
            far.close();
        }
        if (near != null) {
            near.close();
        }
    }

    private Run.Ended attached(String line) {
        return Run.manafold("attach", "--data", folder.toString(), "-c", line).end();
    }

    /** Packets that have come by each queue. */
    private long[] packets() {
        JsonObject all = attached("ethtool -S mana0 --json").done().json().asJsonArray().getJsonObject(0);
        long[] packets = new long[QUEUES];
        for (int i = 0; i < QUEUES; i++) {
            packets[i] = all.getJsonNumber("rx_" + i + "_packets").longValue();
        }
        return packets;
    }

    private void cameBy(int queue, long[] before, long least) {
        long[] now = packets();
        for (int i = 0; i < QUEUES; i++) {
            if (i == queue) {
                assertThat(now[i] - before[i]).as("packets of queue %d", i).isGreaterThanOrEqualTo(least);
            } else {
                assertThat(now[i] - before[i]).as("packets of queue %d", i).isLessThan(OTHERS);
            }
        }
    }

    private JsonObject show(String name) {
        return attached("sock show " + name + " --json").done().json().asJsonArray().getJsonObject(0);
    }

    private static JsonObject knob(JsonObject shown) {
        return shown.getJsonArray("knobs").stream().map(JsonValue::asJsonObject)
                .filter(knob -> knob.getString("knob").equals("queue")).findFirst().orElseThrow();
    }

    private JsonObject exchange(String line) {
        JsonObject done = attached(line + " --json").done().json().asJsonObject();
        assertThat(done.getString("rx_sha256")).isEqualTo(done.getString("tx_sha256"));
        return done;
    }

    /** The connection that is there. */
    private String connection() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            for (JsonValue one : attached("sock list --json").done().json().asJsonArray()) {
                if (one.asJsonObject().getString("state").equals("connected")) {
                    return one.asJsonObject().getString("name");
                }
            }
            assertThat(System.nanoTime()).as("there is a connection").isLessThan(deadline);
            Thread.sleep(100);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void aConnectionComesByTheQueueThatIsAskedFor(String transport) throws Exception {
        String to = "sock connect 10.78.7.2:7000 --transport " + transport;
        exchange(to + " --bytes 4k");
        for (int queue : new int[] {3, 1}) {
            long[] before = packets();
            JsonObject done = exchange(to + " --bytes 512k --knob queue=" + queue);
            cameBy(queue, before, (512 << 10) / 1500);
            JsonObject knob = knob(show(done.getString("name")));
            assertThat(knob.getString("got")).isEqualTo(String.valueOf(queue));
            assertThat(knob.getString("why")).startsWith("what comes to port ").endsWith(" hashes to it in mana0");
        }
        long[] before = packets();
        exchange("sock connect [fd78:7::2]:7000 --transport " + transport + " --bytes 512k --knob queue=2");
        cameBy(2, before, (512 << 10) / 1500);
        aTableMovesIt(transport, to);
        whatCannotBeHadIsRefusedOrSaid(transport, to);
    }

    private void aTableMovesIt(String transport, String to) throws Exception {
        String line = "sock ping 10.78.7.2:7000 --count 1000000 --knob queue=3 --transport " + transport;
        try (Run pinging = Run.manafold("attach", "--data", folder.toString(), "-c", line).start()) {
            String name = connection();
            assertThat(show(name).getInt("queue")).isEqualTo(3);
            moving(3);
            attached("ethtool -X mana0 equal 1").done();
            assertThat(show(name).getInt("queue")).as("after the table has changed").isZero();
            assertThat(knob(show(name)).getString("got")).as("as it was made").isEqualTo("3");
            moving(0);
            assertThat(pinging.process().isAlive()).isTrue();
            attached(to + " --text a --knob queue=3").refused(1, "(EINVAL)", "The knob queue cannot be '3'",
                    "the indirection table of mana0", "'ethtool -x mana0'");
            attached("sock close " + name).done();
        }
        attached("ethtool -X mana0 default").done();
    }

    private void moving(int queue) throws InterruptedException {
        long[] before = packets();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (packets()[queue] - before[queue] < 2 * OTHERS) {
            assertThat(System.nanoTime()).as("packets come by queue %d", queue).isLessThan(deadline);
            Thread.sleep(100);
        }
        cameBy(queue, before, 2 * OTHERS);
    }

    private void whatCannotBeHadIsRefusedOrSaid(String transport, String to) throws IOException,
            InterruptedException {
        attached(to + " --text a --knob queue=" + QUEUES).refused(1, "(EINVAL)", "mana0 has queues 0 to 3");
        JsonObject any = exchange(to + " --bytes 4k --prefer queue=" + QUEUES);
        assertThat(knob(show(any.getString("name"))).getString("why")).startsWith("not 4: mana0 has queues 0 to 3");
        attached("sock listen 10.78.7.1:0 --knob queue=1 --transport " + transport).refused(1, "(EOPNOTSUPP)",
                "picked by their peers");
        String here = attached("sock listen 10.78.7.1:0 --json --transport " + transport).done().json().asJsonObject()
                .getString("local");
        attached("sock connect " + here + " --text a --knob queue=1 --transport " + transport).refused(1,
                "(EOPNOTSUPP)", "is on this machine", "loopback");
        exchange("sock connect " + here + " --bytes 4k --prefer queue=1 --transport " + transport);
        Process peer = far.begin("socat", "-u", "SYSTEM:while echo more; do sleep 0.05; done", "TCP:" + here);
        int queue = show(connection()).getInt("queue");
        assertThat(queue).as("of a connection that came").isBetween(0, QUEUES - 1);
        moving(queue);
        peer.destroyForcibly().waitFor();
    }
}
