package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Route;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class SettingsTest {
    private int kept;
    private final Settings settings = new Settings("mana0", () -> kept++);

    private List<String> addresses() {
        return settings.addressing().addresses().stream().map(own -> own.prefix() + " " + own.origin()).toList();
    }

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static Route route(String to, String gateway, int metric) {
        return new Route(IpPrefix.parse(to), gateway == null ? null : IpAddress.parse(gateway), null, metric,
                Route.Origin.BOOT);
    }

    @Test
    void labAndAdministratorTogether() {
        settings.lab(List.of(IpPrefix.parse("10.77.0.1/24"), IpPrefix.parse("fd77::1/64")));
        settings.mac(0x000d3a000001L);
        settings.addAddress(IpPrefix.parse("192.0.2.7/32"));
        settings.removeAddress(IpPrefix.parse("fd77::1/64"));
        assertThat(addresses()).containsExactly("10.77.0.1/24 LAB", "192.0.2.7/32 ADMINISTRATOR",
                "fe80::20d:3aff:fe00:1/64 LINK");
        settings.addRoute(route("0.0.0.0/0", "10.77.0.254", 0));
        assertThat(kept).isEqualTo(3);
        assertThat(settings.addressing().routes()).extracting(way -> way.destination() + " " + way.gateway())
                .containsExactly("fe80::/64 null", "10.77.0.0/24 null", "0.0.0.0/0 10.77.0.254");

        Settings again = new Settings("mana0", () -> { });
        Map<String, String> saved = settings.save();
        assertThat(saved.values()).allSatisfy(word -> assertThat(word).doesNotContain(" "));
        again.restore(saved);
        again.restore(saved);
        again.lab(List.of(IpPrefix.parse("10.77.0.1/24"), IpPrefix.parse("fd77::1/64")));
        again.mac(0x000d3a000001L);
        assertThat(again.addressing()).isEqualTo(settings.addressing());
        again.restore(Map.of("addresses", "x,,10.0.0.0/99", "routes", "a|b,|,10.0.0.0/8||||"));
        assertThat(again.addressing()).isEqualTo(settings.addressing());

        settings.removeAddress(IpPrefix.parse("10.77.0.1/24"));
        assertThat(settings.addressing().routes()).as("a gateway that cannot be reached takes its route along")
                .hasSize(1);
    }

    @Test
    void oneRouteGoesAtATimeTheVerySameBeforeOthers() {
        settings.addAddress(IpPrefix.parse("10.77.0.1/24"));
        settings.addRoute(route("10.1.1.0/24", "10.77.0.2", 100));
        settings.addRoute(route("10.1.1.0/24", "10.77.0.2", 0));
        settings.addRoute(route("10.1.1.0/24", "10.77.0.3", 7));
        settings.removeRoute(route("10.1.1.0/24", "10.77.0.2", 0));
        assertThat(metrics()).containsExactlyInAnyOrder(100, 7);
        settings.removeRoute(route("10.1.1.0/24", null, 0));
        assertThat(metrics()).as("the better one of both").containsExactly(100);
    }

    private List<Integer> metrics() {
        return settings.addressing().routes().stream().filter(one -> one.destination().toString()
                .equals("10.1.1.0/24")).map(Route::metric).toList();
    }

    @Test
    void refusals() {
        settings.addAddress(IpPrefix.parse("10.77.0.1/24"));
        refused(Errno.EEXIST, () -> settings.addAddress(IpPrefix.parse("10.77.0.1/24")));
        refused(Errno.EADDRNOTAVAIL, () -> settings.addAddress(IpPrefix.parse("224.0.0.1/24")));
        refused(Errno.EADDRNOTAVAIL, () -> settings.addAddress(IpPrefix.parse("::/64")));
        refused(Errno.EADDRNOTAVAIL, () -> settings.removeAddress(IpPrefix.parse("10.77.0.2/24")));
        refused(Errno.EINVAL, () -> settings.addRoute(route("10.1.1.1/24", null, 0)));
        refused(Errno.ENETUNREACH, () -> settings.addRoute(route("10.1.1.0/24", "10.78.0.1", 0)));
        refused(Errno.EHOSTUNREACH, () -> settings.addRoute(route("fd78::/64", "fd77::1", 0)));
        refused(Errno.EEXIST, () -> settings.addRoute(route("10.77.0.0/24", null, 0)));
        refused(Errno.ESRCH, () -> settings.removeRoute(route("10.1.1.0/24", null, 0)));
        settings.addRoute(route("10.1.1.0/24", "10.77.0.254", 5));
        refused(Errno.EEXIST, () -> settings.addRoute(route("10.1.1.0/24", null, 5)));
        settings.removeRoute(route("10.1.1.0/24", null, 0));
        for (int i = 0; i < 63; i++) {
            settings.addAddress(new IpPrefix(IpAddress.ipv4(0x0a580000 + i), 32));
        }
        refused(Errno.ENOBUFS, () -> settings.addAddress(IpPrefix.parse("10.99.0.1/32")));
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.1,10.0.0.1", "::,::", "::1,::1", "1::,1::", "fd77:0:0:1:0:0:0:1,fd77:0:0:1::1",
        "FD77::00A,fd77::a", "1:0:2:0:3:0:4:0,1:0:2:0:3:0:4:0", "1:0:0:2:3:0:0:4,1::2:3:0:0:4",
        "::ffff:10.0.0.1,::ffff:a00:1", "1:2:3:4:5:6:7:8,1:2:3:4:5:6:7:8"})
    void addressesAreReadAndWritten(String text, String shown) {
        assertThat(IpAddress.parse(text)).hasToString(shown);
        assertThat(IpAddress.parse(shown)).isEqualTo(IpAddress.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.-4", ":", ":::", "1:2",
        "1::2::3", "1:2:3:4:5:6:7:8:9", "12345::", "g::", "1:2:3:4:5:6:7::8", "::1.2.3", "1.2.3.4::", "fe80::1%1"})
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> IpAddress.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not an IP address");
    }

    @ParameterizedTest
    @CsvSource({"10.77.0.1/24,10.77.0.0/24,10.77.0.255", "10.77.0.1/32,10.77.0.1/32,10.77.0.1",
        "1.2.3.4/0,0.0.0.0/0,255.255.255.255", "fd77::1/64,fd77::/64,fd77::ffff:ffff:ffff:ffff",
        "fd77::1/127,fd77::/127,fd77::1", "fd77:1:2::/16,fd77::/16,fd77:ffff:ffff:ffff:ffff:ffff:ffff:ffff"})
    void networksAreReckoned(String text, String network, String last) {
        IpPrefix prefix = IpPrefix.parse(text);
        assertThat(prefix.network()).hasToString(network);
        assertThat(prefix.last()).hasToString(last);
        assertThat(prefix.contains(prefix.last())).isTrue();
        assertThat(prefix.network().contains(prefix.address())).isTrue();
        assertThat(new HostAddress(prefix, HostAddress.Origin.LAB).scope()).isEqualTo("global");
    }
}
