package io.manafold.commands.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.RdmaCompletionQueue;
import io.manafold.api.adapter.RdmaPort;
import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.api.adapter.RdmaQueuePair.Congestion;
import io.manafold.api.adapter.RdmaStatus;
import io.manafold.api.net.MacAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RdmaViewsTest {
    private static final RdmaQueuePair MANAGEMENT = new RdmaQueuePair(1, "GSI", "RTS", "one/1", null, 0, 0, 7, 0, 0, 2,
            4, 4, 9, Congestion.NONE);

    private final Workshop workshop = new Workshop();
    private final Fakes.OneAdapter one = workshop.adapter("one", "7870:00:00.0", 0);
    private final AdapterCommand command = new AdapterCommand(workshop.topology, workshop.entries);

    private Fakes.Answer adapter(String... words) {
        return Fakes.run(command, words);
    }

    private static RdmaQueuePair connection(int number) {
        return new RdmaQueuePair(number, "RC", "RTS", "one/1", "::ffff:10.0.0.2", 65540, 4096, 17, 15, 99, 1, 5, 6, 10,
                new Congestion(1_500_000_000L, true, 3, 2, 40));
    }

    private void drive(List<RdmaQueuePair> pairs) {
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("requester_timeout", 4L);
        counters.put("tx_packets", 20L);
        counters.put("rdma_bad_icrc", 1L);
        one.rdma.status = new RdmaStatus(true, false, List.of(new RdmaPort("one/1", counters)),
                List.of("::ffff:10.0.0.1"), List.of(new RdmaCompletionQueue(4, 1024, 2, true)), pairs);
    }

    @Test
    void queuePairsAreATableBelowTheRest() {
        drive(List.of(MANAGEMENT, connection(65536)));
        assertThat(adapter("show", "one").out())
                .contains("rdma          first port, 2 queue pairs, 1 completion queue, ::ffff:10.0.0.1")
                .endsWith("""

                           QP  TYPE  STATE  PORT   PEER             PEER QP   MTU  PSN  ACKED  EXPECTED  IN FLIGHT  CQS  PD
                            1  GSI   RTS    one/1  –                      0     0    7      0         0          2  4/4   9
                        65536  RC    RTS    one/1  ::ffff:10.0.0.2    65540  4096   17     15        99          1  5/6  10
                        """);
        assertThat(adapter("show", "one", "--json").dense())
                .contains("\"completion_queues\":[{\"cq\":4,\"entries\":1024,\"eq\":2,\"used\":true}],"
                        + "\"queue_pairs\":[{\"qp\":1,\"type\":\"GSI\"", "{\"qp\":65536,\"type\":\"RC\","
                + "\"state\":\"RTS\",\"port\":\"one/1\",\"peer_gid\":\"::ffff:10.0.0.2\",\"peer_qp\":65540,"
                + "\"mtu\":4096,\"send_psn\":17,\"acknowledged_psn\":15,\"receive_psn\":99,\"in_flight\":1,"
                + "\"send_cq\":5,\"receive_cq\":6,\"pd\":10,\"rate\":1500000000}");
    }

    @Test
    void tooManyAreCountedForPeopleAndListedForPrograms() {
        drive(IntStream.range(0, 23).mapToObj(i -> connection(65536 + 4 * i)).toList());
        assertThat(adapter("show", "one").out()).endsWith("and 3 more, see --json\n").contains("65612")
                .doesNotContain("65616");
        assertThat(adapter("show", "one", "--json").out()).contains("65624");
    }

    @Test
    void itsCountersStandBesideThoseOfEthernet() {
        one.ports.add(new Fakes.Port("one/1", new MacAddress(1), "net", true, 1, 0, Map.of(), List.of()));
        assertThat(adapter("stats").out()).doesNotContain("RDMA");
        drive(List.of());
        assertThat(adapter("stats").out()).endsWith("""

                RDMA PORT  TX PACKETS  TX BYTES  RX PACKETS  RX BYTES  TIMEOUTS  CNPS
                one/1              20         0           0         0         4     0
                """);
        assertThat(adapter("stats", "--all").out()).containsSubsequence("rdma_requester_timeout      4",
                "rdma_tx_packets            20", "rdma_bad_icrc               1");
        assertThat(adapter("stats", "--json").dense()).contains("\"rdma\":{\"requester_timeout\":4,\"tx_packets\":20,"
                + "\"rdma_bad_icrc\":1}");
    }

    @Test
    void congestionControlIsShownAndSet() {
        assertThat(adapter("dcqcn", "one").out()).isEqualTo("""
                PARAMETER    VALUE  UNIT  USUAL  LEAST    MOST  MEANING
                rpg_ai_rate      5  Mb/s      5      1  400000  additive step
                """);
        assertThat(adapter("dcqcn", "one", "set", "rpg_ai_rate", "10")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(one.rdma.value).isEqualTo(10);
        assertThat(adapter("dcqcn", "one", "reset").status()).isZero();
        assertThat(one.rdma.value).isEqualTo(5);
        assertThat(adapter("dcqcn", "one", "set", "rpg_io_rate", "10").err()).endsWith("(EINVAL)\n");
        assertThat(adapter("dcqcn", "one", "set", "rpg_ai_rate").err()).contains("takes keys, each with its value");
        assertThat(adapter("dcqcn", "one", "set", "rpg_ai_rate", "ten").err())
                .contains("takes a whole number from 0 to 2147483647, not 'ten'");
        assertThat(adapter("dcqcn", "one", "sit").err()).contains("did you mean 'set'?");
        assertThat(adapter("dcqcn", "one", "reset", "all").err()).contains("one word too many");
        assertThat(adapter("dcqcn", "one", "--count", "1").err()).contains("--count goes with watch");
        assertThat(one.rdma.value).isEqualTo(5);
    }

    @Test
    void connectionsAreWatched() {
        drive(List.of(MANAGEMENT, connection(65536)));
        assertThat(adapter("dcqcn", "one", "watch", "--count", "2").out()).isEqualTo("""
                   QP  PORT   MBIT/S  LIMITED  CONGESTED  RECOVERED  INCREASES
                65536  one/1    1500  yes              3          2         40

                   QP  PORT   MBIT/S  LIMITED  CONGESTED  RECOVERED  INCREASES
                65536  one/1    1500  yes              3          2         40
                """);
        assertThat(adapter("dcqcn", "one", "watch", "--count", "1", "--json").out().strip().lines().toList()).hasSize(1)
                .first().asString().contains("\"rate\":1500000000,\"limited\":true,\"congested\":3");
    }
}
