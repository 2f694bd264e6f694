package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingPlan;
import java.util.ArrayList;
import java.util.List;

/** Two hosts on one wire, a clock that tests turn, and devices whose cycles tests run. */
final class Pair {
    static final IpAddress A4 = IpAddress.parse("10.77.0.1");
    static final IpAddress B4 = IpAddress.parse("10.77.0.2");
    static final IpAddress A6 = IpAddress.parse("fd77::1");
    static final IpAddress B6 = IpAddress.parse("fd77::2");

    final FakeDevice.Wire wire = new FakeDevice.Wire();
    final FakeDevice a = new FakeDevice("mana0", 0x000d3a000001L, wire);
    final FakeDevice b = new FakeDevice("mana1", 0x000d3a000002L, wire);
    long now = 1_000_000_000_000L;
    final Node hostA = new Node("mana0", () -> now, () -> { }, () -> { });
    final Node hostB = new Node("mana1", () -> now, () -> { }, () -> { });

    Pair() {
        hostA.addAddress(new IpPrefix(A4, 24));
        hostA.addAddress(new IpPrefix(A6, 64));
        hostB.addAddress(new IpPrefix(B4, 24));
        hostB.addAddress(new IpPrefix(B6, 64));
        hostA.attach(a);
        hostB.attach(b);
        settle();
    }

    void settle() {
        FakeDevice.settle(wire);
    }

    /** Some cycles of both, where packets go on and on. */
    void settleSome(int cycles) {
        for (int i = 0; i < cycles; i++) {
            a.turn();
            b.turn();
        }
    }

    /** What the first host sends to ask for an echo. */
    byte[] echoRequest(IpAddress to) {
        a.seen = new ArrayList<>();
        Ping ping = hostA.ping(PingPlan.to(to, 1));
        settleSome(20);
        ping.close();
        int type = to.isIpv4() ? Icmp.ECHO4 : Icmp.ECHO6;
        byte[] found = a.seen.stream().filter(frame -> frame.length > 54 && frame[Output.transport(to.version())]
                == (byte) type && frame[to.isIpv4() ? 23 : 20] == (to.isIpv4() ? 1 : 58)).findFirst().orElseThrow();
        a.seen = null;
        return found;
    }

    /** Lets time pass in steps that are shorter than everything that waits here. */
    void pass(long nanos) {
        long end = now + nanos;
        while (now < end) {
            now = Math.min(end, now + 100_000_000L);
            settle();
        }
    }

    /** Lets an echo run to its end. */
    List<PingEvent> finish(Ping ping) throws InterruptedException {
        for (int i = 0; i < 600 && !((EchoRun) ping).isOver(); i++) {
            settle();
            pass(100_000_000L);
        }
        List<PingEvent> events = new ArrayList<>();
        for (PingEvent event = ping.next(); event != null; event = ping.next()) {
            events.add(event);
        }
        return events;
    }
}
