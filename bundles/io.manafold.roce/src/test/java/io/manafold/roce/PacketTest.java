package io.manafold.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.memory.RawMemory;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PacketTest {
    private static final long IPV4_A = 0xffff_0a00_0001L;
    private static final long IPV4_B = 0xffff_0a00_0002L;
    private static final String SEND = """
            0200000000020200000000010800456a003c12344000401114110a0000010a000002c12312b7002800000480ffff00001000
            80000001000102030405060708090a0b0c0d0e0fcc46370e""";
    private static final String ACK = """
            02000000000202000000000186dd66812345001c1140fe80000000000000000000fffe000002fe80000000000000000000ff
            fe000001c12312b7001c00001100ffff00002004000000011f00000158a87caf""";
    private static final String WRITE = """
            02000000000202000000000108004500004400004000011165a70a0000010a000002c00012b7003000000a30ffff00001000
            80ffffff00007faabbccd0100badcafe0000000568656c6c6f000000a24eaf0c""";
    private static final String MANAGEMENT = """
            02000000000202000000000108004500013400014000401125b60a0000010a000002c00012b7012000006400ffff00000001
            00000000800100000000000101070203""" + "00".repeat(252) + "6fc6612c";
    private static final String CNP = """
            020000000002020000000001080045c0003c00074000401125e80a0000020a000001c12312b7002800008100ffff40002004
            000000000000000000000000000000000000000071d0cb4b""";
    /** From an adapter of another maker. */
    private static final String FOREIGN_CNP = """
            e41d2dab2bc27cfe90643b32080045c2003c718c4000401191610a0011010a001201000012b7002800008100ffff40000118
            000000000000000000000000000000000000000082fd002a""";

    private final long memory = Native.allocate(8192);
    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();

    private int put(String hex) {
        byte[] bytes = Native.bytes(hex);
        RawMemory.copy(bytes, 0, memory, bytes.length);
        return bytes.length;
    }

    private int read(String hex) {
        int length = put(hex);
        return packet.read(memory, Math.min(length, Packet.HEAD), length);
    }

    private void assertCrc(String hex) {
        assertThat(read(hex)).isZero();
        icrc.begin(memory, packet.headerBytes);
        icrc.update(memory + packet.headerBytes, packet.icrcOffset() - packet.headerBytes);
        assertThat(icrc.value()).as(hex).isEqualTo(RawMemory.get32(memory + packet.icrcOffset()));
    }

    /** The packet written again is the same but for the identification of IPv4 and the checksum over it. */
    private void assertWritten(String hex) {
        int length = put(hex);
        byte[] before = Native.at(memory, packet.headerBytes);
        long copy = Native.allocate(Packet.HEAD);
        assertThat(packet.write(copy)).isEqualTo(before.length);
        assertThat(packet.frameBytes()).isEqualTo(length);
        byte[] after = Native.at(copy, before.length);
        if (!packet.ipv6) {
            long sum = 0;
            for (int i = 14; i < 34; i += 2) {
                sum += RawMemory.getBig16(copy + i);
            }
            assertThat(sum % 0xffff).as("checksum of the header").isZero();
            for (int at : new int[] {18, 19, 24, 25}) {
                after[at] = before[at];
            }
        }
        assertThat(HexFormat.of().formatHex(after)).isEqualTo(HexFormat.of().formatHex(before));
    }

    /** What decides whether a frame is RDMA's at all must not be left over from the one before. */
    @Test
    void theAddressesOfAWrongChecksumAreItsOwn() {
        assertThat(read(SEND)).isZero();
        assertThat(packet.destinationLow).isEqualTo(IPV4_B);
        int length = put(SEND);
        RawMemory.put8(memory + 33, 9);
        RawMemory.put8(memory + 29, 8);
        assertThat(packet.read(memory, Math.min(length, Packet.HEAD), length)).isEqualTo(Packet.BAD_CHECKSUM);
        assertThat(packet.destinationLow).isEqualTo(IPV4_B & ~0xff | 9);
        assertThat(packet.sourceLow).isEqualTo(IPV4_A & ~0xff | 8);
    }

    @Test
    void theCrcIsRight() {
        for (String frame : new String[] {SEND, ACK, WRITE, MANAGEMENT, CNP, FOREIGN_CNP}) {
            assertCrc(frame);
        }
    }

    @Test
    void paddingThatIsNotInMemoryCountsAsWell() {
        read(WRITE);
        icrc.begin(memory, packet.headerBytes);
        icrc.update(memory + packet.headerBytes, packet.payloadBytes);
        icrc.pad(packet.pad);
        assertThat(icrc.value()).isEqualTo(RawMemory.get32(memory + packet.icrcOffset()));
    }

    @Test
    void aSendIsReadAndWritten() {
        assertThat(read(SEND)).isZero();
        assertThat(packet.sourceMac).isEqualTo(0x0200_0000_0001L);
        assertThat(packet.destinationMac).isEqualTo(0x0200_0000_0002L);
        assertThat(packet.ipv6).isFalse();
        assertThat(packet.sourceHigh).isZero();
        assertThat(packet.sourceLow).isEqualTo(IPV4_A);
        assertThat(packet.destinationLow).isEqualTo(IPV4_B);
        assertThat(packet.trafficClass).isEqualTo(0x6a);
        assertThat(packet.hopLimit).isEqualTo(64);
        assertThat(packet.sourcePort).isEqualTo(0xc123);
        assertThat(packet.opcode).isEqualTo(Opcode.SEND_ONLY);
        assertThat(packet.solicited).isTrue();
        assertThat(packet.acknowledgeRequest).isTrue();
        assertThat(packet.queuePair).isEqualTo(0x1000);
        assertThat(packet.psn).isEqualTo(1);
        assertThat(packet.payloadBytes).isEqualTo(16);
        assertThat(packet.isCongestionMarked()).isFalse();
        assertWritten(SEND);
    }

    @Test
    void anAcknowledgementIsReadAndWritten() {
        assertThat(read(ACK)).isZero();
        assertThat(packet.ipv6).isTrue();
        assertThat(packet.sourceHigh).isEqualTo(0xfe80_0000_0000_0000L);
        assertThat(packet.sourceLow).isEqualTo(0x0000_00ff_fe00_0002L);
        assertThat(packet.destinationLow).isEqualTo(0x0000_00ff_fe00_0001L);
        assertThat(packet.trafficClass).isEqualTo(0x68);
        assertThat(packet.flowLabel).isEqualTo(0x12345);
        assertThat(packet.syndrome).isEqualTo(Syndrome.ACK);
        assertThat(packet.msn).isEqualTo(1);
        assertThat(packet.payloadBytes).isZero();
        assertWritten(ACK);
    }

    @Test
    void aWriteIsReadAndWritten() {
        assertThat(read(WRITE)).isZero();
        assertThat(packet.psn).isEqualTo(Psn.MASK);
        assertThat(packet.remoteAddress).isEqualTo(0x7faa_bbcc_d010L);
        assertThat(packet.remoteKey).isEqualTo(0x0bad_cafe);
        assertThat(packet.dmaLength).isEqualTo(5);
        assertThat(packet.payloadBytes).isEqualTo(5);
        assertThat(packet.pad).isEqualTo(3);
        assertWritten(WRITE);
    }

    @Test
    void aManagementDatagramIsReadAndWritten() {
        assertThat(read(MANAGEMENT)).isZero();
        assertThat(packet.queuePair).isEqualTo(1);
        assertThat(packet.queueKey).isEqualTo(0x8001_0000);
        assertThat(packet.sourceQueuePair).isEqualTo(1);
        assertThat(packet.payloadBytes).isEqualTo(256);
        assertWritten(MANAGEMENT);
    }

    @Test
    void aCongestionNotificationIsReadAndWritten() {
        assertThat(read(FOREIGN_CNP)).isZero();
        assertThat(packet.opcode).isEqualTo(Opcode.CNP);
        assertThat(packet.becn).isTrue();
        assertThat(packet.queuePair).isEqualTo(0x118);
        assertThat(packet.payloadBytes).isZero();
        assertWritten(FOREIGN_CNP);
    }

    @Test
    void immediatesAndInvalidatedKeysAreReadAsWritten() {
        read(SEND);
        packet.payloadBytes = 3;
        packet.opcode = Opcode.WRITE_ONLY_IMMEDIATE;
        packet.immediate = 0x8899_aabb;
        packet.remoteAddress = -2;
        packet.dmaLength = 3;
        assertReadAsWritten();
        assertThat(packet.immediate).isEqualTo(0x8899_aabb);
        assertThat(packet.remoteAddress).isEqualTo(-2);
        packet.opcode = Opcode.SEND_LAST_INVALIDATE;
        packet.invalidatedKey = 0x1122_3344;
        assertReadAsWritten();
        assertThat(packet.invalidatedKey).isEqualTo(0x1122_3344);
    }

    private void assertReadAsWritten() {
        int bytes = packet.write(memory);
        int frame = packet.frameBytes();
        packet.immediate = 0;
        packet.invalidatedKey = 0;
        packet.remoteAddress = 0;
        assertThat(packet.read(memory, bytes, frame)).isZero();
        assertThat(packet.headerBytes).isEqualTo(bytes);
        assertThat(packet.frameBytes()).isEqualTo(frame);
        assertThat(packet.payloadBytes).isEqualTo(3);
        assertThat(packet.pad).isEqualTo(1);
    }

    @Test
    void aTagAndWhatEthernetAddsToShortFramesAreNoHindrance() {
        String plain = SEND.replaceAll("\\s", "");
        String tagged = plain.substring(0, 24) + "81002005" + plain.substring(24) + "000000";
        assertCrc(tagged);
        assertThat(packet.icrcOffset()).isEqualTo(74);
        assertThat(packet.queuePair).isEqualTo(0x1000);
    }

    /** Reads {@link #WRITE} with one byte changed. */
    private int readChanged(int at, int value, boolean checksum) {
        int length = put(WRITE);
        int before = RawMemory.getBig16(memory + (at & -2));
        RawMemory.put8(memory + at, value);
        int after = RawMemory.getBig16(memory + (at & -2));
        if (checksum) {
            int sum = (~RawMemory.getBig16(memory + 24) & 0xffff) + (~before & 0xffff) + after;
            sum = (sum >>> 16) + (sum & 0xffff);
            RawMemory.putBig16(memory + 24, ~((sum >>> 16) + sum));
        }
        return packet.read(memory, length, length);
    }

    @Test
    void whatIsNotRoceOrNotWholeIsSaidToBe() {
        assertThat(readChanged(12, 0x88, false)).as("ethertype").isEqualTo(Packet.NOT_ROCE);
        assertThat(readChanged(14, 0x46, true)).as("options").isEqualTo(Packet.NOT_ROCE);
        assertThat(readChanged(20, 0x20, true)).as("fragment").isEqualTo(Packet.NOT_ROCE);
        assertThat(readChanged(23, 6, true)).as("protocol").isEqualTo(Packet.NOT_ROCE);
        assertThat(readChanged(37, 0xb6, false)).as("port").isEqualTo(Packet.NOT_ROCE);
        assertThat(readChanged(22, 9, false)).as("checksum").isEqualTo(Packet.BAD_CHECKSUM);
        assertThat(readChanged(22, 9, true)).as("checksum").isZero();
        assertThat(readChanged(17, 0x45, true)).as("length of IP").isEqualTo(Packet.BAD_LENGTH);
        assertThat(readChanged(39, 0x31, false)).as("length of UDP").isEqualTo(Packet.BAD_LENGTH);
        assertThat(readChanged(42, 0x99, false)).as("opcode").isEqualTo(Packet.UNKNOWN_OPCODE);
        assertThat(readChanged(42, 0x1e, false)).as("reserved opcode of the reliable connection").isZero();
        assertThat(readChanged(43, 0x31, false)).as("version").isEqualTo(Packet.BAD_VERSION);
        assertThat(readChanged(45, 0xfe, false)).as("partition").isEqualTo(Packet.BAD_PARTITION);
        assertThat(readChanged(42, Opcode.COMPARE_SWAP, false)).as("longer headers").isEqualTo(Packet.BAD_LENGTH);
        int length = put(WRITE);
        assertThat(packet.read(memory, length, length - 1)).isEqualTo(Packet.BAD_LENGTH);
        assertThat(packet.read(memory, 69, length)).isEqualTo(Packet.TRUNCATED);
        assertThat(packet.read(memory, 70, length)).isZero();
        assertThat(packet.read(memory, 17, 17)).isEqualTo(Packet.NOT_ROCE);
    }
}
