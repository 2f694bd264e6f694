package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What the unmodified driver makes of completions of up to eight frames and of interrupts that are held back: one of
 * Linux 7.3 or later uses both, on firmware that has them; an older one never hears of either.
 */
@Tag("guest")
@Isolated
class ModeratedGuestTest {
    private static final String LAB = """
            adapters:
              - {name: one, ports: 2, queues: 4}
              - {name: before, firmware: 2026-06}
            links:
              - {name: net, ports: [one/1, one/2, before/1]}
            exports:
              - {adapter: one, socket: %s/one.sock}
              - {adapter: before, socket: %s/before.sock}
            """;
    private static final String EIGHT = "rx_\\d+_coalesced_cqe_8";

    @TempDir
    Path folder;

    private Platform platform;
    private Guest guest;

    @Test
    void theDriverUsesWhatBothKnow() {
        try (Platform started = Platform.with(folder, LAB);
                Guest booted = Guest.named("moderated").on(started.socket("one")).on(started.socket("before")).cpus(2)
                        .boot()) {
            platform = started;
            guest = booted;
            guest.run("begin; modprobe mana && two_ends && until_true 100 there eth2").done();
            String[] release = guest.run("uname -r").done().output().strip().split("\\.");
            boolean knows = Integer.parseInt(release[0]) * 100 + Integer.parseInt(release[1]) >= 703;
            guest.run("ip link set eth2 up").done();
            if (knows) {
                olderFirmwareOffersNeither();
                completionsTellOfEight();
                interruptsAreHeldBack();
            } else {
                guest.run("ethtool -C eth0 rx-cqe-frames 8").refused("must be 1 or 4");
                guest.run("ethtool -C eth0 rx-usecs 50").refused("unsupported parameter");
            }
            guest.run("ping -c 3 -i 0.02 10.1.0.2 && ping -c 3 -i 0.02 fd01::2").done();
            assertThat(guest.complaints()).isEmpty();
            new Adapters(platform).refusedNothing("one");
            new Adapters(platform).refusedNothing("before");
            assertThat(guest.leave(0)).isZero();
        }
    }

    private void olderFirmwareOffersNeither() {
        guest.run("ethtool -C eth2 rx-cqe-frames 8").refused("must be 1 or 4,");
        guest.run("ethtool -C eth2 rx-usecs 50").refused("not supported");
        assertThat(guest.run("ethtool -c eth2").done().output()).contains("Adaptive RX: off  TX: off");
    }

    private void completionsTellOfEight() {
        guest.run("far iperf3 -s -D; until_true 50 iperf3 -c 10.1.0.2 -n 64K").done();
        guest.run("far ethtool -C eth1 rx-cqe-frames 4 && iperf3 -c 10.1.0.2 -n 8M").done();
        assertThat(sum(counters(), EIGHT)).isZero();
        guest.run("ethtool -C eth0 rx-cqe-frames 5").refused("must be 1 or 4 or 8");
        guest.run("far ethtool -C eth1 rx-cqe-frames 8 && iperf3 -c 10.1.0.2 -n 8M").done();
        assertThat(guest.run("far ethtool -c eth1").done().find("rx-cqe-frames:\\s+(\\d+)")).isEqualTo("8");
        Map<String, Long> counters = counters();
        assertThat(sum(counters, EIGHT)).as("completions of eight frames").isPositive();
        assertThat(sum(counters, "rx_\\d+_pkt_len0_err|rx_cqe_unknown_type")).isZero();
        // what the adapter has told is what the driver was told
        for (int frames = 2; frames <= 8; frames++) {
            String name = "coalesced_cqe_" + frames;
            assertThat(sum(counters, "rx_\\d+_" + name)).as(name).isEqualTo(told(2, "rx_" + name));
        }
        guest.run("far ethtool -C eth1 rx-cqe-frames 1 && iperf3 -c 10.1.0.2 -n 1M").done();
        assertThat(sum(counters(), EIGHT)).as("after it was taken back").isEqualTo(sum(counters, EIGHT));
    }

    private void interruptsAreHeldBack() {
        assertThat(guest.run("ethtool -c eth0").done().output()).contains("Adaptive RX: on  TX: on");
        guest.run("ethtool -C eth0 adaptive-rx off adaptive-tx off rx-usecs 100 rx-frames 16 tx-usecs 50").done();
        JsonObject queue = queue(1);
        assertThat(queue.getInt("rx_usecs")).isEqualTo(100);
        assertThat(queue.getInt("rx_frames")).isEqualTo(16);
        assertThat(queue.getInt("tx_usecs")).isEqualTo(50);
        guest.run("ethtool -C eth0 rx-usecs 1024").refused("must be <= 1023");
        // an emulated machine hears of little at once: only a long wait meets events that follow each other
        long before = held();
        guest.run("ethtool -C eth0 rx-usecs 1000 rx-frames 255 tx-usecs 1000 && iperf3 -c 10.1.0.2 -n 8M").done();
        assertThat(held()).as("events held back").isGreaterThan(before);
        guest.run("ethtool -C eth0 adaptive-rx on adaptive-tx on && iperf3 -c 10.1.0.2 -n 8M").done();
        assertThat(queue(1).getInt("rx_usecs")).as("as the driver chooses").isLessThan(1000);
    }

    private long held() {
        return told(1, "rx_events_held") + told(1, "tx_events_held");
    }

    private Map<String, Long> counters() {
        return guest.run("far ethtool -S eth1").done().counters();
    }

    private static long sum(Map<String, Long> counters, String pattern) {
        Predicate<String> wanted = name -> name.matches(pattern);
        return counters.entrySet().stream().filter(one -> wanted.test(one.getKey())).mapToLong(Map.Entry::getValue)
                .sum();
    }

    private JsonObject port(int number) {
        return platform.run("adapter stats one --json").done().json().asJsonArray().getJsonObject(number - 1);
    }

    private JsonObject queue(int port) {
        return port(port).getJsonArray("queues").getJsonObject(0);
    }

    /** The sum over the queues of a port. */
    private long told(int port, String counter) {
        return port(port).getJsonArray("queues").getValuesAs(JsonObject.class).stream()
                .mapToLong(queue -> queue.getJsonNumber(counter).longValue()).sum();
    }
}
