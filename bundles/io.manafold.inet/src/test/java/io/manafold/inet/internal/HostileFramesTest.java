package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.inet.DatagramPort;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Neighbour;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.net.PacketBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever arrives: nothing breaks, nothing is lost, no host is believed that was not asked. */
@Timeout(120)
class HostileFramesTest {
    private static final long STRANGER = 0x020000000099L;

    private final Pair pair = new Pair();

    @AfterEach
    void allBuffersAreHome() {
        pair.hostA.detach(pair.a);
        pair.hostB.detach(pair.b);
        pair.settle();
        assertThat(pair.a.outstanding()).isZero();
        assertThat(pair.b.outstanding()).isZero();
    }

    /**
     * Frames that were good once, with bytes changed, cut off and added; with and without what a device vouches for.
     */
    @Test
    void changedFramesDoNoHarm() throws Exception {
        List<byte[]> seeds = seeds();
        DatagramPort port = pair.hostA.bind(IpAddress.ANY4, 7, datagram -> {
            byte[] data = new byte[datagram.length()];
            datagram.get(0, data, 0, data.length);
            datagram.port().send(data, 0, data.length, datagram.from(), 7);
        });
        Random random = new Random(20261122);
        for (int i = 0; i < 200_000; i++) {
            byte[] frame = seeds.get(random.nextInt(seeds.size())).clone();
            int changes = random.nextInt(4);
            for (int c = 0; c < changes; c++) {
                int at = random.nextInt(Math.min(frame.length, random.nextBoolean() ? 80 : frame.length));
                frame[at] = switch (random.nextInt(4)) {
                    case 0 -> (byte) random.nextInt();
                    case 1 -> (byte) 0xff;
                    case 2 -> 0;
                    default -> (byte) (frame[at] ^ 1 << random.nextInt(8));
                };
            }
            int length = random.nextInt(3) == 0 ? random.nextInt(frame.length + 1) : frame.length;
            int flags = random.nextBoolean() ? 0
                    : PacketBuffer.IP_CHECKSUM_GOOD | PacketBuffer.TRANSPORT_CHECKSUM_GOOD;
            pair.a.deliver(frame, length, flags);
            if (i % 16 == 0) {
                pair.now += random.nextInt(50_000_000);
                pair.a.turn();
                pair.b.turn();
            }
        }
        pair.pass(5 * Clock.SECOND);
        port.close();
        assertThat(pair.hostA.neighbours()).hasSizeLessThanOrEqualTo(NeighbourTable.MOST);
        pair.hostB.neighbours().forEach(one -> pair.hostB.removeNeighbour(one.address()));
        pair.hostA.neighbours().forEach(one -> pair.hostA.removeNeighbour(one.address()));
        assertThat(pair.finish(pair.hostA.ping(PingPlan.to(Pair.B4, 1)))).extracting(PingEvent::kind)
                .containsExactly(PingEvent.Kind.REPLY);
    }

    private List<byte[]> seeds() throws Exception {
        List<byte[]> seeds = new ArrayList<>();
        pair.b.seen = seeds;
        pair.finish(pair.hostB.ping(PingPlan.to(Pair.A4, 1)));
        pair.finish(pair.hostB.ping(PingPlan.to(Pair.A6, 1)));
        pair.finish(pair.hostA.ping(PingPlan.to(Pair.B6, 1)));
        for (IpAddress to : List.of(Pair.A4, Pair.A6)) {
            DatagramPort port = pair.hostB.bind(to.isIpv4() ? IpAddress.ANY4 : IpAddress.ANY6, 0, _ -> { });
            port.send(new byte[300], 0, 300, to, 7);
            port.send(new byte[300], 0, 300, to, 9);
            pair.settle();
            port.close();
        }
        DatagramPort closed = pair.hostA.bind(IpAddress.ANY4, 0, _ -> { });
        closed.send(new byte[20], 0, 20, Pair.B4, 9);
        pair.settle();
        closed.close();
        pair.b.seen = null;
        assertThat(seeds).hasSizeGreaterThan(9);
        return seeds;
    }

