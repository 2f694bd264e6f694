package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Device;
import io.manafold.api.device.KeptCounters;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CounterStoreTest {
    private final KeptCounters store = new CounterStore();
    private final Device device = device();

    private static Device device() {
        return new AuxiliaryDevice() {
            @Override
            public String name() {
                return "mana.eth";
            }

            @Override
            public int number() {
                return 0;
            }

            @Override
            public String parent() {
                return "7870:00:00.0";
            }

            @Override
            public <T> T lend(Class<T> type) {
                throw new UnsupportedOperationException(type.getName());
            }
        };
    }

    @Test
    void whatWasKeptIsThereForTheNextDriver() {
        assertThat(store.read(device, "port 1")).isEmpty();
        long[] packets = {5, 7};
        store.keep(device, "port 1", Map.of("rx_packets", packets));
        packets[0] = 99;
        assertThat(store.read(device, "port 1").get("rx_packets")).containsExactly(5, 7);
        assertThat(store.read(device, "port 2")).isEmpty();
    }

    @Test
    void noCounterGoesBackWhoeverKeepsIt() {
        store.keep(device, "port 1", Map.of("rx_packets", new long[] {5, 7}, "of_a_newer_version", new long[] {3}));
        store.keep(device, "port 1", Map.of("rx_packets", new long[] {4, 8, 1}));
        assertThat(store.read(device, "port 1").get("rx_packets")).containsExactly(5, 8, 1);
        assertThat(store.read(device, "port 1").get("of_a_newer_version")).containsExactly(3);
    }

    @Test
    void anotherDeviceAtTheSamePlaceBeginsAnew() {
        store.keep(device, "port 1", Map.of("rx_packets", new long[] {5}));
        assertThat(store.read(device(), "port 1")).isEmpty();
    }

    @Test
    void thereIsAnEndToWhatIsKept() {
        Map<String, long[]> many = new HashMap<>();
        for (int i = 0; i <= KeptCounters.MOST_COUNTERS; i++) {
            many.put("counter_" + i, new long[1]);
        }
        refused("port 1", many);
        refused("port 1", Map.of("rx_packets", new long[KeptCounters.MOST_VALUES + 1]));
        assertThat(store.read(device, "port 1")).isEmpty();
        for (int i = 0; i < KeptCounters.MOST_SUBJECTS; i++) {
            store.keep(device, "port " + i, Map.of("rx_packets", new long[] {i}));
        }
        refused("one more", Map.of("rx_packets", new long[] {1}));
        store.keep(device, "port 1", Map.of("rx_packets", new long[] {100}));
        assertThat(store.read(device, "port 1").get("rx_packets")).containsExactly(100);
    }

    private void refused(String subject, Map<String, long[]> counters) {
        assertThatThrownBy(() -> store.keep(device, subject, counters)).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
    }
}
