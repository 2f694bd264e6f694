package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Neighbour;
import io.manafold.api.inet.Route;
import io.manafold.api.net.MacAddress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses, neighbours and routes of {@code ip}. */
@Timeout(300)
class IpAddressesTest {
    private static final MacAddress MAC = MacAddress.parse("00:0d:3a:00:00:02");

    private final FakeHost zero = new FakeHost("mana0", "10.77.0.1/24", "fd77::1/64", "fe80::20d:3aff:fe00:1/64");
    private final FakeHost one = new FakeHost("mana1", "10.77.0.2/24", "192.0.2.1/30");
    private final FakeDevice device = new FakeDevice("mana0", 2);
    private final FakeDevice other = new FakeDevice("mana1", 3);
    private final Network network = Fakes.network(device, other);
    private final IpCommand command = new IpCommand(network);

    @BeforeEach
    void hosts() {
        Fakes.hosts(network, zero, one);
    }

    private Fakes.Answer ip(String line) {
        return Fakes.run(command, line);
    }

    private String done(String line) {
        Fakes.Answer answer = ip(line);
        assertThat(answer.err()).isEmpty();
        assertThat(answer.status()).isZero();
        return answer.out();
    }

    @Test
    void groupsAreThoseOfTheHostsAddresses() {
        assertThat(done("maddr show dev mana0")).isEqualTo("""
                2:\tmana0
                \tlink  01:00:5e:00:00:01
                \tlink  33:33:00:00:00:01
                \tlink  33:33:ff:00:00:01
                \tinet  224.0.0.1
                \tinet6 ff02::1:ff00:1
                \tinet6 ff02::1
                """);
        assertThat(done("-4 maddr show mana1")).isEqualTo("3:\tmana1\n\tinet  224.0.0.1\n");
        assertThat(ip("maddr show mana1 --json").dense()).contains("[{\"ifindex\":3,\"ifname\":\"mana1\",\"maddr\":["
                + "{\"link\":\"01:00:5e:00:00:01\"},{\"family\":\"inet\",\"address\":\"224.0.0.1\"}]}]");
        device.setUp(false);
        assertThat(done("ma show mana0")).isEqualTo("2:\tmana0\n");
        for (String verb : new String[] {"add", "del", "delete"}) {
            assertThat(ip("maddr " + verb + " 33:33:00:00:00:05 dev mana0").err()).contains("(EINVAL)",
                    "33:33:00:00:00:05");
        }
        assertThat(ip("maddr add 10.0.0.1 dev mana0").status()).isEqualTo(2);
    }

    @Test
    void addressesHaveTheShapeThatPeopleKnow() {
        assertThat(done("a show mana0")).isEqualTo("""
                2: mana0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP group default
                    link/ether 00:0d:3a:00:00:01 brd ff:ff:ff:ff:ff:ff
                    inet 10.77.0.1/24 brd 10.77.0.255 scope global mana0
                       valid_lft forever preferred_lft forever
                    inet6 fd77::1/64 scope global
                       valid_lft forever preferred_lft forever
                    inet6 fe80::20d:3aff:fe00:1/64 scope link
                       valid_lft forever preferred_lft forever
                """);
        assertThat(done("-4 addr show dev mana0")).doesNotContain("link/ether", "inet6");
        assertThat(done("-6 addr")).doesNotContain("mana1", "10.77.0.1");
        assertThat(done("-br address")).isEqualTo("""
                mana0            UP             10.77.0.1/24 fd77::1/64 fe80::20d:3aff:fe00:1/64
                mana1            UP             10.77.0.2/24 192.0.2.1/30
                """);
        assertThat(done("-o -4 addr")).startsWith("2: mana0    inet 10.77.0.1/24 brd 10.77.0.255 scope global mana0\\"
                + "       valid_lft forever preferred_lft forever\n");
    }

    @Test
    void jsonHasTheKeysOfTheRealTool() {
        assertThat(ip("-j a s mana0").dense()).startsWith("[{\"ifindex\":2,\"ifname\":\"mana0\",\"flags\":[")
                .contains("\"addr_info\":[{\"family\":\"inet\",\"local\":\"10.77.0.1\",\"prefixlen\":24,"
                        + "\"broadcast\":\"10.77.0.255\",\"scope\":\"global\",\"label\":\"mana0\","
                        + "\"valid_life_time\":4294967295,\"preferred_life_time\":4294967295},{\"family\":\"inet6\","
                        + "\"local\":\"fd77::1\",\"prefixlen\":64,\"scope\":\"global\",\"valid_life_time\"");
        assertThat(ip("-br addr --json").dense()).contains("{\"ifname\":\"mana1\",\"operstate\":\"UP\",\"addr_info\":["
                + "{\"local\":\"10.77.0.2\",\"prefixlen\":24},{\"local\":\"192.0.2.1\",\"prefixlen\":30}]}");
    }

