package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.inet.DatagramPort;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Route;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import org.junit.jupiter.api.Test;

/** Where others are on the link, asked for without a packet and without waiting. */
class ResolveTest {
    private final Pair pair = new Pair();

    private void assertRefused(IpAddress target, Errno errno) {
        assertThatThrownBy(() -> pair.hostA.resolve(target)).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).as(refused.getMessage()).isEqualTo(errno));
    }

    @Test
    void aNeighbourIsAskedForAndFound() {
        for (IpAddress target : new IpAddress[] {Pair.B4, Pair.B6}) {
            assertThat(pair.hostA.resolve(target)).isEmpty();
            pair.settle();
            assertThat(pair.hostA.resolve(target)).contains(new MacAddress(0x000d3a000002L));
        }
        assertThat(pair.hostA.source(Pair.B4)).isEqualTo(Pair.A4);
        assertThat(pair.hostA.source(Pair.B6)).isEqualTo(Pair.A6);
    }

    /** A station that has others asked for that are silent keeps no new one from being found. */
    @Test
    void aNeighbourIsAskedForAlsoWhenNoMorePacketsMayWait() {
        DatagramPort port = pair.hostA.bind(IpAddress.ANY4, 5000, _ -> { });
        for (int silent = 10; silent < 10 + NeighbourTable.ALL_WAITING / NeighbourTable.WAITING; silent++) {
            for (int i = 0; i < NeighbourTable.WAITING; i++) {
                port.send(new byte[1], 0, 1, IpAddress.parse("10.77.0." + silent), 5000);
            }
            pair.settle();
        }
        assertThat(pair.a.outstanding()).isEqualTo(NeighbourTable.ALL_WAITING);
        port.send(new byte[1], 0, 1, Pair.B4, 5000);
        pair.settle();
        assertThat(pair.hostA.resolve(Pair.B4)).contains(new MacAddress(0x000d3a000002L));
        assertThat(pair.a.outstanding()).isEqualTo(NeighbourTable.ALL_WAITING);
    }

    @Test
    void oneBehindAGatewayIsWhereTheGatewayIs() {
        pair.hostA.addRoute(new Route(IpPrefix.parse("10.88.0.0/16"), Pair.B4, null, 0, Route.Origin.STATIC));
        IpAddress far = IpAddress.parse("10.88.3.4");
        assertThat(pair.hostA.resolve(far)).isEmpty();
        pair.settle();
        assertThat(pair.hostA.resolve(far)).contains(new MacAddress(0x000d3a000002L));
    }

    @Test
    void oneThatDoesNotAnswerIsToldAndAskedForAgainLater() {
        IpAddress silent = IpAddress.parse("10.77.0.9");
        assertThat(pair.hostA.resolve(silent)).isEmpty();
        pair.pass(2_500_000_000L);
        assertThat(pair.hostA.resolve(silent)).as("asked three times").isEmpty();
        pair.pass(1_000_000_000L);
        assertRefused(silent, Errno.EHOSTUNREACH);
        pair.pass(1_500_000_000L);
        assertThat(pair.hostA.resolve(silent)).isEmpty();
        pair.hostB.addAddress(new IpPrefix(silent, 24));
        pair.settle();
        assertThat(pair.hostA.resolve(silent)).contains(new MacAddress(0x000d3a000002L));
    }

    @Test
    void whatIsNoOtherHostIsRefused() {
        assertRefused(Pair.A4, Errno.EINVAL);
        assertRefused(IpAddress.parse("10.77.0.255"), Errno.EINVAL);
        assertRefused(IpAddress.parse("224.0.0.1"), Errno.EINVAL);
        assertRefused(IpAddress.parse("192.0.2.1"), Errno.ENETUNREACH);
        pair.hostA.detach(pair.a);
        assertRefused(Pair.B4, Errno.ENODEV);
    }
}
