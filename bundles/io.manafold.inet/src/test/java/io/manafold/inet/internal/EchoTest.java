package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Neighbour;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class EchoTest {
    private final Pair pair = new Pair();

    @AfterEach
    void allBuffersAreHome() {
        pair.hostA.detach(pair.a);
        pair.hostB.detach(pair.b);
        pair.settle();
        assertThat(pair.a.outstanding()).isZero();
        assertThat(pair.b.outstanding()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.77.0.2", "fd77::2", "fe80::20d:3aff:fe00:2"})
    void aNeighbourAnswers(String target) throws Exception {
        Ping ping = pair.hostA.ping(PingPlan.to(IpAddress.parse(target), 3));
        List<PingEvent> events = pair.finish(ping);
        assertThat(events).hasSize(3).allSatisfy(event -> {
            assertThat(event.kind()).isEqualTo(PingEvent.Kind.REPLY);
            assertThat(event.from()).hasToString(target);
            assertThat(event.bytes()).isEqualTo(64);
            assertThat(event.ttl()).isEqualTo(64);
        });
        assertThat(events).extracting(PingEvent::sequence).containsExactly(1, 2, 3);
        assertThat(ping.summary().transmitted()).isEqualTo(3);
        assertThat(ping.summary().received()).isEqualTo(3);
        assertThat(ping.summary().loss()).isZero();
        assertThat(pair.hostA.runs()).isEmpty();
        assertThat(pair.hostA.neighbours()).anySatisfy(neighbour -> {
            assertThat(neighbour.address()).hasToString(target);
            assertThat(neighbour.mac()).isEqualTo(pair.b.mac());
            assertThat(neighbour.state()).isEqualTo(Neighbour.State.REACHABLE);
        });
    }

    @Test
    void allSizesUpToTheMtu() throws Exception {
        for (IpAddress target : List.of(Pair.B4, Pair.B6)) {
            int most = target.isIpv4() ? 1472 : 1452;
            for (int size : new int[] {0, 1, 7, 8, 200, 201, 1001, most}) {
                Ping ping = pair.hostA.ping(new PingPlan(target, null, 1, 1_000_000_000L, 1_000_000_000L, size, 9));
                assertThat(pair.finish(ping)).as(target + " " + size).singleElement()
                        .satisfies(event -> assertThat(event.kind()).isEqualTo(PingEvent.Kind.REPLY));
            }
            assertThatThrownBy(() -> pair.hostA
                    .ping(new PingPlan(target, null, 1, 1_000_000_000L, 1_000_000_000L, most + 1, 9)))
                    .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.errno()).isEqualTo(Errno.EMSGSIZE))
                    .hasMessageContaining("1500");
        }
    }

    @Test
    void theHostAnswersItself() throws Exception {
        for (IpAddress own : List.of(Pair.A4, Pair.A6)) {
            long before = pair.a.sent;
            assertThat(pair.finish(pair.hostA.ping(PingPlan.to(own, 2)))).hasSize(2)
                    .allSatisfy(event -> assertThat(event.kind()).isEqualTo(PingEvent.Kind.REPLY));
            assertThat(pair.a.sent).as("nothing of it is on the wire").isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.77.0.9", "fd77::9"})
    void whoIsNotThereCannotBeReached(String target) throws Exception {
        Ping ping = pair.hostA.ping(PingPlan.to(IpAddress.parse(target), 2));
        List<PingEvent> events = pair.finish(ping);
        assertThat(events).hasSize(2).allSatisfy(event -> {
            assertThat(event.kind()).isEqualTo(PingEvent.Kind.HOST_UNREACHABLE);
            assertThat(event.from()).isEqualTo(ping.source());
        });
        assertThat(ping.summary().errors()).isEqualTo(2);
        assertThat(ping.summary().loss()).isEqualTo(100);
        assertThat(pair.hostA.neighbours()).anySatisfy(neighbour -> {
            assertThat(neighbour.address()).hasToString(target);
            assertThat(neighbour.state()).isEqualTo(Neighbour.State.FAILED);
            assertThat(neighbour.mac()).isNull();
        });
    }

    @Test
    void lostAnswersAreWaitedForAndMissed() throws Exception {
        assertThat(pair.finish(pair.hostA.ping(PingPlan.to(Pair.B4, 1)))).hasSize(1);
        pair.wire.filter = packet -> packet.get16(12) != 0x0800;
        Ping ping = pair.hostA.ping(new PingPlan(Pair.B4, null, 2, 1_000_000_000L, 3_000_000_000L, 56, 64));
        assertThat(pair.finish(ping)).extracting(PingEvent::kind).containsOnly(PingEvent.Kind.TIMEOUT);
        assertThat(ping.summary().received()).isZero();
    }

    @Test
    void anotherDeviceOfTheNameGoesOn() throws Exception {
        Ping ping = pair.hostA.ping(PingPlan.to(Pair.B4, 4));
        pair.settle();
        pair.pass(1_200_000_000L);
        pair.hostA.detach(pair.a);
        assertThat(pair.hostA.addresses()).extracting(own -> own.prefix().toString()).contains("10.77.0.1/24",
                "fd77::1/64", "fe80::20d:3aff:fe00:1/64");
        assertThat(pair.hostA.neighbours()).isNotEmpty();
        pair.now += 1_000_000_000L;
        pair.hostA.refresh();
        pair.wire.devices.remove(pair.a);
        FakeDevice again = new FakeDevice("mana0", 0x000d3a000001L, pair.wire);
        pair.hostA.attach(again);
        List<PingEvent> events = pair.finish(ping);
        assertThat(events).extracting(PingEvent::kind).containsExactly(PingEvent.Kind.REPLY, PingEvent.Kind.REPLY,
                PingEvent.Kind.DEVICE_AWAY, PingEvent.Kind.REPLY);
        pair.hostA.detach(again);
        assertThat(again.outstanding()).isZero();
    }

    @Test
    void refusalsSayWhatToDo() {
        assertThatThrownBy(() -> pair.hostA.ping(PingPlan.to(IpAddress.parse("192.0.2.1"), 1)))
                .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENETUNREACH))
                .hasMessageContaining("ip route");
        pair.a.up = false;
        assertThatThrownBy(() -> pair.hostA.ping(PingPlan.to(Pair.B4, 1)))
                .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENETDOWN));
        pair.hostA.detach(pair.a);
        assertThatThrownBy(() -> pair.hostA.ping(PingPlan.to(Pair.B4, 1)))
                .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV));
    }

    @Test
    void eachOfSeveralHostsOfASubnetAnswersForItself() throws Exception {
        FakeDevice c = new FakeDevice("mana2", 0x000d3a000003L, pair.wire);
        Node hostC = new Node("mana2", () -> pair.now, () -> { }, () -> { });
        hostC.addAddress(IpPrefix.parse("10.77.0.3/24"));
        hostC.attach(c);
        assertThat(pair.finish(pair.hostA.ping(PingPlan.to(IpAddress.parse("10.77.0.3"), 1)))).hasSize(1);
        assertThat(pair.finish(hostC.ping(PingPlan.to(Pair.B4, 1)))).singleElement()
                .satisfies(event -> assertThat(event.kind()).isEqualTo(PingEvent.Kind.REPLY));
        assertThat(pair.hostB.counters()).containsEntry("IcmpInEchos", 1L);
        hostC.detach(c);
        assertThat(c.outstanding()).isZero();
    }
}
