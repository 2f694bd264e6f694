package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.Counter;
import io.manafold.api.net.ReceiveHook;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One driver takes the function after another, and what is counted goes on. */
@Timeout(300)
class CountersGoOnTest {
    private static final int FRAMES = 40;

    private final Bench bench = new Bench();

    @AfterEach
    void close() {
        bench.close();
    }

    private void exchange() {
        Station left = new Station(bench.left());
        Station right = new Station(bench.right());
        for (int i = 0; i < FRAMES; i++) {
            byte[] there = left.frame(bench.right(), i, 100);
            left.send(there);
            assertThat(right.next().bytes()).isEqualTo(there);
        }
        left.close();
        right.close();
    }

    private static Map<String, Long> counters(Iterable<Counter> all) {
        Map<String, Long> counters = new TreeMap<>();
        all.forEach(one -> counters.put(one.name(), one.value()));
        return counters;
    }

    @Test
    void theNextDriverCountsOn() {
        exchange();
        Map<String, Long> sent = bench.left().totals();
        Map<String, Long> received = bench.right().totals();
        Map<String, Long> before = counters(bench.right().statistics());
        assertThat(sent).containsEntry("tx_packets", (long) FRAMES).containsEntry("tx_bytes", FRAMES * 100L);
        assertThat(received).containsEntry("rx_packets", (long) FRAMES);
        bench.left().setHook((_, _) -> ReceiveHook.Verdict.PASS);
        bench.right().setHook((_, _) -> ReceiveHook.Verdict.PASS);
        bench.right().setHook(null);
        bench.remove();
        assertThat(bench.told).filteredOn(one -> one.contains("receive hook")).singleElement().asString()
                .startsWith("SETTING_CHANGED mana0 has no receive hook any more: that of " + getClass().getName())
                .endsWith(" has gone with the driver, and is to be set again at the device that comes");
        bench.begin();
        assertThat(bench.left().totals()).isEqualTo(sent);
        assertThat(bench.right().totals()).isEqualTo(received);
        bench.right().setUp(true);
        counters(bench.right().statistics()).forEach((name, value) -> assertThat(value).as(name)
                .isGreaterThanOrEqualTo(before.get(name)));
        exchange();
        assertThat(bench.left().totals()).containsEntry("tx_packets", 2L * FRAMES);
        assertThat(bench.right().totals()).containsEntry("rx_packets", 2L * FRAMES);
    }

    @Test
    void aDriverThatNeverComesToItsEndHasCountedForTheNext() {
        exchange();
        Bench.await("its watchdog has kept them", () -> bench.counters
                .read(bench.adapter.function(), "port 1").getOrDefault("tx_packets", new long[1])[0] == FRAMES);
    }
}
