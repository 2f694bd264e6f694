package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.RawMemory;
import io.manafold.memory.SharedBlocks;
import io.manafold.packet.Headers;
import io.manafold.packet.InternetChecksum;
import io.manafold.testkit.Blocks;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each mode does to the bytes of packets, and that none is lost or made beyond what is counted. */
class ModesTest {
    private static final int PACKETS = 256;
    /** To 02:…:aa from 02:…:bb, UDP from 10.0.0.1:1000 to 10.0.0.2:2000, four bytes "ABCD", wrong checksums. */
    private static final String FRAME =
            "0200000000aa0200000000bb08004500002000010000401100000a0000010a00000203e807d0000cffff41424344";

    /** Who has 10.0.0.2? */
    private static final String ARP = "ffffffffffff0200000000bb08060001080006040001" + "0200000000bb0a000001"
            + "0000000000000a000002";

    /** From fd00::1 to fd00::2. */
    private static final String ADDRESSES = "fd000000000000000000000000000001fd000000000000000000000000000002";
    private static final String IPV6 = "86dd 60000000 000c 11 40" + ADDRESSES + "03e807d0000cffff41424344";

    private final SharedBlocks memory = Blocks.source();
    private final PacketPools pools = new PacketPools(memory);
    private final PacketPool pool = pools.make(new PacketPlan("test", PACKETS, 0, 2048));
    /** Of which lanes make packets, those that come being of the one above. */
    private PacketPool making = pool;
    private final LoopPort from = new LoopPort(0, 64);
    private final LoopPort to = new LoopPort(1, 64);
    private final Settings settings = new Settings();

    @AfterEach
    void everyPacketIsHome() {
        from.stop();
        to.stop();
        assertThat(pool.available()).isEqualTo(PACKETS);
        pool.close();
        assertThat(memory.blocks()).isEmpty();
    }

    private ForwardStream lane(Mode mode) {
        from.start();
        to.start();
        return mode.lane(new Route(0, from, 0, to, 0, making, settings));
    }

