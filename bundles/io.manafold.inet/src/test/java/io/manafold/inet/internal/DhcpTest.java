package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Lease;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.net.PacketBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stations ask a host for addresses, as clients of DHCP do and as no client does. */
@Timeout(120)
class DhcpTest {
    private static final int GOOD = PacketBuffer.IP_CHECKSUM_GOOD | PacketBuffer.TRANSPORT_CHECKSUM_GOOD;
    private static final int MESSAGE = 42;
    private static final int SERVER = 0x0a4d0001;
    private static final int FIRST = 0x0a4d0064;
    private static final long ONE = 0x000d3a0000a1L;
    private static final long TWO = 0x000d3a0000a2L;
    private static final long THREE = 0x000d3a0000a3L;
    private static final String RANGE = "10.77.0.100-10.77.0.101";

    private final Pair pair = new Pair();

    @BeforeEach
    void give() {
        pair.hostA.labDhcp(Optional.of(range(RANGE)));
    }

    @AfterEach
    void allBuffersAreHome() {
        pair.hostA.detach(pair.a);
        pair.hostB.detach(pair.b);
        pair.settle();
        assertThat(pair.a.outstanding()).isZero();
        assertThat(pair.b.outstanding()).isZero();
    }

    private static DhcpRange range(String text) {
        return DhcpRange.parse(text, List.of(IpPrefix.parse("fd77::1/64"), new IpPrefix(Pair.A4, 24)));
    }

    /** A frame with a message of DHCP. */
    private static byte[] message(long mac, int type, int client, int wanted, int server) {
        byte[] frame = new byte[MESSAGE + 300];
        BigEndian.put48(frame, 0, 0xffff_ffff_ffffL);
        BigEndian.put48(frame, 6, mac);
        BigEndian.put16(frame, 12, 0x800);
        BigEndian.put16(frame, 14, 0x4500);
        BigEndian.put16(frame, 16, frame.length - 14);
        BigEndian.put16(frame, 22, 0x4011);
        BigEndian.put32(frame, 26, client);
        BigEndian.put32(frame, 30, -1);
        BigEndian.put16(frame, 34, 68);
        BigEndian.put16(frame, 36, 67);
        BigEndian.put16(frame, 38, frame.length - 34);
        BigEndian.put32(frame, MESSAGE, 0x01010600);
        BigEndian.put32(frame, MESSAGE + 4, 0x12345678);
        BigEndian.put32(frame, MESSAGE + 12, client);
        BigEndian.put48(frame, MESSAGE + 28, mac);
        BigEndian.put32(frame, MESSAGE + 236, 0x63825363);
        int at = MESSAGE + 240;
        frame[at++] = 53;
        frame[at++] = 1;
        frame[at++] = (byte) type;
        at = option(frame, at, 50, wanted);
        at = option(frame, at, 54, server);
        byte[] name = "a guest".getBytes(StandardCharsets.US_ASCII);
        frame[at++] = 12;
        frame[at++] = (byte) name.length;
        System.arraycopy(name, 0, frame, at, name.length);
        frame[at + name.length] = (byte) 255;
        return frame;
    }

    private static int option(byte[] frame, int at, int code, int value) {
        if (value == 0) {
            return at;
        }
        frame[at] = (byte) code;
        frame[at + 1] = 4;
        BigEndian.put32(frame, at + 2, value);
        return at + 6;
    }

    /** The host's answers: kind and address of each. */
    private List<String> asked(byte[] frame) {
        List<byte[]> seen = new ArrayList<>();
        pair.a.seen = seen;
        pair.a.deliver(frame, frame.length, GOOD);
        pair.settle();
        pair.a.seen = null;
        return seen.stream().filter(sent -> BigEndian.get16(sent, 12) == 0x800 && BigEndian.get16(sent, 36) == 68)
                .map(sent -> sent[MESSAGE + 242] + " " + Integer.toHexString(BigEndian.get32(sent, MESSAGE + 16)))
                .toList();
    }

    private List<String> asked(long mac, int type, int wanted) {
        return asked(message(mac, type, 0, wanted, 0));
    }

