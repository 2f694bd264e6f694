package io.manafold.pmd.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.ethdev.Offload;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.ExternalBuffer;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.Packets;
import io.manafold.memory.RawMemory;
import io.manafold.memory.SharedBlocks;
import io.manafold.testkit.Blocks;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What queues say of packets that have come, and what they ask for those that are sent. */
class OffloadsTest {
    private static final int DESCRIPTORS = 64;
    private static final int PACKETS = 128;
    private static final int HASH_TYPE = 2;
    private static final int HASH = 0x1234_5678;
    private static final long TRANSPORTS = Offload.RECEIVE_TCP_CHECKSUM | Offload.RECEIVE_UDP_CHECKSUM;
    private static final String MACS = "000d3a300002000d3a300001";
    private static final String IPV4_TCP = MACS + "080045000030000100004006" + "0000" + "0a4d00010a4d0002"
            + "03e807d00000000000000000500200000000000041424344" + "45464748";
    private static final String IPV6_TCP = MACS + "86dd60000000001c0640" + "20010db8000000000000000000000001"
            + "20010db8000000000000000000000002" + "03e807d00000000000000000500200000000000041424344" + "45464748";
    private static final String IPV6_UDP = MACS + "86dd60000000000c1140" + "20010db8000000000000000000000001"
            + "20010db8000000000000000000000002" + "03e807d0000c000041424344";

    private final SharedBlocks memory = Blocks.source();
    private final PacketPool pool = new PacketPools(memory).make(new PacketPlan("test", PACKETS, 0,
            PacketPlan.DEFAULT_ROOM));
    private final Keys keys = new Keys(new Registrar());
    private final LyingQueue out = new LyingQueue(memory, QueueType.SEND);
    private final LyingQueue in = new LyingQueue(memory, QueueType.RECEIVE);
    private final SendSlot sends = new SendSlot(_ -> { });
    private final ReceiveSlot receives = new ReceiveSlot(_ -> { });
    private final int[] one = new int[1];

    @AfterEach
    void end() {
        sends.end();
        receives.end();
        keys.close();
        assertThat(pool.available()).isEqualTo(PACKETS);
        pool.close();
        out.close();
        in.close();
        assertThat(memory.blocks()).isEmpty();
    }

    private void receive(long offloads, int said) {
        receives.open(in.direct, keys, DESCRIPTORS, pool, offloads);
        receives.go();
        RawMemory.put32(in.entry() + ReceiveCompletion.hashAt(0), HASH);
        in.received(ReceiveCompletion.OK, said, 60);
        assertThat(receives.burst(one, 0, 1)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"IP_GOOD, IP_GOOD, 0", "IP_BAD, IP_BAD, 0", "OUTER_IP_BAD, OUTER_IP_BAD, 0",
        "TCP_GOOD, 0, TRANSPORT_GOOD", "TCP_BAD, 0, TRANSPORT_BAD", "UDP_GOOD, 0, TRANSPORT_GOOD",
        "UDP_BAD, 0, TRANSPORT_BAD"})
    void checksumsAreToldAsFarAsThatIsWanted(String said, String ofAddresses, String ofTransports) throws Exception {
        int bit = ReceiveCompletion.class.getField(said).getInt(null);
        long[] offloads = {Offload.RECEIVE_IPV4_CHECKSUM, TRANSPORTS, Offload.RECEIVE_IPV4_CHECKSUM | TRANSPORTS,
                Offload.RECEIVE_RSS_HASH, 0};
        int[] expected = {flag(ofAddresses), flag(ofTransports), flag(ofAddresses) | flag(ofTransports), 0, 0};
        for (int i = 0; i < offloads.length; i++) {
            receive(offloads[i], bit);
            assertThat(PacketPool.flags(pool.first(one[0]))).as("with 0x%x", offloads[i]).isEqualTo(expected[i]);
            assertThat(PacketPool.length(pool.first(one[0]))).isEqualTo(60);
            pool.give(one, 0, 1);
            receives.end();
        }
    }

    private static int flag(String name) throws ReflectiveOperationException {
        return name.equals("0") ? 0 : PacketFlags.class.getField(name).getInt(null);
    }

