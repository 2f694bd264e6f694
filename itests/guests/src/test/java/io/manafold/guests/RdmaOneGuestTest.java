package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One machine whose processes use RDMA: what they may do with memory, what there is not, and a driver that comes and
 * goes.
 */
@Tag("guest")
class RdmaOneGuestTest {
    private static final String LAB = """
            adapters:
              - {name: one, ports: 2, queues: 2, macs: ["00:0d:3a:00:00:0a", "00:0d:3a:00:00:1b"]}
            links:
              - {name: net, ports: [one/1, one/2]}
            exports:
              - {adapter: one, socket: %s/one.sock}
            """;
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String PINGPONG = "ibv_rc_pingpong -c -d mana_0 -g 1 -s 5001 -n " + Kit.times(20, 2000);

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest guest;

    @BeforeAll
    static void boot() {
        platform = Platform.with(folder, LAB);
        adapters = new Adapters(platform);
        guest = Guest.named("rdma-one").on(platform.socket("one")).memory(2048).with(Kit.verbsProgram("verbs-tenant"))
                .limit(Kit.times(900, 3600)).boot();
        guest.run("begin; rdma_at 1").done();
    }

    @AfterAll
    static void end() {
        if (guest != null) {
            guest.close();
        }
        if (platform != null) {
            platform.close();
        }
    }

    @AfterEach
    void nobodyComplains() {
        assertThat(guest.complaints()).as("complaints of the guest's kernel").isEmpty();
        assertThat(platform.complained()).isEmpty();
        assertThat(adapters.usage("one")).as("what processes had is gone with them").containsEntry("queue_pairs", 1L)
                .containsEntry("rdma_completion_queues", 1L);
    }

    private static Map<String, String> tried(String what) {
        return guest.run("timeout 240 verbs-tenant " + what, LONG).done().results();
    }

    private static Map<String, String> only(Map<String, String> results, Predicate<String> names) {
        return results.entrySet().stream().filter(entry -> names.test(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, TreeMap::new));
    }

    /** Each try has a connection of its own; memory is looked at after the answer. */
    @Test
    void memoryIsReachedWithItsKeyAlone() {
        platform.run("adapter show one --errors --forget").done();
        Map<String, String> results = tried("keys");
        assertThat(results).hasSize(13 * 2 + 7);
        List<Map<String, String>> told = adapters.refused("one");
        assertThat(told).as("what the adapter says about requests that failed").isNotEmpty().allSatisfy(one -> {
            assertThat(one.get("where")).matches("one/\\d queue pair .* PSN \\d+.*");
            assertThat(one.get("rule")).isNotBlank();
            assertThat(one.get("right")).isNotBlank();
        }).anySatisfy(one -> assertThat(one.get("where"))
                .matches(".* \\d+ bytes at 0x\\p{XDigit}+ with key 0x\\p{XDigit}+.*"));
        assertThat(told).anySatisfy(one -> assertThat(one.get("consequence")).contains("completed with error 0x"));
        Predicate<String> allowed = name -> name.endsWith("-right-key") || name.endsWith("-to-the-end");
        Predicate<String> remote = name -> !name.startsWith("message");
        assertThat(only(results, allowed)).hasSize(4)
                .allSatisfy((name, result) -> assertThat(result).as(name).isEqualTo("success, changed"));
        assertThat(only(results, remote.and(allowed.negate()))).hasSize(22)
                .allSatisfy((name, result) -> assertThat(result).as(name).isEqualTo("remote access error, unchanged"));
        assertThat(results).containsEntry("message", "success, success, changed");
        assertThat(only(results, name -> name.startsWith("message-from-"))).hasSize(3)
                .allSatisfy((name, result) -> assertThat(result).as(name)
                        .isEqualTo("local protection error, unchanged"));
        assertThat(only(results, name -> name.startsWith("message-into-"))).hasSize(3).allSatisfy((name, result) ->
                assertThat(result).as(name)
                        .matches("remote operation error, local (protection|access) error, unchanged"));
    }