    @Test
    void anAddressIsOfferedGivenAndConfirmed() {
        assertThat(asked(ONE, DhcpRequest.DISCOVER, 0)).containsExactly("2 a4d0064");
        assertThat(pair.hostA.leases()).isEmpty();
        assertThat(asked(message(ONE, DhcpRequest.REQUEST, 0, FIRST, SERVER))).containsExactly("5 a4d0064");
        assertThat(pair.hostA.leases()).extracting(Lease::toString).containsExactly(
                "Lease[address=10.77.0.100, mac=00:0d:3a:00:00:a1, hostName=a.guest, times=1]");
        // a station that comes again gets what it had
        assertThat(asked(ONE, DhcpRequest.DISCOVER, 0)).containsExactly("2 a4d0064");
        assertThat(asked(ONE, DhcpRequest.REQUEST, FIRST)).containsExactly("5 a4d0064");
        assertThat(pair.hostA.leases()).extracting(Lease::times).containsExactly(2L);
    }

    @Test
    void theAnswerHasWhatAClientNeeds() {
        List<byte[]> seen = new ArrayList<>();
        pair.a.seen = seen;
        byte[] frame = message(ONE, DhcpRequest.DISCOVER, 0, 0, 0);
        pair.a.deliver(frame, frame.length, GOOD);
        pair.settle();
        byte[] sent = seen.getFirst();
        assertThat(BigEndian.get48(sent, 0)).isEqualTo(0xffff_ffff_ffffL);
        assertThat(BigEndian.get32(sent, 26)).isEqualTo(SERVER);
        assertThat(BigEndian.get32(sent, MESSAGE + 4)).isEqualTo(0x12345678);
        assertThat(BigEndian.get48(sent, MESSAGE + 28)).isEqualTo(ONE);
        assertThat(Arrays.copyOfRange(sent, MESSAGE + 240, MESSAGE + 262)).containsExactly(53, 1, 2, 54, 4, 10, 77, 0,
                1, 51, 4, 0, 0, 14, 16, 1, 4, -1, -1, -1, 0, -1);
    }

    @Test
    void whatIsGivenIsNotGivenAgain() {
        assertThat(asked(ONE, DhcpRequest.REQUEST, FIRST)).containsExactly("5 a4d0064");
        assertThat(asked(TWO, DhcpRequest.REQUEST, FIRST)).containsExactly("6 0");
        assertThat(asked(TWO, DhcpRequest.REQUEST, 0x0a4d0099)).containsExactly("6 0");
        assertThat(asked(TWO, DhcpRequest.DISCOVER, FIRST)).containsExactly("2 a4d0065");
        assertThat(asked(TWO, DhcpRequest.REQUEST, FIRST + 1)).containsExactly("5 a4d0065");
        assertThat(asked(THREE, DhcpRequest.DISCOVER, 0)).isEmpty();
        // of another station nothing is given back
        assertThat(asked(message(THREE, DhcpRequest.RELEASE, FIRST, 0, SERVER))).isEmpty();
        assertThat(pair.hostA.leases()).hasSize(2);
        assertThat(asked(message(ONE, DhcpRequest.RELEASE, FIRST, 0, SERVER))).isEmpty();
        assertThat(asked(THREE, DhcpRequest.DISCOVER, 0)).containsExactly("2 a4d0064");
    }

    @Test
    void whatIsGivenStaysGivenWhenTheRangeIsAnother() {
        asked(ONE, DhcpRequest.REQUEST, FIRST + 1);
        pair.hostA.labDhcp(Optional.of(range("10.77.0.101-10.77.0.102")));
        assertThat(pair.hostA.leases()).singleElement().asString().contains("10.77.0.101", "a.guest");
        assertThat(asked(TWO, DhcpRequest.DISCOVER, FIRST + 1)).containsExactly("2 a4d0066");
        assertThat(asked(ONE, DhcpRequest.DISCOVER, 0)).containsExactly("2 a4d0065");
    }

