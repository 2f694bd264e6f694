package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class IpCommandTest {
    private final FakeDevice zero = new FakeDevice("mana0", 2);
    private final FakeDevice one = new FakeDevice("mana1", 3);
    private final IpCommand command = new IpCommand(Fakes.network(one, zero));

    @BeforeEach
    void state() {
        one.setUp(false);
        zero.totals.put("rx_bytes", 12_345_678L);
        zero.totals.put("rx_packets", 7L);
        zero.totals.put("tx_bytes", 90L);
    }

    private Fakes.Answer ip(String line) {
        return Fakes.run(command, line);
    }

    @Test
    void linksHaveTheShapeThatPeopleKnow() {
        assertThat(ip("link").out()).isEqualTo("""
                2: mana0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP mode DEFAULT group default
                    link/ether 00:0d:3a:00:00:01 brd ff:ff:ff:ff:ff:ff
                3: mana1: <BROADCAST,MULTICAST> mtu 1500 qdisc noqueue state DOWN mode DEFAULT group default
                    link/ether 00:0d:3a:00:00:02 brd ff:ff:ff:ff:ff:ff
                """);
        zero.carrier = false;
        assertThat(ip("link show mana0").out()).startsWith("2: mana0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500 ")
                .contains(" state DOWN ");
        assertThat(ip("-o link show dev mana1").out()).hasLineCount(1).contains("group default\\    link/ether");
        assertThat(ip("-d link show mana0").out()).contains(" promiscuity 0  allmulti 0 minmtu 68 maxmtu 9000 ");
    }

    @Test
    void modesAreFlags() {
        assertThat(ip("link set dev mana0 promisc on allmulticast on").status()).isZero();
        assertThat(ip("link show mana0").out()).contains("<BROADCAST,MULTICAST,ALLMULTI,PROMISC,UP,LOWER_UP>");
        assertThat(ip("-d link show mana0").out()).contains(" promiscuity 1  allmulti 1 ");
        assertThat(ip("link set mana0 promisc off").status()).isZero();
        assertThat(ip("-br link show mana0").out()).contains("<BROADCAST,MULTICAST,ALLMULTI,UP,LOWER_UP>");
        assertThat(ip("link set mana0 promisc").status()).isEqualTo(2);
        assertThat(ip("link set mana0 promisc maybe").status()).isEqualTo(2);
    }

    @Test
    void countersStandUnderTheirLabels() {
        assertThat(ip("-s link show dev mana0").out()).endsWith("""
                    RX:    bytes packets errors dropped  missed   mcast
                        12345678       7      0       0       0       0
                    TX:  bytes packets errors dropped carrier collsns
                            90       0      0       0       0       0
                """);
    }

    @Test
    void errorsAreToldOneByOne() {
        zero.totals.put("rx_length_errors", 3L);
        zero.totals.put("carrier_changes", 12_345_678L);
        assertThat(ip("-s -s link show dev mana0").out()).endsWith("""
                    RX:    bytes packets errors dropped  missed   mcast
                        12345678       7      0       0       0       0
                    RX errors:  length    crc   frame    fifo overrun
                                     3      0       0       0       0
                    TX:  bytes packets errors dropped carrier collsns
                            90       0      0       0       0       0
                    TX errors: aborted   fifo  window heartbt  transns
                                     0      0       0       0 12345678
                """);
        assertThat(ip("-s -s -j link show dev mana0").dense()).contains("\"multicast\":0,\"length_errors\":3,"
                + "\"crc_errors\":0,", "\"collisions\":0,\"aborted_errors\":0,", "\"carrier_changes\":12345678");
        assertThat(ip("-s link show dev mana0").out()).doesNotContain("errors:");
    }

    @Test
    void briefIsOneLineForEach() {
        assertThat(ip("-br link").out()).isEqualTo("""
                mana0            UP             00:0d:3a:00:00:01 <BROADCAST,MULTICAST,UP,LOWER_UP>
                mana1            DOWN           00:0d:3a:00:00:02 <BROADCAST,MULTICAST>
                """);
        assertThat(ip("-br link show up --json").dense()).isEqualTo("[{\"ifname\":\"mana0\",\"operstate\":\"UP\","
                + "\"address\":\"00:0d:3a:00:00:01\",\"flags\":[\"BROADCAST\",\"MULTICAST\",\"UP\",\"LOWER_UP\"]}]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-j -s link show mana0", "--json -s link show mana0", "-s link show mana0 --json",
        "-s -json l sh dev mana0", "-stats -j -p link list mana0"})
    void jsonHasTheKeysOfTheRealTool(String line) {
        assertThat(ip(line).dense()).startsWith("[{\"ifindex\":2,\"ifname\":\"mana0\",\"flags\":[\"BROADCAST\","
                + "\"MULTICAST\",\"UP\",\"LOWER_UP\"],\"mtu\":1500,\"qdisc\":\"noqueue\",\"operstate\":\"UP\","
                + "\"linkmode\":\"DEFAULT\",\"group\":\"default\",\"link_type\":\"ether\","
                + "\"address\":\"00:0d:3a:00:00:01\",\"broadcast\":\"ff:ff:ff:ff:ff:ff\",\"stats64\":{\"rx\":{"
                + "\"bytes\":12345678,\"packets\":7,\"errors\":0,\"dropped\":0,\"missed_errors\":0,\"multicast\":0},"
                + "\"tx\":{\"bytes\":90,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"link set dev mana1 mtu 9000 up", "l set mana1 up mtu 9000", "l s mana1 mtu 9000 up"})
    void linksAreSet(String line) {
        assertThat(ip(line)).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(one.mtu).isEqualTo(9000);
        assertThat(one.up).isTrue();
        assertThat(ip("link set mana1 down").status()).isZero();
        assertThat(one.up).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 |                              | ip needs to know what it is about: address, link, neighbor, route, maddress, monitor.
            2 | tunnel                       | There is no object of ip 'tunnel'
            2 | link frobnicate              | There is no verb of ip link 'frobnicate'
            2 | -x link                      | There is no option of ip '-x'
            2 | link set                     | A value is missing behind 'dev'.
            2 | link set mana1               | ip link set needs to know what to set
            2 | link set mana1 up mtu        | A value is missing behind 'mtu'.
            2 | link set mana1 up mtu many   | mtu takes a whole number from 0 to 2147483647, not 'many'.
            2 | link set mana1 up frobnicate | 'frobnicate' is nothing that ip link set knows.
            2 | link show mana1 frobnicate   | 'frobnicate' is nothing that ip link show knows.
            1 | link show manna1             | There is no network device 'manna1'; did you mean 'mana1'? (ENODEV)
            1 | link set mana1 mtu 9001 up   | (EINVAL)
            1 | link set mana1 up address 02:00:00:00:00:01 | a port of this adapter has one address for ever. (EOPNOTSUPP)
            1 | link set mana1 up arp on | 'arp' cannot be set on mana1: up, down, mtu, promisc and allmulticast can. (EOPNOTSUPP)
            """)
    void whatIsRefusedChangesNothing(int status, String line, String sentence) {
        Fakes.Answer answer = ip(line == null ? "" : line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.out()).isEmpty();
        assertThat(one.up).isFalse();
        assertThat(one.mtu).isEqualTo(1500);
    }
}