    @Test
    void aHashIsToldIfThereIsOneAndItIsWanted() {
        receive(Offload.RECEIVE_RSS_HASH, ReceiveCompletion.flags(0, HASH_TYPE));
        assertThat(PacketPool.flags(pool.first(one[0]))).isEqualTo(PacketFlags.HASHED);
        assertThat(PacketPool.hash(pool.second(one[0]))).isEqualTo(HASH);
        pool.give(one, 0, 1);
        receives.end();
        receive(Offload.RECEIVE_RSS_HASH, 0);
        assertThat(PacketPool.flags(pool.first(one[0]))).isZero();
        pool.give(one, 0, 1);
        receives.end();
        receive(Offload.RECEIVE_IPV4_CHECKSUM, ReceiveCompletion.flags(0, HASH_TYPE));
        assertThat(PacketPool.flags(pool.first(one[0]))).isZero();
        pool.give(one, 0, 1);
    }

    /** The device takes tags off; where that is not wanted the frame has its tag again, behind its addresses. */
    @ParameterizedTest
    @ValueSource(longs = {Offload.RECEIVE_VLAN_STRIP, Offload.RECEIVE_IPV4_CHECKSUM, 0})
    void aTagIsToldOrPutBack(long offloads) {
        for (int i = 0; i < PACKETS; i++) {
            for (int at = 0; at < 60; at++) {
                RawMemory.put8(pool.block().segment().address() + pool.place(i) + PacketPool.HEADROOM + at, at);
            }
        }
        receive(offloads, ReceiveCompletion.tagged(ReceiveCompletion.IP_GOOD, 0x123));
        byte[] bytes = new byte[64];
        RawMemory.copy(pool.data(one[0]), bytes, 0, 64);
        if (offloads == Offload.RECEIVE_VLAN_STRIP) {
            assertThat(PacketPool.flags(pool.first(one[0]))).isEqualTo(PacketFlags.TAGGED | PacketFlags.TAG_STRIPPED);
            assertThat(PacketPool.length(pool.first(one[0]))).isEqualTo(60);
            assertThat(bytes[12]).isEqualTo((byte) 12);
        } else {
            assertThat(PacketPool.length(pool.first(one[0]))).isEqualTo(64);
            assertThat(bytes).startsWith(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x81, 0x00, 0x01, 0x23, 12, 13)
                    .endsWith(58, 59);
            assertThat(PacketPool.flags(pool.first(one[0]))).isEqualTo(offloads == 0 ? 0
                    : PacketFlags.TAGGED | PacketFlags.IP_GOOD);
        }
        if (offloads != 0) {
            assertThat(PacketPool.tag(pool.second(one[0]))).isEqualTo(0x123);
        }
        pool.give(one, 0, 1);
    }

    /** The device is told the kinds of headers, and finds the sum of the pseudo header where the checksum goes. */
    @ParameterizedTest
    @CsvSource({IPV4_TCP + ", TCP_CHECKSUM, 34", IPV6_TCP + ", TCP_CHECKSUM, 54", IPV6_UDP + ", UDP_CHECKSUM, 0"})
    void checksumsAreAskedFor(String hex, String name, int place) throws Exception {
        for (int tag : new int[] {0, 0xa123}) {
            byte[] frame = HexFormat.of().parseHex(hex);
            boolean ipv4 = frame[12] == 8;
            sends.open(out.direct, keys, DESCRIPTORS, false);
            sends.go();
            one[0] = pool.allocate();
            RawMemory.copy(frame, 0, pool.data(one[0]), frame.length);
            pool.first(one[0], PacketPool.first(PacketPool.HEADROOM, frame.length, flag(name)
                    | (ipv4 ? PacketFlags.IPV4 | PacketFlags.IP_CHECKSUM : PacketFlags.IPV6)
                    | (tag == 0 ? 0 : PacketFlags.INSERT_TAG)));
            pool.second(one[0], PacketPool.second(0, tag));
            long request = out.direct.work().memory().pointer() + out.produced;
            long data = pool.data(one[0]);
            assertThat(sends.burst(one, 0, 1)).isEqualTo(1);
            int flags = RawMemory.get32(request + SendRequest.FLAGS) & 0xff;
            assertThat(flags).isEqualTo(SendRequest.class.getField(name).getInt(null)
                    | (ipv4 ? SendRequest.IPV4 | SendRequest.IP_CHECKSUM : SendRequest.IPV6)
                    | (tag == 0 ? 0 : SendRequest.LONG_FORM));
            assertThat(SendRequest.transportOffset(RawMemory.get32(request + SendRequest.PLACE))).isEqualTo(place);
            if (tag != 0) {
                assertThat(SendRequest.tagOf(RawMemory.get32(request + SendRequest.TAG))).isEqualTo(tag);
            }
            RawMemory.copy(data, frame, 0, frame.length);
            assertThat(isGoodOnceSummed(frame, ipv4, name.startsWith("TCP"))).as("the checksum of a device").isTrue();
            sends.end();
        }
    }

