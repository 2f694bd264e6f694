package io.manafold.commands.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.ConnectionState;
import io.manafold.api.rdma.ConnectionStatus;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines are those of iproute2 with the same objects. */
class RdmaCommandTest {
    private final Devices devices = Fakes.devices(new FakeDevice("mana_0", 1), new FakeDevice("mana_1", 2));
    private final RdmaCommand command = new RdmaCommand(devices);

    private String rdma(String line) {
        Fakes.Answer answer = Fakes.run(command, line);
        assertThat(answer.err()).isEmpty();
        return line.contains("--json") ? answer.dense() : answer.out();
    }

    @Test
    void devicesAndPorts() {
        assertThat(rdma("dev show mana_0")).isEqualTo(
                "0: mana_0: node_type ca protocol roce node_guid 020d:3aff:fe00:000a sys_image_guid "
                + "0000:0000:0000:0000 \n");
        assertThat(rdma("-d dev show mana_0")).endsWith("adaptive-moderation off \n    caps: <RC_RNR_NAK_GEN>\n");
        assertThat(rdma("link")).isEqualTo("""
                link mana_0/1 state ACTIVE physical_state LINK_UP netdev mana0\s
                link mana_1/1 state ACTIVE physical_state LINK_UP netdev mana0\s
                link mana_1/2 state DOWN physical_state DISABLED netdev mana1\s
                """);
        assertThat(rdma("link show mana_1/2 --json"))
                .isEqualTo(
                        "[{\"ifindex\":1,\"ifname\":\"mana_1\",\"port\":2,\"state\":\"DOWN\","
                        + "\"physical_state\":\"DISABLED\",\"netdev\":\"mana1\"}]");
    }

    @Test
    void resources() {
        assertThat(rdma("res show mana_1")).isEqualTo("1: mana_1: pd 1 cq 2 qp 2 cm_id 0 mr 1 ctx 0 srq 0 \n");
        assertThat(rdma("resource show qp link mana_0")).isEqualTo("""
                link mana_0/- lqpn 4096 rqpn 0 type RC state RESET rq-psn 0 sq-psn 0 path-mig-state MIGRATED pdn 7 comm [org.example.app]\s
                link mana_0/1 lqpn 4100 rqpn 4200 type RC state RTS rq-psn 701 sq-psn 1234567 path-mig-state MIGRATED pdn 7 comm \
                [org.example.app]\s
                """);
        assertThat(rdma("resource show qp state RTS --json"))
                .startsWith(
                        "[{\"ifindex\":0,\"ifname\":\"mana_0\",\"port\":1,\"lqpn\":4100,\"rqpn\":4200,\"type\":\"RC\","
                        + "\"state\":\"RTS\",\"rq-psn\":701,\"sq-psn\":1234567,").doesNotContain("4096");
        assertThat(rdma("res show cq dev mana_0")).isEqualTo(
                "dev mana_0 cqn 5 cqe 255 users 2 adaptive-moderation off comm [org.example.app] \n");
        assertThat(rdma("res show pd dev mana_0")).isEqualTo("dev mana_0 pdn 7 users 3 comm [org.example.app] \n");
        assertThat(rdma("res show mr dev mana_0"))
                .isEqualTo("dev mana_0 mrn 3 mrlen 65536 pdn 7 comm [org.example.app] \n");
    }

    @Test
    void connections() {
        devices.connections = new FakeConnections(List.of(
                new ConnectionStatus(null, 0, 0, ConnectionState.LISTEN, new InetSocketAddress("0.0.0.0", 7471), null,
                        "org.example.app"),
                new ConnectionStatus("mana_0", 1, 4100, ConnectionState.ESTABLISHED,
                        new InetSocketAddress("10.77.0.1", 40000), new InetSocketAddress("10.77.0.2", 7471),
                        "org.example.app")));
        assertThat(rdma("res show cm_id link mana_0")).isEqualTo("""
                link mana_0/- cm-idn 0 state LISTEN ps TCP comm [org.example.app] src-addr 0.0.0.0:7471\s
                link mana_0/1 cm-idn 1 lqpn 4100 qp-type RC state CONNECT ps TCP comm [org.example.app] src-addr 10.77.0.1:40000 \
                dst-addr 10.77.0.2:7471\s
                """);
        assertThat(rdma("res show mana_0")).contains("cm_id 2 ");
    }

    @Test
    void counters() {
        assertThat(rdma("statistic show link mana_0/1")).isEqualTo(
                "link mana_0/1 \n    requester_timeout 1 \n    tx_bytes 5000000000 \n");
        assertThat(rdma("stat --json"))
                .startsWith("[{\"ifname\":\"mana_0\",\"port\":1,\"requester_timeout\":1,\"tx_bytes\":5000000000}");
        assertThat(rdma("statistic qp show link mana_0/1")).isEqualTo(
                "link mana_0/1 cntn 0 qp-type RC comm [org.example.app] \n    tx_send_requests 12 \n    LQPN: "
                + "<4100>\n");
        assertThat(rdma("statistic qp show lqpn 4100 --json"))
                .startsWith(
                        "[{\"ifindex\":0,\"ifname\":\"mana_0\",\"port\":1,\"cntn\":0,\"qp-type\":\"RC\","
                        + "\"comm\":\"org.example.app\",\"tx_send_requests\":12,\"lqpn\":[4100]}");
        assertThat(rdma("statistic qp show lqpn 4096")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | ''                            | rdma needs to know what it is about: dev, link, resource, statistic.
            2 | lnik                          | There is no object of rdma 'lnik'; did you mean 'link'?
            1 | dev show mana_9               | There is no RDMA device 'mana_9'
            1 | link show mana_0/2            | mana_0 has one port, 1, and none with the number 2. (EINVAL)
            2 | link show mana_0/x            | The port behind mana_0/ takes a whole number from 1 to 255, not 'x'.
            2 | link show mana_0/1 more       | 'more' is one word too many for rdma link show.
            2 | res show qp lqpn              | rdma resource show qp lqpn needs to know the value.
            2 | res show qp dev mana_0 cqn 3  | values are chosen by lqpn, rqpn
            2 | -x dev                        | rdma has no option '-x'
            """)
    void whatThereIsNotIsASentence(int status, String line, String sentence) {
        Fakes.Answer answer = Fakes.run(command, line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
    }
}
