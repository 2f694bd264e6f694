package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.ByteQueueLimit;
import io.manafold.api.net.QueueEvents;
import io.manafold.api.net.QueueStatus;
import io.manafold.api.net.QueueWork;
import org.junit.jupiter.api.Test;

class QueuesCommandTest {
    private final FakeDevice up = new FakeDevice("mana0", 2);
    private final QueuesCommand command = new QueuesCommand(Fakes.network(up, new FakeDevice("mana1", 3)));

    QueuesCommandTest() {
        up.queues.add(new QueueStatus(true, 0, 7, 1024, 12, 11, 1023, false, 9, true, 3, 1, 32, QueueEvents.NONE,
                new QueueWork(0, 64, 2000, 41, 3, 17)));
        up.byteLimits.add(new ByteQueueLimit(0, 9000, 0, 1_879_048_192, 1000, 3028, 7));
        up.queues.add(new QueueStatus(false, 0, 8, 256, 200, 100, 256, true, 10, false, 3, 1, 0, QueueEvents.NONE,
                new QueueWork(100, 256, 9, 42, 4, 0)));
    }

    @Test
    void eachQueueIsALine() {
        assertThat(Fakes.run(command, "mana0").out()).isEqualTo("""
                DEVICE  QUEUE  ID  ENTRIES  HEAD  TAIL  POSTED  PENDING  BUDGET  DOORBELLS  COALESCED  STATE  @
                mana0   rx-0    7     1024    12    11    1023  –            64         41         17  running@
                mana0   tx-0    8      256   200   100     256  100         256         42          0  stopped@
                """.replace(" @\n", "   CQ  ARMED  EQ  VECTOR  SHARES  LIMIT  INFLIGHT\n")
                .replace("running@", "running   9  yes     3       1  32      –      –")
                .replace("stopped@", "stopped  10  no      3       1  –       9000   3028"));
        assertThat(Fakes.run(command, "--json").dense()).contains("{\"ifname\":\"mana0\",\"queue\":\"rx-0\",\"id\":7,",
                "\"posted\":1023,\"pending\":null,\"budget\":64,\"doorbells\":41,\"coalesced\":17,\"state\":",
                "\"armed\":true,", "\"shares\":32,\"limit\":null,", "\"pending\":100,\"budget\":256,",
                "\"cq_head\":2000,\"cq_doorbells\":3,\"protocol_version\":1,\"flags\":1073}");
    }

    @Test
    void theLimitOfAQueueIsShownAndSet() {
        assertThat(Fakes.run(command, "mana0", "tx-0", "--json").dense()).contains("{\"queue\":\"tx-0\",\"limit\":9000,"
                + "\"limit_min\":0,\"limit_max\":1879048192,\"hold_time\":1000,\"inflight\":3028,\"reached\":7}");
        Fakes.run(command, "mana0", "tx-0", "limit_max", "30000", "hold_time", "5");
        assertThat(up.byteLimits.getFirst()).isEqualTo(new ByteQueueLimit(0, 9000, 0, 30_000, 5, 3028, 7));
        Fakes.run(command, "mana0", "tx-0", "limit_min", "3000", "limit_max", "max");
        assertThat(up.byteLimits.getFirst()).isEqualTo(new ByteQueueLimit(0, 9000, 3000, 1_879_048_192, 5, 3028, 7));
        assertThat(Fakes.run(command, "mana0", "tx-1").err()).contains("they are tx-0 to tx-0", "(ENOENT)");
        assertThat(Fakes.run(command, "mana0", "rx-0").err()).contains("(ENOENT)");
        assertThat(Fakes.run(command, "mana0", "tx-0", "limit_mix", "1").err()).contains("did you mean 'limit_m");
    }

    @Test
    void thePortIsShownAsLinuxHasItInDebugfs() {
        assertThat(Fakes.run(command, "--port", "mana0", "--json").dense())
                .contains("{\"ifname\":\"mana0\",\"gdma_protocol_ver\":1,\"pf_cap_flags1\":1073,"
                        + "\"current_speed\":500}");
        assertThat(Fakes.run(command, "--port", "mana0").out()).contains("pf_cap_flags1      0x431\n");
        assertThat(Fakes.run(command, "--port", "mana0", "tx-0").err()).contains("none of its queues");
        assertThat(Fakes.run(command, "--port").err()).isNotEmpty();
    }

    @Test
    void aDeviceThatIsDownHasNone() {
        assertThat(Fakes.run(command, "mana1").out()).startsWith("DEVICE  QUEUE").hasLineCount(1);
        assertThat(Fakes.run(command, "mana7").err()).contains("There is no network device 'mana7'", "(ENODEV)");
    }
}
