package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reports on the devices of the default lab: what is in them, that a bad link is found, and what Ctrl-C leaves. */
@Timeout(300)
class QualifyTest {
    private static final String RUN = "qualify run --quick --sizes 1518,9018 --slice 0.06 --rounds 2 --pings 300 "
            + "--out ";

    @TempDir
    Path folder;

    private static JsonObject read(String text) {
        try (JsonReader reader = Json.createReader(new StringReader(text))) {
            return reader.readObject();
        }
    }

    private Map<String, JsonObject> measures(String name) throws IOException {
        return read(Files.readString(folder.resolve(name + ".json"))).getJsonArray("measures")
                .getValuesAs(JsonObject.class).stream().collect(Collectors.toMap(one -> one.getString("name")
                + (one.getInt("frame") == 0 ? "" : "-" + one.getInt("frame")), Function.identity()));
    }

    private static double median(Map<String, JsonObject> measures, String key) {
        return measures.get(key).getJsonNumber("median").doubleValue();
    }

    @Test
    void aLinkThatLosesIsNamed() throws Exception {
        String compare = "qualify compare " + folder.resolve("good.json") + " " + folder.resolve("bad.json");
        Run.Ended ended = Run.manafold("-c", RUN + folder.resolve("good") + " --servicing one; "
                + "link impair net --loss 1% --seed 7; " + RUN + folder.resolve("bad") + "; " + compare).end();
        assertThat(ended.status()).as(ended.err()).isEqualTo(1);
        assertThat(ended.err()).containsOnlyOnce("Worse beyond the noise").containsPattern("noise: .*ping-idle-lost");

        Map<String, JsonObject> good = measures("good");
        assertThat(good.keySet()).contains("rate-1518", "full-1518", "lost-1518", "stream", "ping-idle-p50",
                "ping-idle-p99.9", "ping-load-p99", "udp-idle-p50", "udp-load-lost", "servicing-gap")
                .doesNotContain("rate-9018");
        assertThat(good.values()).allSatisfy(one -> assertThat(one.getJsonArray("slices")).hasSize(2));
        JsonObject report = read(Files.readString(folder.resolve("good.json")));
        assertThat(report.getBoolean("finished")).isTrue();
        assertThat(report.getJsonArray("left_out").getJsonObject(0).getString("reason"))
                .contains("needs an MTU of 9000");
        assertThat(median(good, "full-1518")).isPositive();
        assertThat(median(good, "servicing-gap")).isBetween(1e-6, 60.0);
        assertThat(Files.readString(folder.resolve("good.html"))).contains("200 Gbit/s need", "</html>");

        // whatever the machine does meanwhile: one of a hundred packets is lost on such a link
        Map<String, JsonObject> bad = measures("bad");
        assertThat(median(bad, "rate-1518")).isLessThan(median(bad, "full-1518") / 2);
        assertThat(median(bad, "ping-idle-lost")).isBetween(0.5, 50.0);
        assertThat(median(bad, "udp-idle-lost")).isBetween(0.5, 50.0);

        aRunThatIsLimitedIsNamed();
        aSecondRunIsTheSameAndOneThatLosesIsNot(good);
    }

    /** By what is lost, which no other work on the machine changes; it does change the speeds of short runs. */
    private void aSecondRunIsTheSameAndOneThatLosesIsNot(Map<String, JsonObject> good) throws IOException {
        Run.Ended again = Run.manafold("-c", RUN + folder.resolve("again") + " --servicing one; qualify compare "
                + folder.resolve("good.json") + " " + folder.resolve("again.json")).end();
        assertThat(again.status()).as(again.err()).isIn(0, 1);
        assertThat(again.out()).containsPattern("ping-idle-lost .* same").containsPattern("udp-idle-lost .* same")
                .containsPattern("rate-1518 .* (same|better|WORSE)");
        assertThat(Files.readString(folder.resolve("again.json"))).isNotEqualTo(
                Files.readString(folder.resolve("good.json")));

        // however busy the machine is: of five packets one is lost
        Run.Ended worse = Run.manafold("-c", "link impair net --loss 20% --seed 7; " + RUN + folder.resolve("worse")
                + "; qualify compare " + folder.resolve("good.json") + " " + folder.resolve("worse.json")).end();
        assertThat(worse.status()).as(worse.err()).isEqualTo(1);
        assertThat(worse.err()).containsPattern("Worse beyond the noise: .*ping-idle-lost");
        assertThat(worse.out()).containsPattern("ping-idle-lost .* WORSE");
    }

