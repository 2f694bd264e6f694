package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Receive hooks of bundles that are dropped: one that is good, and one that fails and leaves its hook behind. */
@Timeout(600)
class HookTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PACKETS = 100;
    private static final String EXAMPLE = "io.manafold.example.hook";
    private static final String LAB = """
            adapters:
              - name: middle
                ports: 2
              - name: near
              - name: far
            links:
              - name: front
                kind: direct
                ports: [middle/1, near/1]
              - name: back
                kind: direct
                ports: [middle/2, far/1]
            devices:
              - name: mana0
                on: middle/1
              - name: mana1
                on: middle/2
              - name: mana2
                on: near/1
              - name: mana3
                on: far/1
            """;

    @TempDir
    Path folder;

    private Path drivers;

    private Run start(String jar) throws IOException {
        Files.createDirectory(folder.resolve("home"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        drivers = Files.createDirectory(folder.resolve("home/drivers"));
        Run run = Run.jar(jar, Files.createDirectories(folder.resolve("run")), "--headless", "--data",
                folder.resolve("home").toString(), "--lab",
                Files.writeString(folder.resolve("hooks.yaml"), LAB).toString()).start();
        run.awaitOut("ready\n");
        return run;
    }

    private String attached(String line) {
        return Run.manafold("attach", "--data", folder.resolve("home").toString(), "-c", line).end().done().out();
    }

    private JsonObject json(String line) {
        try (JsonReader reader = Json.createReader(new StringReader(attached(line + " --json")))) {
            return reader.readObject();
        }
    }

    private void awaitSaid(String line, String... words) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        String said = attached(line);
        while (!List.of(words).stream().allMatch(said::contains)) {
            assertThat(System.nanoTime()).as("'%s' says %s", line, said).isLessThan(deadline);
            LockSupport.parkNanos(300_000_000);
            said = attached(line);
        }
    }

    private void awaitHook(String bundle) {
        awaitSaid("hook list --json --compact", "\"ifname\":\"mana0\",\"hook\":" + bundle);
    }

    private void drop(String name) throws IOException {
        Path built;
        try (var files = Files.newDirectoryStream(Run.TOP.resolve("itests").resolve(EXAMPLE).resolve("target"),
                EXAMPLE + "-*T.jar")) {
            built = files.iterator().next();
        }
        Path part = Files.copy(built, drivers.resolve(name + ".part"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(part, drivers.resolve(name));
    }

    /** Sends packets of UDP for a port of the device with the hook; how many of them got past it. */
    private int send(int port) {
        JsonObject report = json("pktgen start mana2 --to mana0 --udp --flows 8 --rate 10kpps --wait --count " + PACKETS
                + " --port " + port);
        assertThat(report.getInt("port")).isEqualTo(port);
        assertThat(report.getInt("sent")).isEqualTo(PACKETS);
        assertThat(report.getInt("received") + report.getInt("lost")).isEqualTo(PACKETS);
        return report.getInt("received");
    }

    private void assertCounts(JsonObject hook, int passed, int dropped, int answered, int redirected, int aborted) {
        assertThat(List.of(hook.getInt("dropped"), hook.getInt("answered"), hook.getInt("redirected"),
                hook.getInt("aborted"))).as("%s", hook).containsExactly(dropped, answered, redirected, aborted);
        // a host sends a few packets of its own
        assertThat(hook.getInt("passed")).isBetween(passed, passed + 50);
        for (String[] each : new String[][] {{"dropped", "xdp_drop"}, {"answered", "xdp_tx"},
            {"redirected", "xdp_redirect"}}) {
            assertThat(hook.getJsonArray("queues").getValuesAs(JsonObject.class).stream()
                    .mapToInt(queue -> queue.getInt(each[1])).sum()).isEqualTo(hook.getInt(each[0]));
        }
    }

    private long counted(String device, String ending) {
        return attached("ethtool -S " + device).lines().map(String::strip)
                .filter(line -> line.replaceFirst(":.*", "").endsWith(ending))
                .mapToLong(line -> Long.parseLong(line.replaceFirst(".*: *", ""))).sum();
    }

    @ParameterizedTest
    @MethodSource(Jars.EQUINOX)
    void theExampleDropsAnswersAndRedirects(String jar) throws IOException {
        try (Run run = start(jar)) {
            drop("hook.jar");
            awaitHook("\"" + EXAMPLE + ".internal.PortHook\",\"bundle\":\"" + EXAMPLE + " 1.0.0");
            assertThat(send(9)).isZero();
            assertThat(send(7)).isZero();
            assertThat(send(5000)).isZero();
            assertThat(send(1234)).isEqualTo(PACKETS);
            assertCounts(json("hook show mana0"), PACKETS, PACKETS, PACKETS, PACKETS, 0);
            assertThat(counted("mana0", "_xdp_drop")).isEqualTo(PACKETS);
            assertThat(counted("mana1", "_xdp_xmit")).as("left for mana1 and sent there").isEqualTo(PACKETS);

            attached("pktgen start mana2 --to mana0 --udp --port 7 --rate 1kpps");
            assertThat(attached("tcpdump -i mana2 -n -c 20")).containsPattern("198\\.19\\.\\d+\\.\\d+\\.7 > "
                    + "198\\.18\\.\\d+\\.\\d+\\.10000: UDP");
            attached("pktgen stop");

            attached("pktgen start mana2 --to mana0 --udp --port 1234 --rate 5kpps");
            attached("pktgen start mana3 --to mana1 --udp --rate 5kpps");
            Files.delete(drivers.resolve("hook.jar"));
            awaitHook("null");
            drop("hook.jar");
            awaitHook("\"" + EXAMPLE);
            Files.delete(drivers.resolve("hook.jar"));
            awaitHook("null");
            assertNothingLost();
            assertThat(send(9)).isEqualTo(PACKETS);
        }
    }

    private void assertNothingLost() {
        String said = attached("pktgen stop --json");
        assertThat(said.replaceAll("\\s", "")).contains("\"lost\":0").doesNotContainPattern("\"lost\":[1-9]")
                .doesNotContain("\"received\":0");
    }

    @ParameterizedTest
    @MethodSource(Jars.FELIX)
    void aHookThatFailsCostsItsOwnPacketsAndGoesWithItsBundle(String jar) throws IOException {
        try (Run run = start(jar)) {
            ActivatorJar.make(drivers.resolve("bad.jar"), "failing", """
                    for (var one : context.getServiceReferences(io.manafold.api.net.NetDevice.class, "(name=mana0)")) {
                        context.getService(one).setHook((packet, elsewhere) -> {
                            if (packet.length() > 38 && packet.get16(36) == 9) {
                                throw new AssertionError("on purpose");
                            }
                            return io.manafold.api.net.ReceiveHook.Verdict.PASS;
                        });
                    }
                    """, "", List.of("io.manafold.api.net", "io.manafold.api.device", "io.manafold.api.refusal"));
            awaitHook("\"hostile.Activator\",\"bundle\":\"failing 0.0.0\"");
            attached("pktgen start mana2 --to mana0 --udp --port 1234 --rate 5kpps");
            attached("pktgen start mana3 --to mana1 --udp --rate 5kpps");
            JsonObject report = json("pktgen start mana2 --to mana0 --udp --wait --count " + PACKETS);
            assertThat(report.getInt("received")).isZero();
            assertNothingLost();
            JsonObject hook = json("hook show mana0");
            assertThat(hook.getInt("aborted")).isEqualTo(PACKETS);
            assertThat(hook.getInt("dropped")).isEqualTo(PACKETS);
            assertThat(attached("log --last 100")).contains("mana0: the receive hook failed");

            // a device has one: the next is refused, and the first goes on
            drop("hook.jar");
            awaitSaid("log --last 100", "mana0 has a receive hook already, of failing 0.0.0");
            awaitHook("\"hostile.Activator\"");

            // its activator does not take it away
            Files.delete(drivers.resolve("bad.jar"));
            awaitHook("null");
            awaitSaid("events --json", "mana0 has no receive hook any more: failing has stopped");
            assertThat(send(9)).isEqualTo(PACKETS);
        }
    }
}
