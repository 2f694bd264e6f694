package io.manafold.fabric.internal;

import static io.manafold.fabric.internal.Station.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.LinkStatus.PortStatus;
import io.manafold.api.fabric.Wire;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PlugTest {
    private static final long A = 0x000d3a000001L;
    private static final long B = 0x000d3a000002L;

    private static FabricLink link(LinkPlan.Kind kind) {
        return FabricLink.open(new LinkPlan("net", kind, List.of("a/1", "b/1"), null, Impairments.NONE));
    }

    @Test
    void aCableLeadsToItsOtherEnd() throws Exception {
        try (FabricLink link = link(LinkPlan.Kind.DIRECT); Station a = Station.on(link, "a/1")) {
            a.send(frame(B, A, 1, 60));
            while (link.status().counters().get("undelivered") == 0) {
                Thread.onSpinWait();
            }
            try (Station b = Station.on(link, "b/1")) {
                a.send(frame(B, A, 2, 100), new byte[3]);
                assertThat(b.take(2)).containsExactly(frame(B, A, 2, 100), new byte[3]);
                b.send(frame(A, B, 3, 60));
                assertThat(a.next()).isEqualTo(frame(A, B, 3, 60));
                // a frame arrives a moment before it is counted
                while (link.status().ports().getFirst().rxFrames() == 0) {
                    Thread.onSpinWait();
                }
                assertThat(link.status().ports()).containsExactly(new PortStatus("a/1", true, 3, 163, 1, 60, 0),
                        new PortStatus("b/1", true, 1, 60, 2, 103, 0));
                assertThat(link.status().kind()).isEqualTo("direct");
            }
            assertThat(link.status().ports().get(1).plugged()).isFalse();
        }
    }

    @Test
    void strangersAndTwinsAreRefused() {
        try (FabricLink link = link(LinkPlan.Kind.SWITCH); Station a = Station.on(link, "a/1");
                Station twin = new Station("a/1"); Station stranger = new Station("c/1")) {
            assertThatThrownBy(() -> twin.plugInto(link)).isInstanceOfSatisfying(Refusal.class,
                    refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EBUSY)).hasMessageContaining("a/1");
            assertThatThrownBy(() -> stranger.plugInto(link)).isInstanceOfSatisfying(Refusal.class,
                    refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL)).hasMessageContaining("c/1");
            a.unplug();
            twin.plugInto(link);
            link.close();
            assertThatThrownBy(() -> a.plugInto(link)).isInstanceOfSatisfying(Refusal.class,
                    refusal -> assertThat(refusal.errno()).isEqualTo(Errno.ENODEV));
        }
    }

    @Test
    void aLinkIsClosedOnceHoweverOftenAndFramesAreSentOnItsAgentOnly() {
        FabricLink link = link(LinkPlan.Kind.SWITCH);
        link.impair(new Impairments(0, 0, 1, 1, 1));
        Station a = Station.on(link, "a/1");
        assertThatThrownBy(() -> a.wire().send(new io.manafold.packet.FrameBurst(1, 1)))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("agent of link net");
        link.close();
        link.close();
        a.close();
        assertThatThrownBy(() -> link.impair(new Impairments(0, 0, 0, 1, 1))).isInstanceOf(Refusal.class);
        assertThat(link.status().ports()).noneMatch(PortStatus::plugged);
    }

    @Test
    void commandsRunOnTheAgentBeforeClosingAndHereAfterwards() {
        try (FabricLink link = link(LinkPlan.Kind.SWITCH); Station a = Station.on(link, "a/1")) {
            List<Integer> order = new ArrayList<>();
            AtomicReference<Thread> agent = new AtomicReference<>();
            for (int i = 0; i < 100; i++) {
                int number = i;
                a.wire().execute(() -> {
                    order.add(number);
                    agent.set(Thread.currentThread());
                });
            }
            a.wire().close();
            assertThat(order).hasSize(100).isSorted();
            assertThat(agent.get()).isNotSameAs(Thread.currentThread());
            a.wire().execute(() -> agent.set(Thread.currentThread()));
            assertThat(agent.get()).isSameAs(Thread.currentThread());
            a.wire().close();
            a.wire().wake();
        }
    }

    @Test
    void whoIsBusyIsWaitedFor() throws Exception {
        try (FabricLink link = link(LinkPlan.Kind.SWITCH); Station a = Station.on(link, "a/1")) {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            a.onWork = station -> {
                inside.countDown();
                try {
                    go.await();
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
            };
            a.wire().wake();
            inside.await();
            AtomicInteger ran = new AtomicInteger();
            Thread closing = Thread.ofPlatform().start(a::unplug);
            while (closing.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            Thread late = Thread.ofPlatform().start(() -> a.wire().execute(ran::incrementAndGet));
            while (late.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            assertThat(ran.get()).as("the agent is still inside").isZero();
            go.countDown();
            closing.join();
            late.join();
            assertThat(ran.get()).isEqualTo(1);
        }
    }

    @Test
    void aPortMayUnplugItselfWhileItWorksAndWhileItReceives() throws Exception {
        try (FabricLink link = link(LinkPlan.Kind.SWITCH); Station a = Station.on(link, "a/1");
                Station b = Station.on(link, "b/1")) {
            b.onReceive = () -> b.wire().close();
            a.send(frame(B, A, 1, 60), frame(B, A, 2, 60));
            b.take(2);
            a.onWork = station -> {
                station.wire().close();
                station.wire().close();
            };
            a.wire().wake();
            while (link.status().ports().stream().anyMatch(PortStatus::plugged)) {
                Thread.onSpinWait();
            }
            b.onReceive = () -> { };
            b.plugInto(link);
            assertThat(link.status().problems()).isEmpty();
        }
    }

    @Test
    void whatIsSentWhileReceivingIsDroppedAndTold() throws Exception {
        try (FabricLink link = link(LinkPlan.Kind.SWITCH); Station a = Station.on(link, "a/1");
                Station b = Station.on(link, "b/1")) {
            io.manafold.packet.FrameBurst answer = new io.manafold.packet.FrameBurst(1, 1);
            answer.begin(0);
            answer.add(0, 0);
            b.onReceive = () -> b.wire().send(answer);
            a.send(frame(B, A, 1, 60));
            b.next();
            while (link.status().problems().isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(link.status().problems().getFirst()).contains("while it was receiving");
            assertThat(a.waiting()).isZero();
        }
    }

    /** Plugging, unplugging and the link's departure in every order, with frames on their way all the time. */
    @Test
    void allOrdersOfComingAndGoingUnderTraffic() throws Exception {
        List<List<String>> orders = new ArrayList<>();
        permute(new ArrayList<>(List.of("+a", "+b", "-a", "-b", "gone")), new ArrayList<>(), orders);
        assertThat(orders).hasSize(120);
        for (LinkPlan.Kind kind : List.of(LinkPlan.Kind.SWITCH, LinkPlan.Kind.DIRECT)) {
            for (List<String> order : orders) {
                run(kind, order);
            }
        }
    }

    private static void permute(List<String> left, List<String> done, List<List<String>> all) {
        if (left.isEmpty()) {
            all.add(List.copyOf(done));
        }
        for (String next : List.copyOf(left)) {
            left.remove(next);
            done.add(next);
            permute(left, done, all);
            done.removeLast();
            left.add(next);
        }
    }

    private static void run(LinkPlan.Kind kind, List<String> order) throws InterruptedException {
        FabricLink link = link(kind);
        if (order.hashCode() % 3 == 0) {
            link.impair(new Impairments(1, 1, 1, 50_000, 3));
        }
        Station a = busy("a/1", B, A);
        Station b = busy("b/1", A, B);
        boolean aIn = false;
        boolean bIn = false;
        boolean gone = false;
        for (String step : order) {
            Station station = step.endsWith("a") ? a : b;
            if (step.equals("gone")) {
                link.close();
                gone = true;
                a.unplugged = true;
                b.unplugged = true;
            } else if (step.startsWith("+")) {
                if (gone) {
                    assertThatThrownBy(() -> station.plugInto(link)).isInstanceOf(Refusal.class);
                    station.unplugged = true;
                } else {
                    station.plugInto(link);
                    aIn |= station == a;
                    bIn |= station == b;
                }
            } else if (station == a ? aIn : bIn) {
                station.unplug();
            }
            if (!gone) {
                long until = station.cycles + 20;
                Wire wire = station.wire();
                boolean works = link.status().ports().get(station == a ? 0 : 1).plugged();
                while (works && wire != null && station.cycles < until) {
                    Thread.onSpinWait();
                }
            }
        }
        link.close();
        for (Station station : List.of(a, b)) {
            if (station.wire() != null) {
                station.unplug();
            }
            assertThat(station.calledAfterwards).as(kind + " " + order).isFalse();
        }
        assertThat(link.status().problems()).as(kind + " " + order).isEmpty();
    }

    private static Station busy(String name, long to, long from) {
        Station station = new Station(name);
        byte[] one = frame(to, from, 1, 60);
        byte[] other = frame(0xffffffffffffL, from, 2, 60);
        station.onWork = it -> it.send(one, other);
        station.onReceive = () -> station.drain();
        return station;
    }
}
