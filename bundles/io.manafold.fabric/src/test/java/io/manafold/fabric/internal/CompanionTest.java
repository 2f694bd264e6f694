package io.manafold.fabric.internal;

import static io.manafold.fabric.internal.Station.frame;
import static io.manafold.fabric.internal.Station.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.fabric.CompanionWire;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two plugs at one place: which of them gets a frame, and that neither hears the other. */
@Timeout(300)
class CompanionTest {
    private static final long PAIR = 0x000d3a000001L;
    private static final long OTHER = 0x000d3a000002L;
    private static final long ALL = 0xffffffffffffL;
    private static final long GROUP = 0x01005e000001L;

    private FabricLink link;
    private Station companion;
    private Station port;
    private Station other;
    private CompanionWire wire;

    @BeforeEach
    void plugIn() throws Exception {
        link = FabricLink.open(new LinkPlan("net", LinkPlan.Kind.SWITCH, List.of("one/1", "two/1"), null,
                Impairments.NONE));
        companion = new Station("eth1");
        wire = companion.plugBeside(link, "one/1");
        other = Station.on(link, "two/1");
        companion.send(frame(ALL, PAIR, 0, 60));
        other.next();
    }

    @AfterEach
    void unplug() {
        companion.close();
        if (port != null) {
            port.close();
        }
        other.close();
        link.close();
    }

    private void sendAll() {
        other.send(frame(PAIR, OTHER, 1, 64), frame(ALL, OTHER, 2, 64), frame(PAIR, OTHER, 3, 64),
                frame(GROUP, OTHER, 4, 64), frame(PAIR, OTHER, 5, 64));
    }