    @Test
    void addressesOfVersionFourComeFirst() {
        done("addr add 198.51.100.1/24 dev mana0");
        assertThat(done("-br addr show mana0")).isEqualTo(
                "mana0            UP             10.77.0.1/24 198.51.100.1/24 fd77::1/64 fe80::20d:3aff:fe00:1/64\n");
    }

    @Test
    void addressesComeAndGo() {
        done("addr add 198.51.100.1/24 brd + dev mana0");
        done("a a fd78::1/64 dev mana0");
        done("addr replace fd78::1/64 dev mana0");
        assertThat(zero.addresses).hasSize(5);
        done("addr del fd78::1/64 dev mana0");
        done("-4 addr flush dev mana0");
        assertThat(zero.addresses).extracting(address -> address.prefix().toString())
                .containsExactly("fd77::1/64", "fe80::20d:3aff:fe00:1/64");
        done("addr flush mana0");
        assertThat(zero.addresses).extracting(HostAddress::origin).containsExactly(HostAddress.Origin.LINK);
    }

    @Test
    void neighboursAreShown() {
        zero.neighbours.add(new Neighbour(IpAddress.parse("10.77.0.2"), MAC, Neighbour.State.REACHABLE, false, 1,
                5_900_000_000L, 2_000_000_000L, 0));
        zero.neighbours.add(new Neighbour(IpAddress.parse("10.77.0.9"), null, Neighbour.State.FAILED, false, 3, 0, 0,
                0));
        zero.neighbours.add(new Neighbour(IpAddress.parse("fd77::2"), MAC, Neighbour.State.STALE, true, 0, 0, 0, 0));
        assertThat(done("neigh")).isEqualTo("""
                10.77.0.2 dev mana0 lladdr 00:0d:3a:00:00:02 REACHABLE
                10.77.0.9 dev mana0 FAILED
                fd77::2 dev mana0 lladdr 00:0d:3a:00:00:02 router STALE
                """);
        assertThat(done("-s -4 n show dev mana0")).startsWith(
                "10.77.0.2 dev mana0 lladdr 00:0d:3a:00:00:02 used 5/2/0 probes 1 REACHABLE\n");
        assertThat(done("-br n")).startsWith("%-39s %-16s %s\n".formatted("10.77.0.2", "mana0", MAC));
        assertThat(done("n show mana1")).isEmpty();
        assertThat(ip("-j neighbour").dense()).startsWith("[{\"dst\":\"10.77.0.2\",\"dev\":\"mana0\","
                + "\"lladdr\":\"00:0d:3a:00:00:02\",\"state\":[\"REACHABLE\"]},{\"dst\":\"10.77.0.9\","
                + "\"dev\":\"mana0\",\"state\":[\"FAILED\"]},").contains("\"router\":null");
        done("neigh flush dev mana0");
        assertThat(zero.neighbours).isEmpty();
    }

    @Test
    void neighboursAreSet() {
        done("neigh add 10.77.0.9 lladdr 00:0d:3a:00:00:02 dev mana0 nud permanent");
        assertThat(ip("neigh add 10.77.0.9 lladdr 00:0d:3a:00:00:02 dev mana0").err()).endsWith("(EEXIST)\n");
        done("neigh replace 10.77.0.9 lladdr 00:0d:3a:00:00:03 dev mana0");
        assertThat(done("neigh")).isEqualTo("10.77.0.9 dev mana0 lladdr 00:0d:3a:00:00:03 PERMANENT\n");
        done("neigh flush dev mana0");
        assertThat(zero.neighbours).hasSize(1);
        done("neigh del 10.77.0.9 dev mana0");
        assertThat(ip("neigh change 10.77.0.9 lladdr 00:0d:3a:00:00:02 dev mana0").err()).endsWith("(ENOENT)\n");
    }

    @Test
    void routesAreShownAndSet() {
        done("route add default via 192.0.2.2");
        done("route add 203.0.113.0/24 via 10.77.0.9 dev mana0 metric 5 proto static");
        done("-6 route add default via fd77::9");
        assertThat(done("route")).isEqualTo("""
                10.77.0.0/24 dev mana0 proto kernel scope link src 10.77.0.1
                203.0.113.0/24 via 10.77.0.9 dev mana0 proto static metric 5
                default via 192.0.2.2 dev mana1
                10.77.0.0/24 dev mana1 proto kernel scope link src 10.77.0.2
                192.0.2.0/30 dev mana1 proto kernel scope link src 192.0.2.1
                """);
        assertThat(done("-6 r show dev mana0")).startsWith("default via fd77::9 dev mana0\nfd77::/64 dev mana0 proto ");
        assertThat(ip("-j r show dev mana1").dense()).startsWith("[{\"dst\":\"default\",\"gateway\":\"192.0.2.2\","
                + "\"dev\":\"mana1\",\"flags\":[]},{\"dst\":\"10.77.0.0/24\",\"dev\":\"mana1\","
                + "\"protocol\":\"kernel\",\"scope\":\"link\",\"prefsrc\":\"10.77.0.2\",\"flags\":[]}");
        done("route replace default via 192.0.2.1 dev mana1");
        assertThat(one.routes).filteredOn(Route::isDefault).singleElement()
                .extracting(route -> route.gateway().toString()).isEqualTo("192.0.2.1");
        done("route del default dev mana1");
        assertThat(one.routes).noneMatch(Route::isDefault);
    }

