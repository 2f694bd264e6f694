package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of event that a day brings, one after the other, as a program reads them that follows. */
class EventsTest {
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    /** As many nodes may be above a queue. */
    private static final int DEPTH = 16;

    @TempDir
    Path folder;

    /** How many of the lines have been read. */
    private int read;

    private String home(String name) {
        return folder.resolve(name).toString();
    }

    private Run up(String name, String lab) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".yaml"), lab);
        Run run = Run.manafold("--headless", "--data", home(name), "--lab", file.toString()).start();
        run.awaitOut("ready\n");
        return run;
    }

    private Run.Ended attached(String line) {
        return Run.manafold("attach", "--data", home("one"), "-c", line).end();
    }

    private static JsonObject object(String line) {
        try (JsonReader reader = Json.createReader(new StringReader(line))) {
            return reader.readObject();
        }
    }

    private static JsonArray array(String text) {
        try (JsonReader reader = Json.createReader(new StringReader(text))) {
            return reader.readArray();
        }
    }

    private static List<JsonObject> lines(Run follower) {
        String out = follower.outSoFar();
        return out.substring(0, out.lastIndexOf('\n') + 1).lines().map(EventsTest::object).toList();
    }

    /** The next event of a kind whose sentence has these words, behind the one before. */
    private JsonObject next(Run follower, String kind, String words) {
        long giveUp = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            List<JsonObject> all = lines(follower);
            for (int i = read; i < all.size(); i++) {
                JsonObject event = all.get(i);
                if (event.getString("kind").equals(kind) && event.getString("sentence").contains(words)) {
                    read = i + 1;
                    return event;
                }
            }
            assertThat(System.nanoTime()).as("waiting for %s with '%s' behind line %d of %s", kind, words, read, all)
                    .isLessThan(giveUp);
            LockSupport.parkNanos(50_000_000);
        }
    }

    @Test
    void eachKindIsReadInOrder() throws IOException {
        Path socket = folder.resolve("two.sock");
        try (Run platform = up("one", """
                adapters: [{name: one, ports: 2}, {name: two}]
                exports: [{adapter: two, socket: %s}]
                devices: [{name: mana0, on: one/1}, {name: mana1, on: one/2}]
                """.formatted(socket));
                Run follower = Run.manafold("attach", "--data", home("one"), "-c", "events --follow --json").start()) {
            next(follower, "bound", "7870:00:00.0 is bound to ethernet");
            links(follower);
            settings(follower);
            failures(follower);
            guest(follower, socket);
            swap(follower);
            assertThat(platform.process().isAlive()).isTrue();
            long before = 0;
            for (JsonObject event : lines(follower)) {
                assertThat(event.getJsonNumber("sequence").longValue()).isEqualTo(before + 1);
                before++;
                assertThat(List.copyOf(event.keySet())).as("fields of %s", event).startsWith("sequence", "time", "kind",
                        "device", "driver", "version", "sentence");
            }
            readByJq(follower, before);
        }
    }

    /** Where there is jq, as a script would read them. */
    private void readByJq(Run follower, long events) throws IOException {
        if (!Files.isExecutable(Path.of("/usr/bin/jq"))) {
            return;
        }
        String out = follower.outSoFar();
        Path lines = Files.writeString(folder.resolve("events.json"), out.substring(0, out.lastIndexOf('\n') + 1));
        Process jq = new ProcessBuilder("jq", "-e", "-s", "length, ([.[].kind] | unique | length), "
                + "all(has(\"sequence\", \"time\", \"kind\", \"device\", \"driver\", \"version\", \"sentence\"))",
                lines.toString()).redirectErrorStream(true).start();
        List<String> answers = new String(jq.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertThat(answers.getFirst()).as("%s", answers).isEqualTo(String.valueOf(events));
        assertThat(Integer.parseInt(answers.get(1))).as("kinds that were read").isGreaterThan(12);
        assertThat(answers.get(2)).isEqualTo("true");
    }

    private void links(Run follower) {
        attached("link add net one/1 one/2").done();
        next(follower, "link-up", "the links of 7870:00:00.0 are up");
        attached("link remove net").done();
        next(follower, "link-down", "the links of 7870:00:00.0 are down");
        attached("link add net one/1 one/2").done();
        next(follower, "link-up", "the links of 7870:00:00.0 are up");
    }

    private void settings(Run follower) {
        attached("ip link set dev mana0 mtu 1400").done();
        next(follower, "setting-changed", "port one/1: mtu is set to 1400");
        attached("ethtool -L mana0 combined 3").done();
        next(follower, "setting-changed", "port one/1: channels is set to 3");
        attached("ethtool -G mana0 rx 512 tx 512").done();
        next(follower, "setting-changed", "is set to 512");
        attached("netshaper set dev mana0 handle scope queue id 0 bw-max 1gbit weight 2").done();
        JsonObject shaper = next(follower, "shapers-changed",
                "mana0: the shaper queue 0 is set: bw-max 1000000000 bit/s, weight 2");
        assertThat(shaper.getString("device")).isEqualTo("7870:00:00.0");
        attached("netshaper delete dev mana0 handle scope queue id 0").done();
        next(follower, "shapers-changed", "mana0: the shaper queue 0 is gone");
    }

    private void failures(Run follower) {
        StringBuilder nodes = new StringBuilder("netshaper group dev mana1 handle scope node leaves scope queue id 0");
        for (int node = 0; node < DEPTH; node++) {
            nodes.append("; netshaper group dev mana1 handle scope node parent scope node id ").append(node)
                    .append(" leaves scope queue id 0");
        }
        attached(nodes.toString()).refused(1, "(ENOSPC)");
        next(follower, "refused", "at most " + DEPTH + " nodes");
        attached("fault inject one --effect late --delay 1ms --once --name slow").done();
        next(follower, "fault-spent", "one: the fault slow is spent");
        assertThat(attached("servicing reset one").done().out()).matches("one is back after .* ms: .*mana0.*\n");
        next(follower, "reset", "7870:00:00.0 is reset: it asks to be reset");
        next(follower, "recovered", "7870:00:00.0 is back after ");
        suspension(follower);
    }

    /** All of a function is stopped while packets come and go, and goes on with what was set and counted. */
    private void suspension(Run follower) {
        attached("pktgen start mana0 --to mana1 --rate 10kpps").done();
        attached("servicing suspend one").done();
        next(follower, "suspended", "7870:00:00.0 is suspended after ");
        JsonObject counted = counters();
        assertThat(counted.getJsonNumber("rx_packets").longValue()).isPositive();
        assertThat(attached("devices").done().out()).contains("suspended by hand");
        assertThat(attached("ip link show mana0").done().out()).contains("NO-CARRIER", "mtu 1400");
        attached("ip link set dev mana0 mtu 1500").refused(1, "its function is suspended", "(ENODEV)");
        attached("servicing suspend one").refused(1, "suspended already", "(EBUSY)");
        assertThat(counters()).as("counters while it is suspended").isEqualTo(counted);
        attached("servicing resume one").done();
        next(follower, "resumed", "7870:00:00.0 is resumed after ");
        awaitMore("rx_packets", counted);
        countersGoOn(counted);
        attached("pktgen stop").done();
        assertThat(attached("ip link show mana0; ethtool -l mana0").done().out()).contains("mtu 1400", "UP")
                .containsPattern("Combined:\\s+3\n");
    }

    private void awaitMore(String name, JsonObject before) {
        long giveUp = System.nanoTime() + PATIENCE_NANOS;
        while (counters().getJsonNumber(name).longValue() <= before.getJsonNumber(name).longValue()) {
            assertThat(System.nanoTime()).as("waiting for more %s than in %s", name, before).isLessThan(giveUp);
        }
    }

    private void guest(Run follower, Path socket) throws IOException {
        try (Run guest = up("guest", "borrow: [{name: far, socket: " + socket + "}]\n")) {
            next(follower, "guest-connected", "export two: a virtual machine is connected");
            assertThat(guest.process().isAlive()).isTrue();
        }
        next(follower, "guest-gone", "export two: the virtual machine is gone");
    }

    /** A driver is dropped in and takes the place of the one at work. */
    private void swap(Run follower) throws IOException {
        int before = read;
        attached("pktgen start mana0 --to mana1 --count 1000 --wait").done();
        JsonObject counted = counters();
        DroppedTest.newerDriver(Files.createDirectories(Path.of(home("one"), "drivers")).resolve("newer.jar"));
        next(follower, "driver-arrived", "driver ethernet 1.1.0 has arrived");
        JsonObject swapped = next(follower, "swapped", "7870:00:00.0 went from ethernet 1.0.0");
        assertThat(swapped.getString("sentence")).contains(" to ethernet 1.1.0: gap ", " lost, all buffers home");
        assertThat(swapped.getJsonNumber("gap_ms").doubleValue()).isPositive();
        assertThat(swapped.getInt("frames_lost")).isNotNegative();
        assertThat(swapped.getInt("buffers_out")).isZero();
        countersGoOn(counted);
        // told by the folder, whose thread is another one: before the swap or after it
        read = before;
        next(follower, "bundle-installed", "newer.jar");
    }

    /** What {@code ip -s link} and {@code ethtool -S} show of a device. */
    private JsonObject counters() {
        JsonObject link = array(attached("ip -s link show mana1 --json").done().out()).getJsonObject(0)
                .getJsonObject("stats64");
        JsonObjectBuilder all = Json.createObjectBuilder();
        link.forEach((direction, counters) -> counters.asJsonObject().forEach((name, value) ->
                all.add(direction + "_" + name, value)));
        JsonObject statistics = array(attached("ethtool -S mana1 --json").done().out()).getJsonObject(0);
        for (String name : new String[] {"rx_0_packets", "rx_0_bytes", "tx_0_packets", "hc_rx_ucast_pkts"}) {
            all.add(name, statistics.getJsonNumber(name));
        }
        return all.build();
    }

    /** The newer driver has them where the older one had left them, before a packet has come. */
    private void countersGoOn(JsonObject before) {
        assertThat(before.getJsonNumber("rx_packets").longValue()).isGreaterThanOrEqualTo(1000);
        JsonObject after = counters();
        before.forEach((name, value) -> assertThat(after.getJsonNumber(name).longValue()).as(name)
                .isGreaterThanOrEqualTo(((JsonNumber) value).longValue()));
    }
}