    @Test
    void leasesAndOffersEnd() {
        asked(ONE, DhcpRequest.REQUEST, FIRST);
        asked(TWO, DhcpRequest.DISCOVER, 0);
        pair.now += 11 * Clock.SECOND;
        assertThat(asked(THREE, DhcpRequest.DISCOVER, 0)).containsExactly("2 a4d0065");
        pair.now += 3600 * Clock.SECOND;
        assertThat(pair.hostA.leases()).isEmpty();
        assertThat(asked(TWO, DhcpRequest.REQUEST, FIRST)).containsExactly("5 a4d0064");
    }

    @Test
    void anAddressThatAnotherHostHasIsNotOfferedForAWhile() {
        asked(ONE, DhcpRequest.REQUEST, FIRST);
        asked(ONE, DhcpRequest.DECLINE, FIRST);
        assertThat(pair.hostA.leases()).isEmpty();
        assertThat(asked(ONE, DhcpRequest.DISCOVER, 0)).containsExactly("2 a4d0065");
    }

    /** A client that has its address is answered there: it asks to keep it. */
    @Test
    void whoHasAnAddressIsAnsweredThere() {
        asked(ONE, DhcpRequest.REQUEST, FIRST);
        pair.hostB.removeAddress(new IpPrefix(Pair.B4, 24));
        pair.hostB.addAddress(IpPrefix.parse("10.77.0.100/24"));
        pair.settle();
        List<byte[]> seen = new ArrayList<>();
        pair.a.seen = seen;
        byte[] frame = message(ONE, DhcpRequest.REQUEST, FIRST, 0, 0);
        pair.a.deliver(frame, frame.length, GOOD);
        pair.settle();
        assertThat(seen.stream().filter(sent -> BigEndian.get16(sent, 12) == 0x800)).allSatisfy(sent ->
                assertThat(BigEndian.get32(sent, 30)).isEqualTo(FIRST)).isNotEmpty();
    }

    @Test
    void anotherServerIsMeantOrNone() {
        assertThat(asked(message(ONE, DhcpRequest.REQUEST, 0, FIRST, 0x0a4d0002))).isEmpty();
        pair.hostA.labDhcp(Optional.empty());
        assertThat(asked(ONE, DhcpRequest.DISCOVER, 0)).isEmpty();
        assertThat(pair.hostA.ports()).isEmpty();
        assertThat(pair.hostA.leases()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10.77.0.100", "10.77.0.101-10.77.0.100", "10.77.0.2-10.77.1.3", "10.78.0.2-10.78.0.3",
            "10.77.0.1-10.77.0.9", "10.77.0.250-10.77.0.255", "fd77::2-fd77::3", "a-b", "10.77.0.2-10.77.0.3-"})
    void rangesThatCannotBeGiven(String text) {
        assertThatThrownBy(() -> range(text)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Whatever a station sends: no more is remembered than there are addresses, and the host goes on. */
    @Test
    void changedMessagesDoNoHarm() throws Exception {
        Random random = new Random(20261127);
        for (int i = 0; i < 100_000; i++) {
            byte[] frame = message(random.nextBoolean() ? ONE : random.nextLong() & 0xfeff_ffff_ffffL,
                    random.nextInt(10), random.nextInt(3) == 0 ? FIRST : 0, FIRST + random.nextInt(4) - 1,
                    random.nextInt(3) == 0 ? SERVER : 0);
            for (int c = random.nextInt(4); c > 0; c--) {
                int at = random.nextInt(3) == 0 ? random.nextInt(frame.length) : MESSAGE + 240 + random.nextInt(60);
                frame[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) 0xff;
            }
            int length = random.nextInt(3) == 0 ? random.nextInt(frame.length + 1) : frame.length;
            pair.a.deliver(frame, length, GOOD);
            if (i % 16 == 0) {
                pair.now += random.nextInt(50_000_000);
                pair.settle();
                assertThat(pair.hostA.leases()).hasSizeLessThanOrEqualTo(2);
            }
        }
        pair.pass(5 * Clock.SECOND);
        assertThat(pair.hostA.ports()).hasSize(1);
        assertThat(pair.finish(pair.hostA.ping(PingPlan.to(Pair.B4, 1)))).extracting(PingEvent::kind)
                .containsExactly(PingEvent.Kind.REPLY);
    }
}
