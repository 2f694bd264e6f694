package io.manafold.gdma;

import static io.manafold.gdma.Vectors.hex;
import static io.manafold.gdma.Vectors.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.MacAddress;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests, doorbells and completions as a driver that is in use writes and reads them. */
class RdmaLayoutTest {
    private static final int SEND_REQUESTER = 0x2000;
    private static final int RECEIVE_REQUESTER = 0x1001;
    private static final int RECEIVE_RESPONDER = 0x1000;
    private static final String FIRST = "00403322117f00004433221100000000";
    private static final String SECOND = "00003422117f00008877665500000000";

    private static int[] request(String hex) {
        return words(hex.replace(" ", ""));
    }

    private static int[] pieces(int... lengths) {
        int[] all = new int[lengths.length * 4];
        for (int k = 0; k < lengths.length; k++) {
            System.arraycopy(words(k == 0 ? FIRST : SECOND), 0, all, k * 4, 4);
            all[k * 4 + 3] = lengths[k];
        }
        return all;
    }

    /** Writes a send request with {@code body}, the inline part behind the control word, and compares. */
    private static void check(String expected, int operation, int flags, int psn, int sequence, int[] body,
            int[] pieces) {
        int inline = RdmaRequest.inlineBytes(operation);
        int real = pieces.length / 4;
        int[] list = real == 0 ? new int[] {(int) RdmaRequest.NO_PIECE, 0, 0, 0} : pieces;
        int padding = RdmaRequest.padding(list.length / 4, inline);
        int count = list.length / 4 + padding;
        int[] written = new int[WorkRequest.size(count, inline) / 4];
        written[WorkRequest.WORD0 / 4] = padding;
        written[WorkRequest.WORD1 / 4] = RdmaRequest.word1(operation, count, 1024);
        written[RdmaRequest.CONTROL / 4] = RdmaRequest.control(operation, flags, psn);
        written[RdmaRequest.SEQUENCE / 4] = sequence;
        System.arraycopy(body, 0, written, RdmaRequest.IMMEDIATE / 4, body.length);
        System.arraycopy(list, 0, written, WorkRequest.firstPiece(written[1]) / 4, list.length);
        assertThat(hex(written)).isEqualTo(expected.replace(" ", ""));

        int[] words = request(expected);
        int control = words[RdmaRequest.CONTROL / 4];
        assertThat(RdmaRequest.operation(control)).isEqualTo(operation);
        assertThat(RdmaRequest.isFenced(control)).isEqualTo((flags & RdmaRequest.FENCE) != 0);
        assertThat(RdmaRequest.isSignaled(control)).isEqualTo((flags & RdmaRequest.SIGNALED) != 0);
        assertThat(RdmaRequest.isSolicited(control)).isEqualTo((flags & RdmaRequest.SOLICITED) != 0);
        assertThat(RdmaRequest.psn(control)).isEqualTo(psn);
        assertThat(RdmaRequest.number(words[RdmaRequest.SEQUENCE / 4])).isEqualTo(sequence);
        assertThat(RdmaRequest.mtu(words[1])).isEqualTo(1024);
        assertThat(RdmaRequest.hasAddress(words[1])).isFalse();
        assertThat(RdmaRequest.pieces(words[0], words[1])).isEqualTo(Math.max(1, real));
        assertThat(WorkRequest.inlineBytes(words[1])).isEqualTo(inline);
        assertThat(WorkRequest.size(words[1])).isEqualTo(words.length * 4);
        int first = WorkRequest.firstPiece(words[1]) / 4;
        int bytes = 0;
        for (int k = 0; k < RdmaRequest.pieces(words[0], words[1]); k++) {
            bytes += words[first + k * 4 + WorkRequest.PIECE_LENGTH / 4];
        }
        int sent = 0;
        for (int k = 3; k < pieces.length; k += 4) {
            sent += pieces[k];
        }
        assertThat(bytes).isEqualTo(sent);
    }