    /** The device is told where they are; queues that send packets as they are do not send them. */
    @Test
    void dataOfAnApplicationAreSentFromWhereTheyAre() {
        AtomicBoolean free = new AtomicBoolean();
        MemoryBlock block = memory.make("of an application", 4096);
        ExternalBuffer buffer = new ExternalBuffer(block, 100, 2000, () -> free.set(true));
        for (int flags : new int[] {PacketFlags.INSERT_TAG, PacketFlags.UDP_CHECKSUM}) {
            sends.open(out.direct, keys, DESCRIPTORS, false);
            sends.go();
            assertThat(pool.take(one, 0, 1)).isTrue();
            pool.attach(one[0], buffer, 50, 1500);
            pool.first(one[0], pool.first(one[0]) | (long) flags << 32);
            long request = out.direct.work().memory().pointer() + out.produced;
            assertThat(sends.burst(one, 0, 1)).isEqualTo(1);
            boolean sent = flags == PacketFlags.INSERT_TAG;
            assertThat(buffer.users()).isEqualTo(sent ? 2 : 1);
            if (sent) {
                long piece = request + WorkRequest.HEAD + WorkRequest.INLINE_LONG;
                assertThat(RawMemory.get64(piece)).isEqualTo(block.segment().address() + 150);
                assertThat(RawMemory.get32(piece + WorkRequest.PIECE_KEY + 4)).isEqualTo(1500);
            }
            sends.end();
            assertThat(buffer.users()).as("when it has been sent").isEqualTo(1);
        }
        sends.open(out.direct, keys, DESCRIPTORS, true);
        sends.go();
        assertThat(pool.take(one, 0, 1)).isTrue();
        pool.attach(one[0], buffer, 0, 60);
        assertThat(sends.burst(one, 0, 1)).as("it is taken, and dropped").isEqualTo(1);
        assertThat(buffer.users()).isEqualTo(1);
        assertThat(free).isFalse();
        buffer.close();
        assertThat(free).isTrue();
        block.close();
    }

    @Test
    void aCloneIsSentFromWhereTheBytesAre() {
        int source = pool.allocate();
        pool.first(source, PacketPool.first(PacketPool.HEADROOM, 1000, 0));
        for (boolean plain : new boolean[] {false, true}) {
            sends.open(out.direct, keys, DESCRIPTORS, plain);
            sends.go();
            one[0] = Packets.clone(source, pool);
            Packets.dropFront(one[0], 14);
            long request = out.direct.work().memory().pointer() + out.produced;
            assertThat(sends.burst(one, 0, 1)).isEqualTo(1);
            assertThat(PacketPool.references(pool.second(source))).as("its users").isEqualTo(plain ? 1 : 2);
            if (!plain) {
                long piece = request + WorkRequest.HEAD + WorkRequest.INLINE_SHORT;
                assertThat(RawMemory.get64(piece)).isEqualTo(pool.data(source) + 14);
                assertThat(RawMemory.get32(piece + WorkRequest.PIECE_KEY)).isEqualTo(keys.of(source).key());
                assertThat(RawMemory.get32(piece + WorkRequest.PIECE_KEY + 4)).isEqualTo(986);
            }
            sends.end();
            assertThat(PacketPool.references(pool.second(source))).isEqualTo(1);
        }
        assertThat(sends.count().errors()).as("of queues that send packets as they are").isEqualTo(1);
        // the application lets go of it while it is under way
        sends.open(out.direct, keys, DESCRIPTORS, false);
        sends.go();
        one[0] = Packets.clone(source, pool);
        pool.first(one[0], pool.first(one[0]) + ((long) PacketPlan.DEFAULT_ROOM << 16));
        assertThat(sends.burst(one, 0, 1)).as("one that says it has more than there is").isEqualTo(1);
        assertThat(sends.count().errors()).isEqualTo(2);
        one[0] = Packets.clone(source, pool);
        assertThat(sends.burst(one, 0, 1)).isEqualTo(1);
        PacketPool.release(new int[] {source}, 0, 1);
        assertThat(pool.available()).isEqualTo(PACKETS - 2);
        sends.end();
    }