    private static byte[] arp(int operation, long fromMac, String from, long toMac, String to) {
        byte[] frame = new byte[60];
        BigEndian.put48(frame, 0, toMac);
        BigEndian.put48(frame, 6, fromMac);
        BigEndian.put16(frame, 12, 0x0806);
        BigEndian.put32(frame, 14, 0x0001_0800);
        BigEndian.put16(frame, 18, 0x0604);
        BigEndian.put16(frame, 20, operation);
        BigEndian.put48(frame, 22, fromMac);
        BigEndian.put32(frame, 28, (int) IpAddress.parse(from).low());
        BigEndian.put48(frame, 32, toMac);
        BigEndian.put32(frame, 38, (int) IpAddress.parse(to).low());
        return frame;
    }

    private Neighbour neighbour(String address) {
        return pair.hostA.neighbours().stream().filter(one -> one.address().toString().equals(address)).findFirst()
                .orElse(null);
    }

    @Test
    void whoAnswersUnaskedIsNotEntered() {
        long before = pair.hostA.counters().get("NeighUnasked");
        byte[] reply = arp(2, STRANGER, "10.77.0.50", pair.a.mac().value(), "10.77.0.1");
        pair.a.deliver(reply, reply.length, 0);
        pair.settle();
        assertThat(neighbour("10.77.0.50")).isNull();
        assertThat(pair.hostA.counters().get("NeighUnasked")).isEqualTo(before + 1);
    }

    @Test
    void whoSeemsToHaveMovedIsAskedWhereHeWas() throws Exception {
        pair.finish(pair.hostA.ping(PingPlan.to(Pair.B4, 1)));
        for (int operation = 1; operation <= 2; operation++) {
            byte[] lie = arp(operation, STRANGER, "10.77.0.2", pair.a.mac().value(), "10.77.0.1");
            pair.a.deliver(lie, lie.length, 0);
            pair.settle();
            assertThat(neighbour("10.77.0.2").mac()).isEqualTo(pair.b.mac());
            assertThat(neighbour("10.77.0.2").state()).isEqualTo(Neighbour.State.REACHABLE);
        }
        assertThat(pair.finish(pair.hostA.ping(PingPlan.to(Pair.B4, 1)))).extracting(PingEvent::kind)
                .containsExactly(PingEvent.Kind.REPLY);
    }

    @Test
    void whoTakesOurAddressIsCounted() {
        byte[] claim = arp(1, STRANGER, "10.77.0.1", 0xffffffffffffL, "10.77.0.1");
        pair.a.deliver(claim, claim.length, 0);
        pair.settle();
        assertThat(pair.hostA.counters().get("AddrConflicts")).isEqualTo(1);
        assertThat(neighbour("10.77.0.1")).isNull();
    }

    @Test
    void theTableIsBoundedAndKeepsThoseThatAreNeeded() throws Exception {
        pair.finish(pair.hostA.ping(PingPlan.to(Pair.B4, 1)));
        pair.hostA.addAddress(IpPrefix.parse("10.88.0.1/16"));
        for (int i = 0; i < 5000; i++) {
            byte[] question = arp(1, STRANGER, "10.88." + (i >> 8) + "." + (i & 255 | 2), pair.a.mac().value(),
                    "10.88.0.1");
            pair.a.deliver(question, question.length, 0);
            pair.now += 1_000_000;
            pair.a.turn();
        }
        assertThat(pair.hostA.neighbours()).hasSize(NeighbourTable.MOST);
        assertThat(neighbour("10.77.0.2").state()).isEqualTo(Neighbour.State.REACHABLE);
        assertThat(pair.hostA.counters().get("NeighTableFull")).isPositive();
    }

    @Test
    void errorsAreSparse() {
        DatagramPort port = pair.hostA.bind(IpAddress.ANY4, 0, _ -> { });
        for (int i = 0; i < 500; i++) {
            port.send(new byte[1], 0, 1, Pair.B4, 9);
            if (i % 50 == 0) {
                pair.settle();
            }
        }
        pair.settle();
        assertThat(pair.hostB.counters().get("IcmpOutDestUnreachs")).isBetween(1L, 60L);
        assertThat(pair.hostB.counters().get("IcmpOutRateLimitGlobal")).isPositive();
        port.close();
    }
}