    private static int[] remote(int bytes) {
        return new int[] {0x7faa, 0xbbccd010, 0x0badcafe, bytes};
    }

    @Test
    void sends() {
        check("01000000 02060044 42feffff 01000000 00000000 00000000 00000000 00000000"
                + "00403322 117f0000 44332211 c4090000 00000000 00000000 00000000 00000000", RdmaRequest.SEND,
                RdmaRequest.SIGNALED, 0xfffffe, 1, new int[0], pieces(2500));
        check("00000000 02060044 a3010000 02000000 d4c3b2a1 00000000 00000000 00000000"
                + "00403322 117f0000 44332211 10000000 00003422 117f0000 88776655 40000000",
                RdmaRequest.SEND_WITH_IMMEDIATE, RdmaRequest.FENCE | RdmaRequest.SOLICITED, 1, 2,
                new int[] {0xa1b2c3d4}, pieces(16, 64));
        check("01000000 02060044 42070000 06000000 00000000 00000000 00000000 00000000"
                + "01000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000", RdmaRequest.SEND,
                RdmaRequest.SIGNALED, 7, 6, new int[0], pieces());
    }

    @Test
    void writesAndReads() {
        check("01000000 02060004 45020000 03000000 aa7f0000 10d0ccbb fecaad0b 10000000"
                + "00403322 117f0000 44332211 10000000 00000000 00000000 00000000 00000000", RdmaRequest.WRITE,
                RdmaRequest.SIGNALED, 2, 3, remote(16), pieces(16));
        check("00000000 01070044 46030000 04000000 aa7f0000 10d0ccbb fecaad0b 10000000"
                + "d4c3b2a1 00000000 00000000 00000000 00403322 117f0000 44332211 10000000",
                RdmaRequest.WRITE_WITH_IMMEDIATE, RdmaRequest.SIGNALED, 3, 4,
                new int[] {0x7faa, 0xbbccd010, 0x0badcafe, 16, 0xa1b2c3d4}, pieces(16));
        String read = "01000000 02060004 47040000 05000000 aa7f0000 10d0ccbb fecaad0b b80b0000"
                + "01000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000";
        check(read, RdmaRequest.READ, RdmaRequest.SIGNALED, 4, 5, remote(3000), pieces());
        int[] words = request(read);
        assertThat(RdmaRequest.remoteAddress(words[RdmaRequest.REMOTE_HIGH / 4], words[RdmaRequest.REMOTE_LOW / 4]))
                .isEqualTo(0x7faa_bbcc_d010L);
        assertThat(words[RdmaRequest.REMOTE_KEY / 4]).isEqualTo(0x0badcafe);
        assertThat(words[RdmaRequest.LENGTH / 4]).isEqualTo(3000);
        int[] wide = request("00000000 01070044 46030000 04000000 aa7f0000 10d0ccbb fecaad0b 10000000 d4c3b2a1");
        assertThat(wide[RdmaRequest.WIDE_IMMEDIATE / 4]).isEqualTo(0xa1b2c3d4);
    }

    @Test
    void packetNumbersOfTheseRequestsFollowEachOther() {
        assertThat(0xfffffe + RdmaRequest.packets(2500, 1024) & 0xff_ffff).isEqualTo(1);
        assertThat(4 + RdmaRequest.packets(3000, 1024)).isEqualTo(7);
        assertThat(RdmaRequest.packets(0, 1024)).isEqualTo(1);
        assertThat(RdmaRequest.packets(1024, 1024)).isEqualTo(1);
        assertThat(RdmaRequest.packets(1025, 1024)).isEqualTo(2);
        assertThat(RdmaRequest.packets(-1, 256)).isEqualTo(1 << 24);
    }

