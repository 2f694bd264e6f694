package io.manafold.guests;

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
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A machine with Linux's driver is measured from our side of the switch; nothing of ours runs in it. */
@Tag("guest")
@Isolated
class QualifyGuestTest {
    private static final String LAB = """
            adapters:
              - {name: vm, queues: 4, macs: ["00:0d:3a:00:00:0a"]}
              - {name: one, queues: 4, macs: ["00:0d:3a:00:00:0b"]}
            links:
              - {name: net, ports: [vm/1, one/1]}
            exports:
              - {adapter: vm, socket: %s/vm.sock}
            devices:
              - {name: mana0, on: one/1, addresses: [10.1.0.2/24]}
            """;

    @TempDir
    Path folder;

    private Map<String, JsonObject> measures(Path file) throws IOException {
        try (JsonReader reader = Json.createReader(new StringReader(Files.readString(file)))) {
            List<JsonObject> all = reader.readObject().getJsonArray("measures").getValuesAs(JsonObject.class);
            assertThat(all).allMatch(one -> one.getString("engine").equals("guest"));
            return all.stream().collect(Collectors.toMap(one -> one.getString("name") + (one.getInt("frame") == 0 ? ""
                    : "-" + one.getInt("frame")), Function.identity()));
        }
    }

    private static double median(Map<String, JsonObject> measures, String key) {
        return measures.get(key).getJsonNumber("median").doubleValue();
    }

    @Test
    void aMachineIsMeasuredFromOutside() throws Exception {
        try (Platform platform = Platform.with(folder, LAB)) {
            // a machine that boots has no address yet
            measure(platform, CompletableFuture.supplyAsync(
                    () -> platform.run("qualify run --guest vm --to 10.1.0.1 --rounds 1"),
                    work -> Thread.ofPlatform().daemon().start(work)));
        }
    }

    private void measure(Platform platform, CompletableFuture<Answer> early) throws IOException {
        try (Guest guest = Guest.named("measured").on(platform.socket("vm")).cpus(2).limit(Kit.times(300, 900))
                .boot()) {
            early.join().refused("10.1.0.1");
            guest.run("begin; modprobe mana && until_true 100 there eth0 && end eth0 1").done();
            Path out = folder.resolve("measured");
            platform.run("qualify run --guest vm --to 10.1.0.1 --sizes 64,1518 --rounds 1 --slice 0.5 --pings 50 "
                    + "--servicing vm --out " + out).done();
            Map<String, JsonObject> measures = measures(folder.resolve("measured.json"));
            assertThat(median(measures, "full-64")).isPositive();
            assertThat(median(measures, "full-1518")).isPositive();
            assertThat(median(measures, "ping-idle-p50")).isBetween(1e-6, 1.0);
            assertThat(measures).containsKey("ping-load-p50");
            assertThat(median(measures, "servicing-gap")).as("the driver rests in a reset").isBetween(0.001, 120.0);
            assertThat(guest.run("ping -c 1 -W 5 10.1.0.2").done().output()).contains("1 received");
            assertThat(guest.run("cat /proc/sys/kernel/tainted").output().trim()).as("taint").isEqualTo("0");
        }
    }
}
