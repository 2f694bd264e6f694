package io.manafold.rdma.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.MacAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {
    private final Names names = new Names();

    private record Named(String name) implements Port {
        @Override
        public MacAddress mac() {
            return MacAddress.parse("00:0d:3a:00:00:01");
        }

        @Override
        public boolean isActive() {
            return true;
        }

        @Override
        public int mtu() {
            return 1500;
        }

        @Override
        public long speed() {
            return 0;
        }
    }

    private String take(String prefix, String port) {
        return names.take(prefix, List.of(new Named(port)));
    }

    @Test
    void aDeviceHasTheNumberOfItsNetworkDeviceWhicheverComesFirst() {
        assertThat(take("mana_", "mana1")).isEqualTo("mana_1");
        assertThat(take("manae_", "mana1")).isEqualTo("manae_1");
        assertThat(take("mana_", "mana0")).isEqualTo("mana_0");
    }

    @Test
    void otherwiseTheFirstFreeOne() {
        assertThat(take("mana_", "mana0")).isEqualTo("mana_0");
        assertThat(take("mana_", "uplink")).isEqualTo("mana_1");
        assertThat(take("mana_", "mana1")).isEqualTo("mana_2");
        assertThat(names.take("mana_", List.of())).isEqualTo("mana_3");
        assertThat(take("mana_", "mana99999999999")).isEqualTo("mana_4");
        names.giveBack("mana_1");
        assertThat(take("mana_", "other")).isEqualTo("mana_1");
    }
}
