package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.PacketBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames between two devices on a switch. */
@Timeout(300)
class FramesTest {
    private final Bench bench = new Bench();
    private final Station left = new Station(bench.left());
    private final Station right = new Station(bench.right());

    @AfterEach
    void close() {
        left.close();
        right.close();
        bench.close();
        assertThat(bench.adapter.adapter().rejections()).isEmpty();
    }

    @Test
    void framesGoBothWays() {
        for (int i = 0; i < 200; i++) {
            byte[] there = left.frame(bench.right(), i, 60 + i * 7);
            byte[] back = right.frame(bench.left(), i, 1514 - i);
            left.send(there);
            right.send(back);
            assertThat(right.next().bytes()).isEqualTo(there);
            assertThat(left.next().bytes()).isEqualTo(back);
        }
        assertThat(bench.left().totals()).containsEntry("tx_packets", 200L).containsEntry("rx_packets", 200L);
    }

    @Test
    void aPacketInPiecesArrivesWhole() {
        byte[] frame = left.frame(bench.right(), 3, 1400);
        assertThat(left.trySend(frame, 97, _ -> { })).isTrue();
        assertThat(right.next().bytes()).isEqualTo(frame);
        // more pieces than a request has are gathered in fewer
        assertThat(left.trySend(frame, 40, _ -> { })).isTrue();
        assertThat(right.next().bytes()).isEqualTo(frame);
        assertThat(bench.left().life().counters().send(0).linear).isEqualTo(1);
    }

    @Test
    void tagsTravelBesideThePacket() {
        byte[] frame = left.frame(bench.right(), 9, 200);
        left.send(frame, packet -> {
            packet.flags(PacketBuffer.TAGGED);
            packet.tag(77);
        });
        Station.Arrived arrived = right.next();
        assertThat(arrived.bytes()).isEqualTo(frame);
        assertThat(arrived.flags() & PacketBuffer.TAGGED).isNotZero();
        assertThat(arrived.tag()).isEqualTo(77);
        assertThat(bench.left().life().counters().send(0).longForm).isEqualTo(1);
    }
}
