package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.Counter;
import io.manafold.api.net.HookStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class HookCommandTest {
    private final FakeDevice hooked = new FakeDevice("mana0", 2);
    private final FakeDevice free = new FakeDevice("mana1", 3);
    private final FakeDevice pair = new FakeDevice("eth1", 4);
    private final HookCommand command = new HookCommand(Fakes.network(hooked, free, pair));

    HookCommandTest() {
        hooked.channels = 2;
        hooked.hook = new HookStatus("demo.Filter", "demo 1.2.0", 5, 40, 3, 2, 1);
        hooked.counters.addAll(List.of(new Counter("rx_0_xdp_drop", 30), new Counter("rx_0_xdp_tx", 3),
                new Counter("rx_0_xdp_redirect", 0), new Counter("rx_1_xdp_drop", 10), new Counter("rx_1_xdp_tx", 0),
                new Counter("rx_1_xdp_redirect", 2)));
        free.hook = new HookStatus("", "", 0, 7, 0, 0, 0);
    }

    @Test
    void devicesThatTakeOneAreListed() {
        assertThat(Fakes.run(command, "").out()).isEqualTo("""
                DEVICE  HOOK         BUNDLE      PASSED  DROPPED  ANSWERED  REDIRECTED  ABORTED
                mana0   demo.Filter  demo 1.2.0       5       40         3           2        1
                mana1   –            –                0        7         0           0        0
                """);
        assertThat(Fakes.run(command, "list --json").dense()).contains("{\"ifname\":\"mana0\",\"hook\":"
                + "\"demo.Filter\",\"bundle\":\"demo1.2.0\",\"passed\":5,\"dropped\":40,\"answered\":3,"
                + "\"redirected\":2,\"aborted\":1}", "\"ifname\":\"mana1\",\"hook\":null,\"bundle\":null,")
                .doesNotContain("eth1");
    }

    @Test
    void aDeviceIsShownByItsQueues() {
        assertThat(Fakes.run(command, "show mana0").out()).contains("bundle", "demo 1.2.0").endsWith("""

                QUEUE  XDP_DROP  XDP_TX  XDP_REDIRECT
                rx-0         30       3             0
                rx-1         10       0             2
                """);
        assertThat(Fakes.run(command, "show mana0 --json").dense()).endsWith("\"aborted\":1,\"queues\":["
                + "{\"queue\":\"rx-0\",\"xdp_drop\":30,\"xdp_tx\":3,\"xdp_redirect\":0},"
                + "{\"queue\":\"rx-1\",\"xdp_drop\":10,\"xdp_tx\":0,\"xdp_redirect\":2}]}");
    }

    @Test
    void whatCannotBeShownIsRefused() {
        assertThat(Fakes.run(command, "show eth1")).returns(1, Fakes.Answer::status)
                .extracting(Fakes.Answer::err).asString().contains("eth1 takes no receive hook", "(EOPNOTSUPP)");
        assertThat(Fakes.run(command, "show mana7").err()).contains("There is no network device 'mana7'", "(ENODEV)");
        assertThat(Fakes.run(command, "show").status()).isEqualTo(2);
        assertThat(Fakes.run(command, "lst").err()).contains("list");
        assertThat(Fakes.run(command, "list mana0").status()).isEqualTo(2);
    }
}
