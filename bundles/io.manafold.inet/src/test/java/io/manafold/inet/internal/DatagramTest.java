package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.manafold.api.inet.DatagramPort;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class DatagramTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Pair pair = new Pair();

    @AfterEach
    void allBuffersAreHome() {
        pair.hostA.detach(pair.a);
        pair.hostB.detach(pair.b);
        pair.settle();
        assertThat(pair.a.outstanding()).isZero();
        assertThat(pair.b.outstanding()).isZero();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"10.77.0.2,false", "10.77.0.2,true", "fd77::2,false", "fd77::2,true", "10.77.0.1,true",
            "fd77::1,false"})
    void aDatagramArrivesAndIsAnswered(String target, boolean checksums) {
        pair.a.checksums = checksums;
        pair.hostA.refresh();
        IpAddress to = IpAddress.parse(target);
        IpAddress any = to.isIpv4() ? IpAddress.ANY4 : IpAddress.ANY6;
        Node host = target.endsWith("2") ? pair.hostB : pair.hostA;
        List<String> heard = new ArrayList<>();
        DatagramPort echo = host.bind(any, 7, datagram -> {
            byte[] data = new byte[datagram.length()];
            datagram.get(0, data, 0, data.length);
            assertThat(datagram.to()).isEqualTo(to);
            assertThat(datagram.port().send(data, 0, data.length, datagram.from(), datagram.fromPort())).isTrue();
        });
        DatagramPort asking = pair.hostA.bind(any, 0, datagram -> {
            byte[] data = new byte[datagram.length()];
            datagram.get(0, data, 0, data.length);
            heard.add(new String(data, StandardCharsets.UTF_8) + " " + datagram.from() + " " + datagram.fromPort());
        });
        for (String text : new String[] {"hello", "", "odd", "x".repeat(1000)}) {
            assertThat(asking.send(bytes(text), 0, text.length(), to, 7)).isTrue();
        }
        pair.settle();
        assertThat(heard).containsExactly("hello " + target + " 7", " " + target + " 7", "odd " + target + " 7",
                "x".repeat(1000) + " " + target + " 7");
        assertThat(asking.counters()).containsEntry("sent", 4L).containsEntry("received", 4L)
                .containsEntry("dropped", 0L);
        echo.close();
        asking.close();
        assertThat(pair.hostA.ports()).isEmpty();
    }

    @Test
    void aClosedPortIsToldOf() {
        for (IpAddress to : List.of(Pair.B4, Pair.B6)) {
            DatagramPort port = pair.hostA.bind(to.isIpv4() ? IpAddress.ANY4 : IpAddress.ANY6, 0, _ -> { });
            port.send(new byte[800], 0, 800, to, 9);
            pair.settle();
            port.close();
        }
        assertThat(pair.hostB.counters()).containsEntry("UdpNoPorts", 1L).containsEntry("Udp6NoPorts", 1L)
                .containsEntry("IcmpOutDestUnreachs", 1L).containsEntry("Icmp6OutDestUnreachs", 1L);
        assertThat(pair.hostA.counters()).containsEntry("IcmpInDestUnreachs", 1L)
                .containsEntry("Icmp6InDestUnreachs", 1L).containsEntry("IcmpInCsumErrors", 0L)
                .containsEntry("Icmp6InCsumErrors", 0L);
    }

    /** Another host says that it comes from a network that this one has no route to. */
    @Test
    void anAnswerThatCannotGoCostsItsDatagramAlone() {
        DatagramPort echo = pair.hostA.bind(IpAddress.ANY4, 7, datagram ->
                datagram.port().send(new byte[1], 0, 1, datagram.from(), datagram.fromPort()));
        pair.hostB.addAddress(IpPrefix.parse("75.77.0.2/24"));
        List<String> heard = new ArrayList<>();
        DatagramPort known = pair.hostB.bind(Pair.B4, 0, datagram -> heard.add(datagram.from().toString()));
        DatagramPort stranger = pair.hostB.bind(IpAddress.parse("75.77.0.2"), 0, _ -> { });
        for (DatagramPort from : List.of(known, stranger, known)) {
            assertThat(from.send(new byte[1], 0, 1, Pair.A4, 7)).isTrue();
            pair.settle();
        }
        assertThat(echo.counters()).containsEntry("received", 3L).containsEntry("dropped", 1L);
        assertThat(heard).containsExactly("10.77.0.1", "10.77.0.1");
        List.of(echo, known, stranger).forEach(DatagramPort::close);
    }

    /** A device without a free buffer: what cannot be sent from within a receiver counts once, as everywhere else. */
    @Test
    void anAnswerThatCannotBeSentIsCountedOnce() {
        PacketBuffer[] held = new PacketBuffer[FakeDevice.BUFFERS];
        List<Boolean> sent = new ArrayList<>();
        DatagramPort echo = pair.hostB.bind(IpAddress.ANY4, 7, datagram -> {
            int count = pair.b.take(held, 0, held.length);
            sent.add(datagram.port().send(new byte[1], 0, 1, datagram.from(), datagram.fromPort()));
            PacketBuffer.release(held, 0, count);
        });
        DatagramPort from = pair.hostA.bind(IpAddress.ANY4, 0, _ -> { });
        from.send(new byte[1], 0, 1, Pair.B4, 7);
        pair.settle();
        assertThat(sent).containsExactly(false);
        assertThat(echo.counters()).containsEntry("sent", 0L).containsEntry("dropped", 1L);
        for (int i = 0; i < Outbox.SLOTS; i++) {
            assertThat(from.send(new byte[1], 0, 1, Pair.B4, 9)).isTrue();
        }
        assertThat(from.send(new byte[1], 0, 1, Pair.B4, 9)).isFalse();
        assertThat(from.counters()).containsEntry("dropped", 1L);
        List.of(echo, from).forEach(DatagramPort::close);
    }

    /** As a class that went with its bundle, and one that cannot even be told of. */
    private static final class Gone extends NoClassDefFoundError {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("on purpose");
        }
    }

    /** All buffers are home afterwards, those of the burst behind it included. */
    @Test
    void anErrorOfAReceiverClosesItsPortAlone() {
        List<Integer> heard = new ArrayList<>();
        DatagramPort other = pair.hostB.bind(IpAddress.ANY4, 6, datagram -> heard.add(datagram.length()));
        pair.hostB.bind(IpAddress.ANY4, 7, _ -> {
            throw new Gone();
        });
        DatagramPort from = pair.hostA.bind(IpAddress.ANY4, 0, _ -> { });
        for (int i = 1; i <= 9; i++) {
            assertThat(from.send(new byte[i], 0, i, Pair.B4, i == 3 || i == 6 ? 7 : 6)).isTrue();
        }
        pair.settle();
        assertThat(heard).containsExactly(1, 2, 4, 5, 7, 8, 9);
        assertThat(pair.hostB.ports()).extracting(UdpPort::port).containsExactly(6);
        other.close();
        from.close();
    }

    @Test
    void refusals() {
        DatagramPort port = pair.hostA.bind(IpAddress.ANY4, 5000, _ -> { });
        refused(Errno.EADDRINUSE, () -> pair.hostA.bind(Pair.A4, 5000, _ -> { }));
        refused(Errno.EADDRNOTAVAIL, () -> pair.hostA.bind(Pair.B4, 1, _ -> { }));
        refused(Errno.EMSGSIZE, () -> port.send(new byte[1473], 0, 1473, Pair.B4, 1));
        refused(Errno.ENETUNREACH, () -> port.send(new byte[1], 0, 1, IpAddress.parse("192.0.2.1"), 1));
        refused(Errno.EINVAL, () -> port.send(new byte[1], 0, 1, Pair.B6, 1));
        pair.a.up = false;
        pair.hostA.refresh();
        refused(Errno.ENETDOWN, () -> port.send(new byte[1], 0, 1, Pair.B4, 1));
        pair.hostA.detach(pair.a);
        refused(Errno.ENODEV, () -> port.send(new byte[1], 0, 1, Pair.B4, 1));
        port.close();
        refused(Errno.EBADF, () -> port.send(new byte[1], 0, 1, Pair.B4, 1));
    }

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    /** Echo requests and datagrams that go back and forth on this one thread, which then allocates nothing. */
    @ParameterizedTest
    @CsvSource({"10.77.0.2,false", "10.77.0.2,true", "fd77::2,false"})
    void nothingIsAllocatedPerPacket(String target, boolean checksums) {
        pair.a.checksums = checksums;
        pair.b.checksums = checksums;
        pair.hostA.refresh();
        pair.hostB.refresh();
        IpAddress to = IpAddress.parse(target);
        IpAddress any = to.isIpv4() ? IpAddress.ANY4 : IpAddress.ANY6;
        byte[] data = new byte[600];
        DatagramPort answering = pair.hostB.bind(any, 7, datagram -> datagram.port().send(data, 0, 600,
                datagram.from(), datagram.fromPort()));
        DatagramPort asking = pair.hostA.bind(any, 8, datagram -> datagram.port().send(data, 0, 600,
                datagram.from(), datagram.fromPort()));
        for (int i = 0; i < 3; i++) {
            asking.send(data, 0, 600, to, 7);
            pair.settleSome(20);
        }
        byte[] echo = pair.echoRequest(to);
        long least = Long.MAX_VALUE;
        // the compiler has other work, too
        long patience = System.nanoTime() + 60_000_000_000L;
        while (least > 0 && System.nanoTime() - patience < 0) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1000; i++) {
                pair.b.deliver(echo, echo.length, 0);
                pair.a.turn();
                pair.b.turn();
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes for thousands of packets").isZero();
        assertThat(asking.counters().get("received")).isGreaterThan(1000);
        assertThat(pair.hostB.counters().get(to.isIpv4() ? "IcmpOutEchoReps" : "Icmp6OutEchoReplies"))
                .isGreaterThanOrEqualTo(1000);
        answering.close();
        asking.close();
    }
}
