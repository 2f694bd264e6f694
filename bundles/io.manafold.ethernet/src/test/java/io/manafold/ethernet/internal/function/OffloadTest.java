package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.PacketBuffer;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.ethernet.internal.queue.ReceiveCounters;
import io.manafold.ethernet.internal.queue.SendCounters;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the device does with packets on their way, asked for by the driver. */
@Timeout(300)
class OffloadTest {
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

    private byte[] ip(int version, int protocol, int payload, int seed) {
        return Packets.ip(version, protocol, bench.left(), bench.right(), payload, seed);
    }

    @ParameterizedTest
    @CsvSource({"4,6", "4,17", "6,6", "6,17"})
    void checksumsAreFilledInAndChecked(int version, int protocol) {
        for (int payload = 0; payload < 700; payload += 97) {
            byte[] frame = ip(version, protocol, payload, payload);
            left.send(frame, packet -> {
                packet.flags(PacketBuffer.FILL_IP_CHECKSUM | PacketBuffer.FILL_TRANSPORT_CHECKSUM);
                packet.transportOffset(Packets.transport(frame));
            });
            Station.Arrived arrived = right.next();
            assertThat(arrived.bytes()).hasSameSizeAs(frame);
            assertThat(version == 6 || Packets.isIpGood(arrived.bytes())).isTrue();
            assertThat(Packets.isTransportGood(arrived.bytes())).isTrue();
            assertThat(arrived.flags() & PacketBuffer.TRANSPORT_CHECKSUM_GOOD).isNotZero();
            assertThat(arrived.flags() & PacketBuffer.HASHED).isNotZero();
        }
        assertThat(bench.left().life().counters().send(0).checksums).isEqualTo(8);
    }

    @Test
    void aWrongChecksumIsNotCalledGood() {
        byte[] frame = ip(4, Packets.TCP, 100, 1);
        left.send(frame, packet -> packet.flags(PacketBuffer.FILL_IP_CHECKSUM));
        assertThat(right.next().flags() & PacketBuffer.TRANSPORT_CHECKSUM_GOOD).isZero();
    }

    @ParameterizedTest
    @CsvSource({"4,20000,false", "4,2000,true", "6,20000,true", "6,60000,false", "4,1000,false"})
    void largeSendsAreCut(int version, int payload, boolean tagged) {
        byte[] frame = ip(version, Packets.TCP, payload, 7);
        int headers = Packets.transport(frame) + 32;
        int segment = 1400;
        left.send(frame, packet -> {
            packet.flags(PacketBuffer.FILL_TRANSPORT_CHECKSUM | PacketBuffer.FILL_IP_CHECKSUM
                    | (tagged ? PacketBuffer.TAGGED : 0));
            packet.tag(12);
            packet.cut(segment, headers);
        });
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        int first = Packets.u32(frame, Packets.transport(frame) + 4);
        while (whole.size() < payload) {
            Station.Arrived arrived = right.next();
            byte[] bytes = arrived.bytes();
            assertThat(Packets.u32(bytes, headers - 28)).isEqualTo(first + whole.size());
            assertThat(Packets.isTransportGood(bytes)).isTrue();
            assertThat(version == 6 || Packets.isIpGood(bytes)).isTrue();
            assertThat(arrived.flags() & PacketBuffer.TAGGED).isEqualTo(tagged ? PacketBuffer.TAGGED : 0);
            whole.write(bytes, headers, bytes.length - headers);
        }
        assertThat(whole.toByteArray()).isEqualTo(Arrays.copyOfRange(frame, headers, frame.length));
        SendCounters counters = bench.left().life().counters().send(0);
        assertThat(counters.segmentedPackets).isEqualTo(payload > segment ? 1 : 0);
        assertThat(counters.segmentedBytes).isEqualTo(payload > segment ? payload : 0);
    }

    @Test
    void headersOfALargeSendInABufferOfTheirOwn() {
        int headers = 66;
        byte[] frame = ip(4, Packets.TCP, headers * 25, 5);
        assertThat(left.trySend(frame, headers, packet -> {
            packet.flags(PacketBuffer.FILL_TRANSPORT_CHECKSUM);
            packet.cut(1000, headers);
        })).isTrue();
        assertThat(right.next().bytes()).hasSize(1066);
        assertThat(right.next().bytes()).hasSize(headers * 25 - 1000 + headers);
        assertThat(bench.left().life().counters().send(0).linear).isZero();
        // headers in several buffers, and more buffers than a request has: gathered in fewer
        assertThat(left.trySend(frame, 40, packet -> {
            packet.flags(PacketBuffer.FILL_TRANSPORT_CHECKSUM);
            packet.cut(1000, headers);
        })).isTrue();
        byte[] first = right.next().bytes();
        assertThat(first).hasSize(1066);
        assertThat(Packets.isTransportGood(first)).isTrue();
        assertThat(right.next().bytes()).hasSize(headers * 25 - 1000 + headers);
        assertThat(bench.left().life().counters().send(0).linear).isEqualTo(1);
    }