    @Test
    void whatTheDeviceHasNotIsRefused() {
        Map<String, String> results = tried("kinds");
        assertThat(results).containsOnlyKeys("datagrams", "unreliable-connection", "raw-packets", "shared-receives",
                "device-memory", "resized-completions", "fetch-and-add", "compare-and-swap", "inline");
        assertThat(results).doesNotContainValue("made").containsEntry("inline", "local protection error, unchanged");
        assertThat(only(results, name -> name.contains("-and-")).values())
                .allSatisfy(result -> assertThat(result).endsWith(", unchanged").doesNotStartWith("success"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ibv_ud_pingpong -d mana_0 -g 1", "ibv_uc_pingpong -d mana_0 -g 1",
            "ibv_srq_pingpong -d mana_0 -g 1",
        "ib_send_bw -d mana_0 -x 1 -F -c UD", "ib_write_bw -d mana_0 -x 1 -F -c UC", "ib_atomic_bw -d mana_0 -x 1 -F"})
    void programsForWhatTheDeviceHasNotEndWithAMessage(String program) {
        Answer answer = guest.run("(timeout 100 " + program + " >/dev/null 2>&1 </dev/null &); sleep 0.5; timeout 100 "
                + program + " 10.1.0.1");
        assertThat(answer.status()).as(answer.output()).isBetween(1, 123);
        assertThat(answer.output()).isNotEmpty();
        guest.run("kill $(pidof " + program.split(" ")[0] + ") 2>/dev/null; until_true 100 ended "
                + program.split(" ")[0]).done();
    }

    @Test
    void aGibibyteIsRegistered() {
        Map<String, String> results = tried("large 1024");
        assertThat(results).hasSize(4).allSatisfy((name, result) -> assertThat(result).isEqualTo("success, there"));
    }

    @Test
    void theDriverComesAndGoes() {
        Peers processes = new Peers(guest, guest);
        for (int i = 0; i < Kit.times(2, 20); i++) {
            guest.run("rmmod mana_ib && ! ls /sys/class/infiniband/mana_0").done();
            assertThat(adapters.usage("one")).containsEntry("queue_pairs", 0L).containsEntry("rdma_completion_queues",
                    0L).containsEntry("gids", 0L);
            guest.run("modprobe mana_ib && until_true 300 rdma_is_up").done();
            processes.run(PINGPONG, PINGPONG + " 10.1.0.1");
            guest.run("rmmod mana_ib mana && until_true 100 gone eth0 && rdma_at 1").done();
            processes.run(PINGPONG, PINGPONG + " 10.1.0.1");
        }
    }

    /** The hardware takes RDMA away for a while; Ethernet goes on. */
    @Test
    void rdmaIsSuspendedUnderEthernetTraffic() {
        platform.run("adapter show one --errors --forget").done();
        guest.run("two_ends && far iperf3 -s -D", LONG).done();
        guest.run("iperf3 -c 10.1.0.2 -t 3600 >/tmp/stream.log 2>&1 & keeps_sending eth0 500", LONG).done();
        long undelivered = undelivered();
        for (int i = 0; i < Kit.times(2, 20); i++) {
            platform.run("servicing suspend one --part rdma").done();
            guest.run("without() { ! ls /sys/class/infiniband/mana_0; }; until_true 300 without", LONG).done();
            assertThat(adapters.usage("one")).containsEntry("queue_pairs", 0L).containsEntry("gids", 0L);
            guest.run("keeps_sending eth0 500", LONG).done();
            platform.run("servicing resume one --part rdma").done();
            comesUp();
            guest.run("keeps_sending eth0 500", LONG).done();
        }
        assertThat(undelivered()).as("frames that did not arrive").isEqualTo(undelivered);
        guest.run("kill $(pidof iperf3) && until_true 300 ended iperf3").done();
        new Peers(guest, guest).run(PINGPONG, PINGPONG + " 10.1.0.1");
    }

    /**
     * Linux puts an event queue on the list of its vector before it has set where the queue begins. An interrupt of
     * Ethernet, which shares the vector, makes it consume five events in between that no device has written, and ring a
     * doorbell for a queue that has no number; it never finds the queue's first event then, gives up after 30 s, and is
     * loaded once more.
     */
    private static void comesUp() {
        for (int i = 0; i < 5 && guest.run("until_true 600 rdma_is_up", LONG).status() != 0; i++) {
            assertThat(adapters.refused("one")).as("refused while event queues are made").isNotEmpty()
                    .allSatisfy(one -> assertThat(one).containsEntry("where", "doorbell").containsEntry("bytes",
                            "ffff000005000080"));
            platform.run("adapter show one --errors --forget").done();
            guest.run("begin; rmmod mana_ib; modprobe mana_ib", LONG).done();
        }
        guest.run("rdma_is_up").done();
    }

    private static long undelivered() {
        JsonObject counters = platform.one("link show net --json", "net").getJsonObject("counters");
        return Stream.of("undelivered", "lost", "overflow", "vanished").mapToLong(counters::getInt).sum();
    }
}