    @Test
    void aRouteThatIsRefusedTakesThePlaceOfNone() {
        done("route add default via 192.0.2.2 dev mana1 proto static");
        assertThat(ip("route replace default via 198.51.100.1 dev mana1").err()).contains("(ENETUNREACH)");
        assertThat(done("route")).contains("default via 192.0.2.2 dev mana1 proto static\n");
        one.full = true;
        assertThat(ip("route replace default via 198.51.100.1 dev mana1").err()).contains("(ENETUNREACH)");
        assertThat(done("route")).contains("default via 192.0.2.2 dev mana1 proto static\n");
    }

    @Test
    void whatCannotBeKeptIsDoneToItsEnd() {
        zero.full = true;
        assertThat(ip("addr flush dev mana0").err()).contains("done, but it will not outlive the platform", "(EIO)");
        assertThat(zero.addresses).extracting(HostAddress::origin).containsExactly(HostAddress.Origin.LINK);
        done("route add default via 192.0.2.2 dev mana1");
        one.full = true;
        assertThat(ip("route replace default via 192.0.2.1 dev mana1").err()).contains("will not outlive the platform");
        assertThat(one.routes).filteredOn(Route::isDefault).singleElement()
                .extracting(route -> route.gateway().toString()).isEqualTo("192.0.2.1");
    }

    @Test
    void aNeighbourThatExpiresMeanwhileEndsNoFlush() {
        for (String address : new String[] {"10.77.0.2", "10.77.0.3"}) {
            zero.neighbours.add(new Neighbour(IpAddress.parse(address), MAC, Neighbour.State.STALE, false, 0, 0, 0, 0));
        }
        zero.listed = zero.neighbours::removeFirst;
        done("neigh flush dev mana0");
        assertThat(zero.neighbours).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | addr add 10.0.0.1/24                | ip addr add needs a device: dev DEV.
            2 | addr add dev mana0                  | ip addr add needs an address
            2 | addr add 10.0.0/24 dev mana0        | is not an IP address
            2 | addr add 10.0.0.1/24 frob dev mana0 | 'frob' is nothing that ip addr add knows.
            2 | addr add 10.0.0.1/33 dev mana0      | has 0 to 32 bits, not 33
            1 | addr add 10.77.0.1/24 dev mana0     | (EEXIST)
            1 | addr del 10.0.0.1/24 dev mana0      | (EADDRNOTAVAIL)
            1 | addr change 10.0.0.1/24 dev mana0   | (EADDRNOTAVAIL)
            1 | addr show mana9                     | There is no network device 'mana9'
            1 | addr add 10.0.0.1/24 dev mana9      | There is no network device 'mana9'
            2 | neigh add 10.0.0.1 dev mana0        | needs a MAC address: lladdr MAC.
            2 | neigh add 10.0.0.1 lladdr 1 dev mana0 | is not a MAC address
            1 | neigh add 10.0.0.1 lladdr 00:0d:3a:00:00:02 nud stale dev mana0 | leave out nud. (EOPNOTSUPP)
            1 | neigh del 10.0.0.1 dev mana0        | (ENOENT)
            2 | route add                           | needs to know where to
            2 | route add 10.0.0.0/8                | A route without a gateway needs a device: dev DEV.
            2 | route add default via 10.77.0.9     | More than one device has 10.77.0.9 on one of its networks
            2 | route add default via 10.9.0.9      | No device has 10.9.0.9 on one of its networks
            1 | route del 10.0.0.0/8 dev mana0      | (ESRCH)
            """)
    void whatIsRefusedChangesNothing(int status, String line, String sentence) {
        int routes = zero.routes.size();
        Fakes.Answer answer = ip(line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(zero.addresses).hasSize(3);
        assertThat(zero.neighbours).isEmpty();
        assertThat(zero.routes).hasSize(routes);
    }

    @Test
    void withoutHostsThereAreNoAddresses() {
        network.hosts = null;
        assertThat(done("addr")).contains("2: mana0: ").doesNotContain("inet");
        assertThat(done("route") + done("neigh")).isEmpty();
        assertThat(ip("addr add 10.0.0.1/24 dev mana0").err()).contains("io.manafold.inet")
                .endsWith("(EOPNOTSUPP)\n");
    }
}