    /** A part of the checksum would be written into them, while others read them. */
    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    void bytesOfAPacketAndItsClonesStayAsTheyAre(boolean isSource, boolean addressesAlone) {
        byte[] frame = HexFormat.of().parseHex(IPV4_TCP);
        int[] both = {pool.allocate(), 0};
        RawMemory.copy(frame, 0, pool.data(both[0]), frame.length);
        pool.first(both[0], PacketPool.first(PacketPool.HEADROOM, frame.length, PacketFlags.IPV4
                | PacketFlags.IP_CHECKSUM | (addressesAlone ? 0 : PacketFlags.TCP_CHECKSUM)));
        both[1] = Packets.clone(both[0], pool);
        sends.open(out.direct, keys, DESCRIPTORS, false);
        sends.go();
        assertThat(sends.burst(both, isSource ? 0 : 1, 1)).isEqualTo(1);
        assertThat(sends.count().errors()).isEqualTo(addressesAlone ? 0 : 1);
        byte[] after = new byte[frame.length];
        RawMemory.copy(pool.data(both[isSource ? 1 : 0]), after, 0, after.length);
        assertThat(after).isEqualTo(frame);
        PacketPool.release(both, isSource ? 1 : 0, 1);
        sends.end();
    }

    /** One whose bytes were all dropped is no piece: the headers are in the first that has any. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void segmentsWithoutBytesAreSkipped(int empty) {
        byte[] frame = HexFormat.of().parseHex(IPV4_TCP);
        int[] segments = {pool.allocate(), pool.allocate(), pool.allocate()};
        int headers = segments[empty == 0 ? 1 : 0];
        for (int segment : segments) {
            int length = segment == headers ? frame.length : segment == segments[empty] ? 0 : 100;
            pool.first(segment, PacketPool.first(PacketPool.HEADROOM, length, 0));
        }
        RawMemory.copy(frame, 0, pool.data(headers), frame.length);
        Packets.chain(segments[0], segments[1]);
        Packets.chain(segments[0], segments[2]);
        pool.first(segments[0], pool.first(segments[0]) | (long) (PacketFlags.IPV4 | PacketFlags.TCP_CHECKSUM) << 32);
        sends.open(out.direct, keys, DESCRIPTORS, false);
        sends.go();
        long request = out.direct.work().memory().pointer() + out.produced;
        assertThat(sends.burst(segments, 0, 1)).isEqualTo(1);
        assertThat(sends.count().errors()).isZero();
        long piece = request + WorkRequest.HEAD + WorkRequest.INLINE_SHORT;
        assertThat(RawMemory.get64(piece)).isEqualTo(pool.data(headers));
        assertThat(RawMemory.get32(piece + WorkRequest.PIECE_KEY + 4)).isEqualTo(frame.length);
        assertThat(RawMemory.get32(piece + WorkRequest.PIECE + WorkRequest.PIECE_KEY + 4)).isEqualTo(100);
        assertThat(RawMemory.getBig16(pool.data(headers) + 50)).as("the sum of the pseudo header").isNotZero();
        sends.end();
        int none = pool.allocate();
        sends.open(out.direct, keys, DESCRIPTORS, false);
        sends.go();
        assertThat(sends.burst(new int[] {none}, 0, 1)).as("one without any bytes").isEqualTo(1);
        assertThat(sends.count().errors()).isEqualTo(1);
        sends.end();
    }

    /** With the checksum that a device computes, a receiver finds the sum of all and the pseudo header good. */
    private static boolean isGoodOnceSummed(byte[] frame, boolean ipv4, boolean tcp) {
        int transport = ipv4 ? 34 : 54;
        int length = frame.length - transport;
        int at = transport + (tcp ? 16 : 6);
        int checksum = ~sum(frame, transport, length, 0) & 0xffff;
        frame[at] = (byte) (checksum >>> 8);
        frame[at + 1] = (byte) checksum;
        int pseudo = sum(frame, ipv4 ? 26 : 22, ipv4 ? 8 : 32, (tcp ? 6 : 17) + length);
        return sum(frame, transport, length, pseudo) == 0xffff;
    }

    private static int sum(byte[] bytes, int from, int length, int begin) {
        int sum = begin;
        for (int i = 0; i < length; i += 2) {
            sum += (bytes[from + i] & 0xff) << 8 | bytes[from + i + 1] & 0xff;
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return sum;
    }
}