    private int packet(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        int packet = pool.allocate();
        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, bytes.length, 0));
        RawMemory.copy(bytes, 0, pool.data(packet), bytes.length);
        return packet;
    }

    private void arrives(int packet) {
        assertThat(from.in[0].put(new int[] {packet}, 0, 1)).isOne();
    }

    private byte[] bytes(int packet) {
        PacketPool its = PacketPool.of(packet);
        byte[] bytes = new byte[PacketPool.length(its.first(packet))];
        RawMemory.copy(its.data(packet), bytes, 0, bytes.length);
        return bytes;
    }

    private String through(Mode mode, String hex) {
        arrives(packet(hex));
        ForwardStream lane = lane(mode);
        assertThat(lane.turn()).isOne();
        int[] sent = new int[1];
        if (to.out[0].take(sent, 0, 1) == 0) {
            return "";
        }
        assertThat(lane.sent()).isOne();
        String answer = HexFormat.of().formatHex(bytes(sent[0]));
        PacketPool.release(sent, 0, 1);
        return answer;
    }

    @Test
    void ioLeavesPacketsAsTheyAre() {
        assertThat(through(Mode.IO, FRAME)).isEqualTo(FRAME);
    }

    /**
     * The headers say the length of the whole packet, whose bytes lie in segments of the lengths that were asked for.
     */
    @Test
    void packetsAreMadeOfSegments() {
        SettingsReader.segments(settings, "64,100,36");
        settings.burst = 4;
        ForwardStream lane = lane(Mode.TXONLY);
        assertThat(lane.turn()).isEqualTo(4);
        int[] sent = new int[8];
        assertThat(to.out[0].take(sent, 0, sent.length)).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            assertThat(PacketPool.segments(pool.second(sent[i]))).isEqualTo(3);
            byte[] head = bytes(sent[i]);
            int second = pool.next(sent[i]);
            assertThat(head).hasSize(64);
            assertThat((head[16] & 0xff) << 8 | head[17] & 0xff).as("length that IP tells").isEqualTo(200 - 14);
            assertThat((head[38] & 0xff) << 8 | head[39] & 0xff).as("length that UDP tells").isEqualTo(200 - 34);
            assertThat(bytes(second)).isEqualTo(new byte[100]);
            assertThat(bytes(pool.next(second))).isEqualTo(new byte[36]);
        }
        PacketPool.release(sent, 0, 4);
    }

    /** As many bytes as the headers say, in one segment, two or three. */
    @Test
    void howManySegmentsCanBeLeftToChance() {
        SettingsReader.segments(settings, "64,100,36");
        settings.split = Split.RAND;
        ForwardStream lane = lane(Mode.TXONLY);
        Map<Integer, Integer> seen = new TreeMap<>();
        for (int turn = 0; turn < 20; turn++) {
            assertThat(lane.turn()).isEqualTo(settings.burst);
            int[] sent = new int[settings.burst];
            assertThat(to.out[0].take(sent, 0, sent.length)).isEqualTo(sent.length);
            for (int packet : sent) {
                byte[] head = bytes(packet);
                seen.merge((head[16] & 0xff) << 8 | head[17] & 0xff, 1, Integer::sum);
                int segments = PacketPool.segments(pool.second(packet));
                assertThat(whole(packet)).hasSize(segments == 1 ? 64 : segments == 2 ? 164 : 200);
                assertThat((head[16] & 0xff) << 8 | head[17] & 0xff).isEqualTo(whole(packet).length - 14);
                assertThat((head[38] & 0xff) << 8 | head[39] & 0xff).isEqualTo(whole(packet).length - 34);
            }
            PacketPool.release(sent, 0, sent.length);
        }
        assertThat(seen).containsOnlyKeys(50, 150, 186);
    }

    /** The bytes of all segments. */
    private byte[] whole(int packet) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int segment = packet;
        for (int left = PacketPool.segments(pool.second(packet)); left > 0; left--) {
            all.writeBytes(bytes(segment));
            segment = left > 1 ? pool.next(segment) : segment;
        }
        return all.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"OFF, 1, 1", "ON, 3, 3", "RAND, 1, 3"})
    void checksummedPacketsAreCopiedIntoSegments(Split split, int least, int most) {
        settings.segments = new int[] {10, 30, 1};
        settings.split = split;
        ForwardStream lane = lane(Mode.CSUM);
        for (int i = 0; i < 50; i++) {
            arrives(packet(FRAME));
            assertThat(lane.turn()).isOne();
            int[] sent = new int[1];
            assertThat(to.out[0].take(sent, 0, 1)).isOne();
            assertThat(PacketPool.segments(pool.second(sent[0]))).isBetween(least, most);
            byte[] bytes = whole(sent[0]);
            assertThat(bytes).hasSize(46).endsWith(0x41, 0x42, 0x43, 0x44);
            assertThat((bytes[24] & 0xff) << 8 | bytes[25] & 0xff).as("checksum of IP").isEqualTo(0x66ca);
            PacketPool.release(sent, 0, 1);
        }
    }

    /** A burst whose segments are not all there is not begun. */
    @Test
    void tooFewSegmentsAreNone() {
        SettingsReader.segments(settings, "64,1,1,1");
        settings.burst = PACKETS / 4 + 1;
        assertThat(lane(Mode.TXONLY).turn()).isZero();
        assertThat(pool.available()).isEqualTo(PACKETS);
    }

    @Test
    void packetsArePrinted() {
        settings.printer.level(3);
        assertThat(through(Mode.IO, FRAME)).isEqualTo(FRAME);
        String addresses = "  src=02:00:00:00:00:BB - dst=02:00:00:00:00:AA - pool=test - type=0x0800 - length=46 - "
                + "nb_segs=1 - sw ptype: L2_ETHER L3_IPV4 L4_UDP  - l2_len=14 - l3_len=20 - l4_len=8 - ";
        assertThat(settings.printer.told()).isEqualTo("port 0/queue 0: received 1 packets\n" + addresses
                + "Receive queue=0x0\n"
                + "  ol_flags: RTE_MBUF_F_RX_L4_CKSUM_UNKNOWN RTE_MBUF_F_RX_IP_CKSUM_UNKNOWN "
                + "RTE_MBUF_F_RX_OUTER_L4_CKSUM_UNKNOWN \n"
                + "port 1/queue 0: sent 1 packets\n" + addresses
                + "Send queue=0x0\n  ol_flags: RTE_MBUF_F_TX_L4_NO_CKSUM \n");
        assertThat(settings.printer.told()).isEmpty();
        settings.printer.level(1);
        through(Mode.IO, FRAME);
        assertThat(settings.printer.told()).contains("received").doesNotContain("sent");
    }

    /** Packets of any bytes and lengths are printed, none of them as bytes, and no more than there is room for. */
    @Test
    void anyBytesArePrinted() {
        Random random = new Random(7);
        settings.printer.level(1);
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = new byte[1 + random.nextInt(60)];
            random.nextBytes(bytes);
            if (bytes.length > 14 && random.nextBoolean()) {
                bytes[12] = 8;
                bytes[13] = 0;
            }
            through(Mode.RXONLY, HexFormat.of().formatHex(bytes));
        }
        assertThat(settings.printer.told()).hasSizeLessThan(300_000)
                .endsWith("came faster than they could be printed.\n")
                .matches("[ -~\n]*");
    }

    @Test
    void macWritesThePeerAndThePort() {
        assertThat(through(Mode.MAC, FRAME)).isEqualTo("020000000001" + "000d3a000002" + FRAME.substring(24));
    }

    @Test
    void macswapSwaps() {
        assertThat(through(Mode.MACSWAP, FRAME)).isEqualTo("0200000000bb0200000000aa" + FRAME.substring(24));
    }

    /** At a secondary packets come from the pool of its primary, and have more room than those that it makes. */
    @ParameterizedTest
    @CsvSource({"MAC, OFF", "MACSWAP, OFF", "FIVE_TUPLE_SWAP, OFF", "CSUM, OFF", "CSUM, ON", "ICMPECHO, OFF",
        "NOISY, OFF"})
    void packetsOfAnotherPoolAreChangedWhereTheyLie(Mode mode, Split split) {
        String frame = mode == Mode.ICMPECHO ? ARP : FRAME.replace("41424344", "41".repeat(600));
        settings.noisyMode = Mode.MACSWAP;
        String usual = through(mode, frame);
        settings.split = split;
        making = pools.make(new PacketPlan("own", 8, 0, 704));
        try (PacketPool own = making) {
            for (int i = 0; i < 9; i++) {
                assertThat(through(mode, frame)).isEqualTo(usual).isNotEqualTo(frame);
            }
            assertThat(own.available()).isEqualTo(8);
        }
    }

    @Test
    void rxonlySendsNothing() {
        assertThat(through(Mode.RXONLY, FRAME)).isEmpty();
    }

    @Test
    void fiveTuplesAreSwapped() {
        assertThat(through(Mode.FIVE_TUPLE_SWAP, FRAME)).isEqualTo("0200000000bb0200000000aa"
                + "08004500002000010000401100000a0000020a00000107d003e8000cffff41424344");
        String tagged = FRAME.substring(0, 24) + "81000005" + FRAME.substring(24);
        assertThat(through(Mode.FIVE_TUPLE_SWAP, tagged)).isEqualTo("0200000000bb0200000000aa81000005"
                + "08004500002000010000401100000a0000020a00000107d003e8000cffff41424344");
    }

    @Test
    void fiveTuplesOfIpv6() {
        String one = "20010db8000000000000000000000001";
        String two = "20010db8000000000000000000000002";
        String head = "86dd6000000000080640";
        assertThat(through(Mode.FIVE_TUPLE_SWAP, "0200000000aa0200000000bb" + head + one + two + "00500051ffffffff"))
                .isEqualTo("0200000000bb0200000000aa" + head + two + one + "00510050ffffffff");
    }

    @Test
    void txonlyMakesPacketsWithRightHeaders() {
        settings.burst = 4;
        ForwardStream lane = lane(Mode.TXONLY);
        assertThat(lane.turn()).isEqualTo(4);
        int[] sent = new int[4];
        assertThat(to.out[0].take(sent, 0, 4)).isEqualTo(4);
        byte[] frame = bytes(sent[0]);
        assertThat(HexFormat.of().formatHex(frame)).startsWith("020000000001000d3a00000208004500003200000000")
                .hasSize(128)
                .contains("c6120001c612000200090009001e0000");
        assertThat(InternetChecksum.isGood(InternetChecksum.add(0, frame, 14, 20))).isTrue();
        PacketPool.release(sent, 0, 4);
    }

    /** As many as there are to be, each as often as the others. */
    @ParameterizedTest
    @CsvSource({"64, 1", "16, 4", "1, 64", "5, 13"})
    void manyFlowsHavePortsOfTheirOwn(int flows, int most) {
        settings.burst = 64;
        settings.multiFlow = true;
        settings.flowsOfLane = flows;
        lane(Mode.TXONLY).turn();
        int[] sent = new int[64];
        assertThat(to.out[0].take(sent, 0, 64)).isEqualTo(64);
        Map<Integer, Integer> ports = new TreeMap<>();
        IntStream.of(sent).forEach(one -> ports.merge(RawMemory.getBig16(pool.data(one) + 34), 1, Integer::sum));
        assertThat(ports).hasSize(flows).containsEntry(9, most);
        assertThat(ports.values()).allMatch(count -> count == most || count == most - 1);
        PacketPool.release(sent, 0, 64);
    }

    @Test
    void flowgenVariesDestinationsAndDropsWhatComes() {
        settings.burst = 8;
        settings.flows = 3;
        settings.clones = 1;
        arrives(packet(FRAME));
        ForwardStream lane = lane(Mode.FLOWGEN);
        assertThat(lane.turn()).isEqualTo(9);
        assertThat(lane.received()).isOne();
        int[] sent = new int[8];
        assertThat(to.out[0].take(sent, 0, 8)).isEqualTo(8);
        int[] last = new int[8];
        for (int i = 0; i < 8; i++) {
            byte[] frame = bytes(sent[i]);
            assertThat(InternetChecksum.isGood(InternetChecksum.add(0, frame, 14, 20))).isTrue();
            last[i] = frame[33];
        }
        assertThat(last).containsExactly(2, 2, 3, 3, 4, 4, 2, 2);
        PacketPool.release(sent, 0, 8);
    }

    @Test
    void csumComputesChecksums() {
        byte[] frame = HexFormat.of().parseHex(through(Mode.CSUM, FRAME));
        assertThat(InternetChecksum.isGood(InternetChecksum.add(0, frame, 14, 20))).isTrue();
        Headers headers = new Headers();
        assertThat(headers.parse(frame, 0, frame.length, frame.length)).isTrue();
        long sum = InternetChecksum.pseudoHeader(frame, headers.addresses(), headers.addressBytes(), 17,
                headers.transportLength());
        assertThat(InternetChecksum.isGood(InternetChecksum.add(sum, frame, headers.transport(),
                headers.transportLength()))).isTrue();
    }

    @Test
    void csumAsksTheDeviceAndCountsBadOnes() {
        to.configure(new EthDevPlan(1, 1, 0, Offload.SEND_IPV4_CHECKSUM | Offload.SEND_UDP_CHECKSUM, null, false));
        int packet = packet(FRAME);
        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, FRAME.length() / 2,
                PacketFlags.IP_BAD | PacketFlags.TRANSPORT_BAD));
        arrives(packet);
        ForwardStream lane = lane(Mode.CSUM);
        lane.turn();
        int[] sent = new int[1];
        assertThat(to.out[0].take(sent, 0, 1)).isOne();
        assertThat(PacketPool.flags(pool.first(sent[0])) & PacketFlags.SEND)
                .isEqualTo(PacketFlags.IP_CHECKSUM | PacketFlags.UDP_CHECKSUM | PacketFlags.IPV4);
        assertThat(lane.badIp()).isOne();
        assertThat(lane.badTransport()).isOne();
        PacketPool.release(sent, 0, 1);
    }

    /** Of a port that was started for it, into what has been made or gets addresses. */
    @ParameterizedTest
    @CsvSource({"MAC, true", "MACSWAP, true", "FIVE_TUPLE_SWAP, true", "TXONLY, true", "FLOWGEN, true", "IO, false",
        "CSUM, false"})
    void tagsArePutIn(Mode mode, boolean tags) {
        settings.sendTag(to, 0xabc);
        int[] sent = new int[64];
        for (long offload : new long[] {Offload.SEND_VLAN_INSERT, 0}) {
            to.configure(new EthDevPlan(1, 1, 0, offload, null, false));
            int packet = packet(FRAME);
            pool.second(packet, PacketPool.second(0x12345678, 0xfff));
            arrives(packet);
            lane(mode).turn();
            int count = to.out[0].take(sent, 0, sent.length);
            boolean tagged = tags && offload != 0;
            assertThat((PacketPool.flags(pool.first(sent[0])) & PacketFlags.INSERT_TAG) != 0).isEqualTo(tagged);
            long second = pool.second(sent[0]);
            assertThat(PacketPool.tag(second) == 0xabc).isEqualTo(tagged);
            assertThat(PacketPool.segments(second)).isOne();
            assertThat(PacketPool.references(second)).isOne();
            PacketPool.release(sent, 0, count);
        }
    }

    /**
     * Ports look behind one tag of a customer, and not behind extension headers: what they do not find is computed, or
     * it would not be sent.
     */
    @ParameterizedTest
    @ValueSource(strings = {"81000005 81000006 0800", "88a80005 0800", "88a80005 81000006 0800", "81000005 81000006 "
            + IPV6, "86dd 60000000 0014 3c 40" + ADDRESSES + "1100010400000000 03e807d0000cffff41424344"})
    void csumComputesWhatTheDeviceWouldNotFind(String type) {
        String ip = type.endsWith("0800") ? FRAME.substring(28) : "";
        String frame = FRAME.substring(0, 24) + type.replace(" ", "") + ip;
        String computed = through(Mode.CSUM, frame);
        assertThat(computed).isNotEqualTo(frame);
        to.configure(new EthDevPlan(1, 1, 0, Offload.SEND_IPV4_CHECKSUM | Offload.SEND_UDP_CHECKSUM, null, false));
        assertThat(through(Mode.CSUM, frame)).isEqualTo(computed);
        arrives(packet(frame));
        lane(Mode.CSUM).turn();
        int[] sent = new int[1];
        assertThat(to.out[0].take(sent, 0, 1)).isOne();
        assertThat(PacketPool.flags(pool.first(sent[0])) & PacketFlags.SEND).isZero();
        PacketPool.release(sent, 0, 1);
    }

    /** The checksum is over the last address, which the header has; one that has got there is computed. */
    @ParameterizedTest
    @CsvSource({"1, true", "0, false"})
    void csumLeavesTheChecksumOfWhatIsRoutedByItsSender(int left, boolean kept) {
        String frame = FRAME.substring(0, 24) + "86dd6000000000242b40" + ADDRESSES + "110200" + "0" + left
                + "00000000" + "fd000000000000000000000000000003" + "03e807d0000c1234" + "41424344";
        String sent = through(Mode.CSUM, frame);
        int place = 2 * (14 + 40 + 24 + 6);
        assertThat(sent.substring(place, place + 4).equals("1234")).isEqualTo(kept);
    }

    /** What the port that has received computes is of no use to the one that sends. */
    @Test
    void csumAsksNothingOfAPortThatComputesNothing() {
        from.configure(new EthDevPlan(1, 1, 0, Offload.SEND_IPV4_CHECKSUM | Offload.SEND_UDP_CHECKSUM, null, false));
        csumComputesChecksums();
        to.configure(EthDevPlan.of(1));
        csumComputesChecksums();
    }

    @Test
    void icmpechoAnswersArp() {
        assertThat(through(Mode.ICMPECHO, ARP)).isEqualTo("0200000000bb000d3a00000208060001080006040002"
                + "000d3a0000020a000002" + "0200000000bb0a000001");
    }

    @Test
    void icmpechoAnswersEcho() {
        String request = "000d3a0000020200000000bb08004500001e000100004001" + "66dc" + "0a0000010a000002"
                + "0800b3fd00010001" + "4142";
        byte[] frame = HexFormat.of().parseHex(request);
        int sum = InternetChecksum.finish(InternetChecksum.add(0, zeroed(frame, 36), 34, 10));
        frame[36] = (byte) (sum >>> 8);
        frame[37] = (byte) sum;
        byte[] answer = HexFormat.of().parseHex(through(Mode.ICMPECHO, HexFormat.of().formatHex(frame)));
        assertThat(HexFormat.of().formatHex(answer)).startsWith("0200000000bb000d3a0000020800")
                .contains("0a0000020a0000010000");
        assertThat(InternetChecksum.isGood(InternetChecksum.add(0, answer, 34, 10))).isTrue();
        assertThat(through(Mode.ICMPECHO, FRAME)).isEmpty();
    }

    private static byte[] zeroed(byte[] frame, int at) {
        byte[] copy = frame.clone();
        copy[at] = 0;
        copy[at + 1] = 0;
        return copy;
    }

    @Test
    void noisyLetsPacketsWaitInOrder() {
        settings.noisyBuffer = 3;
        settings.noisyMegabytes = 1;
        settings.noisyReads = 2;
        settings.noisyWrites = 2;
        settings.noisyMode = Mode.MACSWAP;
        ForwardStream lane = lane(Mode.NOISY);
        for (int i = 0; i < 5; i++) {
            arrives(packet(FRAME.substring(0, 82) + "%02x".formatted(i)));
            assertThat(lane.turn()).isOne();
        }
        int[] sent = new int[8];
        assertThat(to.out[0].take(sent, 0, 8)).isEqualTo(2);
        assertThat(bytes(sent[0])[41]).isZero();
        assertThat(bytes(sent[1])[41]).isEqualTo((byte) 1);
        assertThat(bytes(sent[0])[5]).isEqualTo((byte) 0xbb);
        PacketPool.release(sent, 0, 2);
        lane.end();
        assertThat(lane.dropped()).isEqualTo(3);
    }

    @Test
    void whatIsNotTakenIsDroppedOrTriedAgain() {
        settings.burst = 48;
        settings.retry = true;
        settings.retries = 2;
        ForwardStream lane = lane(Mode.TXONLY);
        lane.turn();
        lane.turn();
        assertThat(lane.sent()).isEqualTo(64);
        assertThat(lane.dropped()).isEqualTo(32);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void anyBytesAreTaken(Mode mode) {
        java.util.Random random = new java.util.Random(mode.ordinal());
        ForwardStream lane = lane(mode);
        int[] sent = new int[64];
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = HexFormat.of().parseHex(FRAME);
            for (int change = random.nextInt(6); change > 0; change--) {
                bytes[12 + random.nextInt(bytes.length - 12)] = (byte) random.nextInt();
            }
            String hex = HexFormat.of().formatHex(bytes, 0, 14 + random.nextInt(bytes.length - 13));
            if (mode != Mode.TXONLY) {
                arrives(packet(hex));
            }
            lane.turn();
            PacketPool.release(sent, 0, to.out[0].take(sent, 0, 64));
        }
        lane.end();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void turnsAllocateNothing(Mode mode) {
        settings.noisyBuffer = 16;
        settings.measurement.of(1, Measurement.NO_CORE);
        settings.measurement.begin(Set.of(1), List.of());
        ForwardStream lane = lane(mode);
        int[] some = new int[64];
        arrives(packet(FRAME));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long start = System.nanoTime();
        long least = Long.MAX_VALUE;
        while (least > 0 && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(60)) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 2000; i++) {
                lane.turn();
                int count = to.out[0].take(some, 0, 64);
                int back = from.in[0].put(some, 0, count);
                PacketPool.release(some, back, count - back);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isZero();
        lane.end();
    }
}
