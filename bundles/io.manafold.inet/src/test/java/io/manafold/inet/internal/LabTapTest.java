package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.HostPlan;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.inet.TapStatus;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.Tap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which host has which tap, as labs want it; no packet passes. */
@Timeout(120)
class LabTapTest {
    private static final String ONE = "mil" + ProcessHandle.current().pid() % 1_000_000;
    private static final String OTHER = "mim" + ProcessHandle.current().pid() % 1_000_000;

    private final List<Node> nodes = new ArrayList<>();
    private long now = 1_000_000_000_000L;
    private final HostBook book = new HostBook(() -> now);

    @BeforeEach
    void tapsAreAllowed() {
        try {
            Tap.open(ONE).close();
        } catch (SystemCallException refused) {
            abort("taps need root: " + refused.getMessage());
        }
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
    }

    private Node node(String device) {
        Node node = book.node(device);
        nodes.add(node);
        return node;
    }

    private static Optional<String> tap(Host host) {
        return host.tap().map(TapStatus::name);
    }

    /** What a lab wants behind a device. */
    private static final class Plan implements HostPlan {
        private final String device;
        private String tap;

        Plan(String device, String tap) {
            this.device = device;
            this.tap = tap;
        }

        @Override
        public String device() {
            return device;
        }

        @Override
        public List<IpPrefix> addresses() {
            return List.of();
        }

        @Override
        public Optional<String> tap() {
            return Optional.ofNullable(tap);
        }
    }

    @Test
    void aTapThatAnotherProgramUsesIsHadOnceThatHasEnded() throws Exception {
        Node node = node("mana0");
        Plan plan = new Plan("mana0", ONE);
        book.addPlan(plan);
        try (Tap other = Tap.open(ONE)) {
            book.look();
            assertThat(node.problem()).hasValueSatisfying(text -> assertThat(text).contains(other.name(), "EBUSY"));
            now += Clock.SECOND;
            book.look();
            assertThat(tap(node)).isEmpty();
        }
        now += Clock.SECOND / 2;
        book.look();
        assertThat(tap(node)).as("not tried at each look").isEmpty();
        now += Clock.SECOND / 2;
        book.look();
        assertThat(tap(node)).contains(ONE);
        assertThat(node.problem()).isEmpty();
    }

    @Test
    void whatIsSetByHandMeanwhileHolds() throws Exception {
        Node node = node("mana0");
        book.addPlan(new Plan("mana0", ONE));
        try (Tap other = Tap.open(ONE)) {
            book.look();
            assertThat(node.problem()).hasValueSatisfying(text -> assertThat(text).contains(other.name()));
        }
        node.setTap(null);
        assertThat(node.problem()).isEmpty();
        now += 2 * Clock.SECOND;
        book.look();
        assertThat(tap(node)).isEmpty();
    }

    /** Hosts are looked at by their names, and what the first is to have the last still has. */
    @Test
    void tapsMoveBetweenDevicesInOneLook() {
        Node first = node("mana0");
        Node last = node("mana1");
        Plan ofFirst = new Plan("mana0", null);
        Plan ofLast = new Plan("mana1", ONE);
        book.addPlan(ofFirst);
        book.addPlan(ofLast);
        book.look();
        assertThat(tap(last)).contains(ONE);
        ofFirst.tap = ONE;
        ofLast.tap = OTHER;
        book.look();
        assertThat(tap(first)).contains(ONE);
        assertThat(tap(last)).contains(OTHER);
        ofFirst.tap = OTHER;
        ofLast.tap = ONE;
        book.look();
        assertThat(tap(first)).contains(OTHER);
        assertThat(tap(last)).contains(ONE);
        assertThat(first.problem()).isEmpty();
        assertThat(last.problem()).isEmpty();
    }

    @Test
    void aHostWithATapIsNotForgottenWhenThereAreMany() {
        Node node = node("mana0");
        node.setTap(ONE);
        for (int i = 0; i < 300; i++) {
            book.node("many" + i);
        }
        assertThat(book.node("mana0")).isSameAs(node);
        assertThat(book.list()).containsExactly(node);
        node.setTap(null);
        book.node("one-more");
        assertThat(book.list()).isEmpty();
    }

    @Test
    void echoesUnderWayComeToTheirEndWhenTheKernelTakesTheirPlace() throws Exception {
        Pair pair = new Pair();
        nodes.add(pair.hostA);
        Ping ping = pair.hostA.ping(PingPlan.to(Pair.B4, 3));
        pair.settle();
        pair.hostA.setTap(ONE);
        pair.hostA.attach(pair.a);
        assertThat(pair.hostA.mode()).isEqualTo(Host.Mode.TAP);
        for (int i = 0; i < 20 && !((EchoRun) ping).isOver(); i++) {
            pair.now += Clock.SECOND;
            pair.hostA.refresh();
        }
        assertThat(((EchoRun) ping).isOver()).isTrue();
        assertThat(List.of(ping.next().kind(), ping.next().kind(), ping.next().kind())).containsExactly(
                PingEvent.Kind.REPLY, PingEvent.Kind.DEVICE_AWAY, PingEvent.Kind.DEVICE_AWAY);
        assertThat(ping.next()).isNull();
        assertThat(pair.hostA.runs()).isEmpty();
        pair.hostA.detach(pair.a);
    }
}