    @ParameterizedTest
    @CsvSource({
        "true, 4, 3000, -1, 00000000 01020040 04000000 00000000 00403322 117f0000 44332211 b80b0000",
        "false, 0, 4096, -1, 00000000 01020000 00000000 00000000 00403322 117f0000 44332211 00100000",
        "false, 0, 4096, 64, 00000000 02020000 00000000 00000000 00403322 117f0000 44332211 00100000 00003422 117f0000"
                + " 88776655 40000000 00000000 00000000 00000000 00000000"})
    void receives(boolean landing, int psn, int first, int second, String expected) {
        int[] list = second < 0 ? pieces(first) : pieces(first, second);
        int count = list.length / 4;
        int word1 = landing ? RdmaReceiveRequest.landing(count) : RdmaReceiveRequest.receive(count);
        int[] written = new int[WorkRequest.size(word1) / 4];
        written[1] = word1;
        written[RdmaReceiveRequest.PSN / 4] = psn;
        System.arraycopy(list, 0, written, WorkRequest.firstPiece(word1) / 4, list.length);
        assertThat(hex(written)).isEqualTo(expected.replace(" ", ""));
        int[] words = request(expected);
        assertThat(RdmaReceiveRequest.isLanding(words[1])).isEqualTo(landing);
        assertThat(RdmaReceiveRequest.psn(words[RdmaReceiveRequest.PSN / 4])).isEqualTo(psn);
        assertThat(words[RdmaReceiveRequest.PSN_RANGE / 4]).isZero();
        assertThat(WorkRequest.pieces(words[1])).isEqualTo(count);
        assertThat(WorkRequest.size(words[1])).isEqualTo(words.length * 4);
    }

    @Test
    void doorbells() {
        assertThat(Doorbell.ACKNOWLEDGED).isEqualTo(0x408);
        assertThat(Doorbell.acknowledged(RECEIVE_REQUESTER, 0xfffffe)).isEqualTo(0x00fffffe01001001L);
        assertThat(Doorbell.acknowledged(RECEIVE_REQUESTER, 0x1000002)).isEqualTo(0x0000000201001001L);
        assertThat(Doorbell.psn(0x00fffffe01001001L)).isEqualTo(0xfffffe);
        assertThat(Doorbell.queue(0x00fffffe01001001L)).isEqualTo(RECEIVE_REQUESTER);
        assertThat(Doorbell.work(SEND_REQUESTER, 0x40)).isEqualTo(0x0000004000002000L);
        assertThat(Doorbell.work(SEND_REQUESTER, 0x1180)).isEqualTo(0x0000118000002000L);
        assertThat(Doorbell.receive(RECEIVE_REQUESTER, 0x20, 1)).isEqualTo(0x0000002001001001L);
        assertThat(Doorbell.receive(RECEIVE_RESPONDER, 0x60, 1)).isEqualTo(0x0000006001001000L);
        assertThat(Doorbell.workRequestCount(0x0000006001001000L)).isEqualTo(1);
        assertThat(Doorbell.producedBytes(0x0000006001001000L)).isEqualTo(0x60);
        assertThat(Doorbell.receive(1, -32, 255)).isEqualTo(0xffffffe0ff000001L);
        assertThat(Doorbell.completion(0x4d, 70, true)).isEqualTo(0x800000460000004dL);
        assertThat(Doorbell.completion(0x4d, 318, false)).isEqualTo(0x0000013e0000004dL);
    }

    @Test
    void trailer() {
        int[] words = words("524c424b10000000000000000a000000");
        assertThat(words[RollbackTrailer.SIGNATURE / 4]).isEqualTo(RollbackTrailer.MAGIC);
        assertThat(words[RollbackTrailer.LENGTH / 4]).isEqualTo(RollbackTrailer.SIZE);
        assertThat(words[RollbackTrailer.LEFT / 4]).isZero();
        assertThat(words[RollbackTrailer.RIGHT / 4]).as("the sixth request of two units").isEqualTo(10);
        assertThat(RollbackTrailer.ringBytes(8192 + 16)).isEqualTo(8192);
        assertThat(RollbackTrailer.ringBytes(4096)).isEqualTo(4096);
        assertThat(RollbackTrailer.ringBytes(0)).isZero();
    }