    @Test
    void withoutThePortAllIsTheCompanions() throws Exception {
        sendAll();
        assertThat(companion.take(5)).extracting(Station::number).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void thePortGetsNothingBeforeItIsSteeredTo() throws Exception {
        port = Station.on(link, "one/1");
        sendAll();
        assertThat(companion.take(5)).extracting(Station::number).containsExactly(1, 2, 3, 4, 5);
        assertThat(port.waiting()).isZero();
    }

    @Test
    void whatIsForOneStationIsThePortsThenAndWhatIsForManyTheCompanions() throws Exception {
        port = Station.on(link, "one/1");
        wire.steerToPort(true);
        sendAll();
        assertThat(port.take(3)).extracting(Station::number).containsExactly(1, 3, 5);
        assertThat(companion.take(2)).extracting(Station::number).containsExactly(2, 4);
        wire.steerToPort(false);
        sendAll();
        assertThat(companion.take(5)).extracting(Station::number).containsExactly(1, 2, 3, 4, 5);
        assertThat(port.waiting()).isZero();
    }

    /** An IPv4 packet with a number as payload. */
    private static byte[] packet(int protocol, int from, int to, int number) {
        byte[] frame = frame(PAIR, OTHER, 0, 64);
        ByteBuffer.wrap(frame).putShort(12, (short) 0x0800).put(14, (byte) 0x45).putShort(16, (short) 50)
                .putShort(20, (short) 0).put(22, (byte) 64).put(23, (byte) protocol).putInt(26, 0x0a4d0002)
                .putInt(30, 0x0a4d0001).putShort(34, (short) from).putShort(36, (short) to).put(46, (byte) 0x50)
                .putInt(56, number);
        return frame;
    }

    @Test
    void theFirstPacketOfAFlowIsTheCompanionsAndTheOthersThePorts() throws Exception {
        port = Station.on(link, "one/1");
        wire.steerToPort(true);
        other.send(packet(6, 1000, 80, 1), packet(6, 1000, 80, 2), packet(17, 1000, 80, 3), packet(6, 1001, 80, 4),
                packet(17, 1000, 80, 5), packet(6, 1001, 80, 6), packet(6, 1000, 80, 7), packet(1, 2048, 0, 8),
                packet(17, 49152, 4791, 9));
        assertThat(companion.take(3)).extracting(CompanionTest::payload).containsExactly(1, 3, 4);
        assertThat(port.take(6)).extracting(CompanionTest::payload).containsExactly(2, 5, 6, 7, 8, 9);
        assertThat(link.status().counters()).containsEntry("flow_starts", 3L);
        wire.steerToPort(false);
        wire.steerToPort(true);
        other.send(packet(6, 1000, 80, 10), packet(6, 1000, 80, 11));
        assertThat(companion.take(1)).extracting(CompanionTest::payload).containsExactly(10);
        assertThat(port.take(1)).extracting(CompanionTest::payload).containsExactly(11);
    }

    /** However many flows there are, what is remembered of them has its size, and no frame is lost. */
    @Test
    void floodsOfFlowsEndInTheCompanionOrThePort() throws Exception {
        port = Station.on(link, "one/1");
        wire.steerToPort(true);
        int flows = 40_000;
        for (int flow = 0; flow < flows; flow += 100) {
            byte[][] burst = new byte[100][];
            for (int i = 0; i < burst.length; i++) {
                burst[i] = packet(17, flow + i, 80, flow + i);
            }
            other.send(burst);
        }
        Station.until(() -> companion.waiting() + port.waiting() == flows);
        assertThat(companion.waiting() + port.waiting()).isEqualTo(flows);
        assertThat(companion.waiting()).isGreaterThan(flows / 2);
    }

    private static int payload(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt(56);
    }

    @Test
    void bothSendFromOnePlaceAndNeitherHearsTheOther() throws Exception {
        port = Station.on(link, "one/1");
        wire.steerToPort(true);
        companion.send(frame(ALL, PAIR, 1, 64), frame(PAIR, PAIR, 2, 64));
        port.send(frame(ALL, PAIR, 3, 64), frame(PAIR, PAIR, 4, 64), frame(OTHER, PAIR, 5, 64));
        assertThat(other.take(3)).extracting(Station::number).containsExactlyInAnyOrder(1, 3, 5);
        assertThat(companion.waiting() + port.waiting()).isZero();
        assertThat(link.status().stations()).containsEntry("00:0d:3a:00:00:01", "one/1");
        assertThat(link.status().counters()).containsEntry("moved", 0L);
    }

    @Test
    void whenThePortGoesTheCompanionGetsAllAtOnce() throws Exception {
        port = Station.on(link, "one/1");
        wire.steerToPort(true);
        port.unplug();
        sendAll();
        assertThat(companion.take(5)).extracting(Station::number).containsExactly(1, 2, 3, 4, 5);
        port = Station.on(link, "one/1");
        sendAll();
        assertThat(port.take(3)).extracting(Station::number).containsExactly(1, 3, 5);
    }

    @Test
    void whenTheCompanionGoesThePortGetsAll() throws Exception {
        port = Station.on(link, "one/1");
        companion.unplug();
        sendAll();
        assertThat(port.take(5)).extracting(Station::number).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void oneCompanionAPlaceAndNoneWhereThereIsNoPort() {
        try (Station second = new Station("eth2")) {
            assertThatThrownBy(() -> second.plugBeside(link, "one/1"))
                    .isInstanceOfSatisfying(Refusal.class, no -> assertThat(no.errno()).isEqualTo(Errno.EBUSY))
                    .hasMessageContaining("A companion of port one/1 is plugged into link net already");
            assertThatThrownBy(() -> second.plugBeside(link, "one/7"))
                    .isInstanceOfSatisfying(Refusal.class, no -> assertThat(no.errno()).isEqualTo(Errno.EINVAL));
        }
    }

    @Test
    void aCompanionThatFailsLeavesThePortItsFrames() throws Exception {
        port = Station.on(link, "one/1");
        wire.steerToPort(true);
        companion.onReceive = () -> {
            throw new IllegalStateException("a mistake made on purpose");
        };
        sendAll();
        assertThat(number(port.next())).isEqualTo(1);
        assertThat(number(port.next())).isEqualTo(3);
        Station.until(() -> !link.status().problems().isEmpty());
        assertThat(wire.isThrownOut()).isTrue();
        assertThat(link.status().problems()).singleElement().asString()
                .startsWith("Companion eth1 of port one/1 was unplugged: its reception ended in ");
        assertThat(link.status().ports().getFirst()).satisfies(one -> {
            assertThat(one.plugged()).isTrue();
            assertThat(one.mistakes()).isZero();
        });
        sendAll();
        Station.until(() -> port.waiting() >= 5);
        assertThat(port.drain()).extracting(Station::number).containsSequence(1, 2, 3, 4, 5);
    }
}