    @Test
    void whatCannotBeCutIsRefused() {
        byte[] frame = ip(4, Packets.TCP, 5000, 5);
        for (int[] wrong : new int[][] {{1400, 20}, {1400, 300}, {0, 66}, {20000, 66}}) {
            left.send(frame, packet -> packet.cut(wrong[0], wrong[1]));
        }
        byte[] udp = ip(4, Packets.UDP, 5000, 5);
        left.send(udp, packet -> packet.cut(1400, 42));
        byte[] other = left.frame(bench.right(), 1, 500);
        left.send(other, packet -> packet.flags(PacketBuffer.FILL_TRANSPORT_CHECKSUM));
        left.send(new byte[13]);
        Bench.await("all are counted", () -> bench.left().life().counters().send(0).refused >= 6);
        left.send(other);
        Bench.await("the good one arrives", () -> right.arrived.stream()
                .anyMatch(one -> Arrays.equals(one.bytes(), other)));
    }

    @Test
    void flowsAreSpreadOverQueues() {
        bench.change(bench.right(), now -> now.withChannels(4));
        Set<Integer> queues = new HashSet<>();
        for (int i = 0; i < 64; i++) {
            byte[] frame = ip(4, Packets.TCP, 10, 1000 + i);
            left.send(frame, packet -> packet.flags(PacketBuffer.FILL_TRANSPORT_CHECKSUM
                    | PacketBuffer.FILL_IP_CHECKSUM));
            Station.Arrived arrived = right.next();
            queues.add(arrived.queue());
            int bucket = arrived.hash() & bench.right().life().port().vport().indirection() - 1;
            assertThat(arrived.queue()).isEqualTo(bucket % 4);
        }
        assertThat(queues).containsExactlyInAnyOrder(0, 1, 2, 3);
        // all to queue 2, as they run
        int[] table = new int[64];
        Arrays.fill(table, 2);
        bench.change(bench.right(), now -> now.withSpreading(now.key(), table));
        for (int i = 0; i < 16; i++) {
            left.send(ip(6, Packets.UDP, 10, i), packet -> packet.flags(PacketBuffer.FILL_TRANSPORT_CHECKSUM));
            assertThat(right.next().queue()).isEqualTo(2);
        }
    }

    @Test
    void whatIsSwitchedOffIsNotTold() {
        bench.change(bench.right(), now -> now.withFeature(PortConfig.RECEIVE_CHECKSUM, false)
                .withFeature(PortConfig.RECEIVE_HASH, false));
        left.send(ip(4, Packets.TCP, 100, 1), packet -> packet.flags(PacketBuffer.FILL_TRANSPORT_CHECKSUM
                | PacketBuffer.FILL_IP_CHECKSUM));
        assertThat(right.next().flags()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void severalPacketsInOneCompletion(int most) {
        bench.change(bench.right(), now -> now.withFrames(most));
        int frames = 4000;
        byte[] frame = left.frame(bench.right(), 1, 60);
        for (int i = 0; i < frames / 40; i++) {
            PacketBuffer[] some = new PacketBuffer[40];
            left.port.execute(() -> {
                int taken = left.port.take(some, 0, 40);
                for (int k = 0; k < taken; k++) {
                    some[k].place(some[k].headroom(), frame.length);
                    some[k].put(0, frame, 0, frame.length);
                }
                int sent = left.port.send(some, 0, taken);
                for (int k = sent; k < taken; k++) {
                    some[k].release();
                }
            });
        }
        SendCounters sent = bench.left().life().counters().send(0);
        ReceiveCounters counters = bench.right().life().counters().receive(0);
        left.send(left.frame(bench.right(), 2, 61));
        Bench.await("all have arrived", () -> right.arrived.size() == sent.packets);
        assertThat(right.arrived).filteredOn(one -> one.bytes().length == 60)
                .allSatisfy(one -> assertThat(one.bytes()).isEqualTo(frame));
        assertThat(LongStream.of(counters.coalesced).sum()).isPositive();
        assertThat(counters.coalesced[most]).as("with as many as may be").isPositive();
        assertThat(LongStream.of(counters.coalesced).skip(most + 1).sum()).isZero();
    }
}