    @Test
    void completions() {
        int slots = 64;
        int[] armed = words("070000000100001f00000000" + "00".repeat(48) + "01100020");
        assertThat(RdmaCompletion.type(armed[0])).isEqualTo(RdmaCompletion.ACKNOWLEDGED);
        assertThat(RdmaCompletion.number(armed[RdmaCompletion.PROGRESS / 4])).isEqualTo(1);
        assertThat(RdmaCompletion.top(armed[RdmaCompletion.PROGRESS / 4])).isEqualTo(RdmaCompletion.NO_CREDIT_LIMIT);
        assertThat(RdmaCompletion.number(armed[RdmaCompletion.PSN / 4])).isZero();
        assertThat(CompletionEntry.workQueue(armed[15])).isEqualTo(RECEIVE_REQUESTER);
        assertThat(CompletionEntry.isSendSide(armed[15])).isFalse();
        int[] written = new int[16];
        written[0] = RdmaCompletion.first(RdmaCompletion.ACKNOWLEDGED, 0);
        written[RdmaCompletion.PROGRESS / 4] = RdmaCompletion.word(1, RdmaCompletion.NO_CREDIT_LIMIT);
        written[CompletionEntry.LAST / 4] = CompletionEntry.last(RECEIVE_REQUESTER, false, slots, slots);
        assertThat(written).isEqualTo(armed);

        int[] error = words("226201000000000004000000" + "00".repeat(48) + "00200021");
        assertThat(RdmaCompletion.type(error[0])).isEqualTo(RdmaCompletion.ERROR);
        assertThat(RdmaCompletion.error(error[0])).isEqualTo(VendorError.REMOTE_ACCESS_DENIED.code());
        assertThat(RdmaCompletion.number(error[RdmaCompletion.PSN / 4])).isEqualTo(4);
        assertThat(CompletionEntry.workQueue(error[15])).isEqualTo(SEND_REQUESTER);
        assertThat(CompletionEntry.isSendSide(error[15])).isTrue();
        written = new int[16];
        written[0] = RdmaCompletion.first(RdmaCompletion.ERROR, VendorError.REMOTE_ACCESS_DENIED.code());
        written[RdmaCompletion.PSN / 4] = RdmaCompletion.word(4, 0);
        written[CompletionEntry.LAST / 4] = CompletionEntry.last(SEND_REQUESTER, true, slots, slots);
        assertThat(written).isEqualTo(error);
        assertThat(RdmaCompletion.acknowledges(0x1f)).isTrue();
        assertThat(RdmaCompletion.acknowledges(0x20) || RdmaCompletion.acknowledges(0x62)).isFalse();
        assertThat(RdmaCompletion.datagramStatus(RdmaCompletion.first(RdmaCompletion.DATAGRAM, 21))).isEqualTo(21);
    }

    @Test
    void events() {
        assertThat(EventEntry.service(EventEntry.SERVICE_SUSPEND, 0)).isEqualTo(0x1000_0000);
        assertThat(EventEntry.service(EventEntry.SERVICE_RESUME, 0)).isEqualTo(0x2000_0000);
        assertThat(EventEntry.serviceType(0x2000_0000)).isEqualTo(EventEntry.SERVICE_RESUME);
        assertThat(EventEntry.queuePair(0xff00_1000)).isEqualTo(0x1000);
        assertThat(EventEntry.last(EventEntry.QUEUE_PAIR_FATAL, 2048, 2048)).isEqualTo(0x2000_00b0);
    }