    /** Far below what the busiest machine sends, and, at last, below what can be measured at all. */
    private void aRunThatIsLimitedIsNamed() throws IOException {
        String limit = "netshaper set dev mana0 handle scope netdev bw-max ";
        Run.Ended slow = Run.manafold("-c", limit + "10mbit; " + RUN + folder.resolve("slow") + "; qualify compare "
                + folder.resolve("good.json") + " " + folder.resolve("slow.json")).end();
        assertThat(slow.status()).as(slow.err()).isEqualTo(1);
        assertThat(slow.err()).containsPattern("Worse beyond the noise: rate-1518, full-1518");
        assertThat(slow.out()).containsPattern("full-1518 .* WORSE");
        // 10 Mbit/s are 813 such frames in a second; a burst's worth goes beside
        assertThat(median(measures("slow"), "full-1518")).isBetween(1.0, 8130.0);

        Run.Ended still = Run.manafold("-c", limit + "1kbit; " + RUN + folder.resolve("still") + "; qualify compare "
                + folder.resolve("good.json") + " " + folder.resolve("still.json")).end();
        assertThat(still.status()).as(still.err()).isEqualTo(1);
        assertThat(still.err()).containsPattern("Worse beyond the noise: rate-1518, .*ping-idle-p50");
        assertThat(still.out()).containsPattern("left out in the second: rate-1518: Nothing was sent .*netshaper dump");
    }

    @Test
    void portsInPollModeAreMeasuredWithEachBurstAndQueue() throws Exception {
        Run.Ended up = Run.manafold("--lab", "dpdk", "-c", "qualify run --engine pmd --from mana0").end();
        assertThat(up.status()).isEqualTo(1);
        assertThat(up.err()).contains("ip link set mana0 down", "ENODEV");
        Run.manafold("--lab", "dpdk", "-c", "ip link set mana0 down; ip link set mana1 down; qualify run --engine pmd "
                + "--sizes 64,1518,9018 --bursts 1,32 --queues 1,2 --rounds 1 --slice 0.1 --servicing a --out "
                + folder.resolve("polled") + "; qualify compare " + folder.resolve("polled.json") + " "
                + folder.resolve("polled.json") + "; ip link set mana0 up").end().done();
        JsonObject report = read(Files.readString(folder.resolve("polled.json")));
        List<JsonObject> measures = report.getJsonArray("measures").getValuesAs(JsonObject.class);
        assertThat(measures).allMatch(one -> one.getString("engine").equals("pmd"));
        assertThat(measures.stream().filter(one -> one.getString("name").equals("full"))).hasSize(8)
                .allMatch(one -> one.getJsonNumber("median").doubleValue() > 0);
        assertThat(measures.stream().filter(one -> one.getString("name").equals("full"))
                .map(one -> one.getInt("burst") + " " + one.getInt("queues")).distinct())
                .containsExactly("1 1", "32 1", "1 2", "32 2");
        assertThat(measures.stream().filter(one -> one.getString("name").equals("allocated"))).hasSize(4)
                .allMatch(one -> one.getJsonNumber("median").doubleValue() < 1);
        assertThat(measures.stream().filter(one -> one.getString("name").equals("servicing-gap"))).hasSize(1)
                .allMatch(one -> one.getJsonNumber("median").doubleValue() > 1e-6);
        assertThat(report.getJsonArray("left_out").getJsonObject(0).getString("what")).isEqualTo("rate-9018");
    }

    @Test
    void endedEarlyItLeavesWhatThereIs() throws Exception {
        Path file = folder.resolve("mine.json");
        try (Run run = Run.manafold("-c", "qualify run --sizes 64 --slice 0.02 --rounds 100 --pings 10 --out "
                + folder.resolve("mine")).start()) {
            run.awaitErr("round 3 of 100: rate-64");
            Run.of("kill", "-INT", String.valueOf(run.pid())).end().done();
            assertThat(run.ended().status()).isNotZero();
        }
        JsonObject report = read(Files.readString(file));
        assertThat(report.getBoolean("finished")).isFalse();
        assertThat(report.getJsonArray("measures").getJsonObject(0).getJsonArray("slices").size()).isBetween(1, 99);
        assertThat(Files.readString(folder.resolve("mine.html"))).contains("Unfinished");
        assertThat(List.of(Run.manafold("-c", "qualify show " + file).end().done().out().split("\n")).getFirst())
                .endsWith(", unfinished");
    }
}