    @ParameterizedTest
    @CsvSource({
        "0a000002, 0a000001, 00000000 00000000 0000ffff 0200000a 55443322 110223c1 00000000 00000000 00000000"
                + " 0100000a 4000a001 00000000",
        "fe80000000000000020d3afffe010203, fe80000000000000021122fffe334455, 030201fe ff3a0d02 00000000 000080fe"
                + " 55443322 110223c1 554433fe ff221102 00000000 000080fe 4000a081 00000000"})
    void addressVectors(String destination, String source, String expected) {
        Gid to = gid(destination);
        Gid from = gid(source);
        MacAddress mac = MacAddress.parse("02:11:22:33:44:55");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(AddressVector.SIZE, 64);
            memory.fill((byte) -1);
            long at = memory.address();
            AddressVector.write(at, to, mac, 0xc123, from, 64, 26);
            assertThat(hex(memory.toArray(ValueLayout.JAVA_BYTE))).isEqualTo(expected.replace(" ", ""));
            memory.copyFrom(MemorySegment.ofArray(Vectors.bytes(expected)));
            assertThat(AddressVector.destination(at)).isEqualTo(to);
            assertThat(AddressVector.source(at)).isEqualTo(from);
            assertThat(AddressVector.destinationMac(at)).isEqualTo(mac);
            assertThat(AddressVector.sourcePort(at)).isEqualTo(0xc123);
            assertThat(AddressVector.hopLimit(AddressVector.last(at))).isEqualTo(64);
            assertThat(AddressVector.dscp(AddressVector.last(at))).isEqualTo(26);
            assertThat(AddressVector.isIpv6(AddressVector.last(at))).isEqualTo(!to.isIpv4());
        }
        assertThat(AddressVector.sourcePort(0xf_c001)).isEqualTo(0xc03e);
    }

    private static Gid gid(String hex) {
        return hex.length() == 8 ? Gid.ofIpv4(Integer.parseUnsignedInt(hex, 16)) : Gid.of(Vectors.bytes(hex));
    }

    @Test
    void datagramsHaveTheirAddressInTheFirstPiece() {
        int word1 = RdmaRequest.word1(RdmaRequest.DATAGRAM, 2, 1024);
        assertThat(word1).isEqualTo(0x0400_0e02);
        assertThat(RdmaRequest.hasAddress(word1)).isTrue();
        assertThat(RdmaRequest.control(RdmaRequest.DATAGRAM, RdmaRequest.SIGNALED, 5)).isEqualTo(0x540);
        assertThat(RdmaRequest.DATAGRAM_PEER).isEqualTo(8 + 4);
        assertThat(RdmaRequest.DATAGRAM_QUEUE_KEY).isEqualTo(8 + 8);
        assertThat(RdmaRequest.DATAGRAM_IMMEDIATE).isEqualTo(8 + 12);
        assertThat(RdmaRequest.pieces(5, 2)).as("more padding than pieces").isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "0, SUCCESS", "5, LOCAL_LENGTH", "0x10f, LOCAL_LENGTH", "0x20b, LOCAL_OPERATION", "0x217, LOCAL_OPERATION",
        "0x206, LOCAL_PROTECTION", "0x227, LOCAL_PROTECTION", "0x143, LOCAL_PROTECTION", "0x1c7, FLUSHED",
        "0xfff, FLUSHED", "0x183, LOCAL_ACCESS", "3, REMOTE_REQUEST", "0xc3, REMOTE_ACCESS", "0x162, REMOTE_ACCESS",
        "0x161, REMOTE_OPERATION", "0x1c6, RETRIES_EXCEEDED", "0x164, RNR_RETRIES_EXCEEDED", "0x111, FATAL",
        "0x214, FATAL", "0x219, GENERAL", "1, GENERAL", "-1, GENERAL"})
    void statuses(String code, WorkStatus status) {
        assertThat(VendorError.status(Integer.decode(code))).isSameAs(status);
    }

    @ParameterizedTest
    @EnumSource(VendorError.class)
    void errors(VendorError error) {
        assertThat(VendorError.of(error.code())).isSameAs(error);
        assertThat(error.rule()).matches("[a-z].*[^.]");
        assertThat(error.right()).matches("[a-z].*[^.]");
    }

    @Test
    void statusesHaveTheNumbersThatApplicationsKnow() {
        assertThat(Arrays.stream(WorkStatus.values()).map(WorkStatus::number))
                .containsExactly(0, 1, 2, 4, 5, 8, 9, 10, 11, 12, 13, 19, 21);
    }
}
