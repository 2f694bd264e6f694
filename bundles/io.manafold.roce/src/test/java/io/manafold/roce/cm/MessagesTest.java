package io.manafold.roce.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MessagesTest {
    private static final int ATTACKS = Integer.getInteger("manafold.roce.packets", 100_000);
    private static final long TRANSACTION = 0x1_1122_3344L;
    private static final byte[] NOTHING = new byte[0];
    private static final String REQUEST = """
            0107020300000000 0000000111223344 0010 0000 00000000
            11223344 00000000 0000000001061d2f 020000fffe000001 00000000 00000000 00100020 00000020 000000a0 abcdefa7
            ffff 37 f0 ffff ffff 00000000000000000000ffff0a000001 00000000000000000000ffff0a000002 12345000 00 40 00 90
            """ + "00".repeat(44) + "00 40 9c40 0000000000000000000000000a000001 0000000000000000000000000a000002";
    private static final String REPLY = """
            0107020300000000 0000000111223344 0013 0000 00000000
            55667788 11223344 00000000 00200000 00000000 12345600 20 20 80 e0 020000fffe000002""";
    private static final String READY = "0107020300000000 0000000111223344 0014 0000 00000000 11223344 55667788";
    private static final String DISCONNECT = "0107020300000000 0000000111223344 0015 0000 00000000 11223344 55667788 "
            + "00200000";
    private static final String DISCONNECTED = "0107020300000000 0000000111223344 0016 0000 00000000 55667788 11223344";

    private static byte[] mad(String hex) {
        return Arrays.copyOf(HexFormat.of().parseHex(hex.replaceAll("\\s", "")), Mad.BYTES);
    }

    private static byte[] again(byte[] mad) {
        Mad head = Mad.decode(mad);
        return switch (head.attribute()) {
            case Mad.REQUEST -> CmRequest.decode(mad).encode(head.transaction());
            case Mad.MESSAGE_RECEIPT -> CmMessageReceipt.decode(mad).encode(head.transaction());
            case Mad.REJECT -> CmReject.decode(mad).encode(head.transaction());
            case Mad.REPLY -> CmReply.decode(mad).encode(head.transaction());
            case Mad.READY_TO_USE -> CmReadyToUse.decode(mad).encode(head.transaction());
            case Mad.DISCONNECT -> CmDisconnect.decode(mad).encode(head.transaction());
            case Mad.DISCONNECT_REPLY -> CmDisconnectReply.decode(mad).encode(head.transaction());
            // of an attribute that no message has
            default -> CmRequest.decode(mad).encode(head.transaction());
        };
    }

    @Test
    void aRequestIsReadAndWritten() {
        CmRequest request = CmRequest.decode(mad(REQUEST));
        assertThat(Mad.decode(mad(REQUEST))).isEqualTo(new Mad(Mad.REQUEST, TRANSACTION));
        assertThat(request.localId()).isEqualTo(0x1122_3344);
        assertThat(request.serviceId()).isEqualTo(CmAddresses.serviceId(CmAddresses.PORTS_TCP, 7471));
        assertThat(request.nodeGuid()).isEqualTo(0x0200_00ff_fe00_0001L);
        assertThat(request.endpoint()).isEqualTo(new CmEndpoint(0x1000, 0xab_cdef, 32, 32, 7, false, false));
        assertThat(request.path()).isEqualTo(
                new CmPath(0, 0xffff_0a00_0001L, 0, 0xffff_0a00_0002L, 0x12345, 0, 0, 64, 0xffff, 3, 0, false, 18));
        assertThat(request.transport()).isZero();
        assertThat(request.remoteTimeout()).isEqualTo(20);
        assertThat(request.localTimeout()).isEqualTo(20);
        assertThat(request.retries()).isEqualTo(7);
        assertThat(request.messageRetries()).isEqualTo(15);
        CmAddresses addresses = CmAddresses.decode(request.privateData());
        assertThat(addresses).isEqualTo(new CmAddresses(false, 40000, 0, 0xffff_0a00_0001L, 0, 0xffff_0a00_0002L));
        assertThat(addresses.encode(new byte[CmAddresses.USER_BYTES])).isEqualTo(request.privateData());
        assertThat(CmAddresses.port(request.serviceId(), CmAddresses.PORTS_TCP)).isEqualTo(7471);
        assertThat(CmAddresses.port(request.serviceId(), CmAddresses.PORTS_UDP)).isEqualTo(-1);
        assertThat(again(mad(REQUEST))).isEqualTo(mad(REQUEST));
    }

    @Test
    void aReplyIsReadAndWritten() {
        CmReply reply = CmReply.decode(mad(REPLY));
        assertThat(reply.localId()).isEqualTo(0x5566_7788);
        assertThat(reply.remoteId()).isEqualTo(0x1122_3344);
        assertThat(reply.endpoint()).isEqualTo(new CmEndpoint(0x2000, 0x12_3456, 32, 32, 7, false, false));
        assertThat(reply.acknowledgeDelay()).isEqualTo(16);
        assertThat(reply.nodeGuid()).isEqualTo(0x0200_00ff_fe00_0002L);
        assertThat(again(mad(REPLY))).isEqualTo(mad(REPLY));
    }

    @Test
    void shortMessagesAreWritten() {
        assertThat(new CmReadyToUse(0x1122_3344, 0x5566_7788, NOTHING).encode(TRANSACTION)).isEqualTo(mad(READY));
        assertThat(new CmDisconnect(0x1122_3344, 0x5566_7788, 0x2000, NOTHING).encode(TRANSACTION))
                .isEqualTo(mad(DISCONNECT));
        assertThat(new CmDisconnectReply(0x5566_7788, 0x1122_3344, NOTHING).encode(TRANSACTION))
                .isEqualTo(mad(DISCONNECTED));
        assertThat(CmDisconnect.decode(mad(DISCONNECT)).remoteQueuePair()).isEqualTo(0x2000);
        byte[] reject = new CmReject(0, 5, 0, CmReject.Reason.INVALID_SERVICE_ID.number(), new byte[] {1, 2},
                new byte[] {3}).encode(9);
        assertThat(HexFormat.of().formatHex(reject, 24, 24 + 16)).isEqualTo("00000000" + "00000005" + "00" + "04"
                + "0008" + "01020000");
        assertThat(reject[24 + 84]).isEqualTo((byte) 3);
        assertThat(CmReject.Reason.of(CmReject.decode(reject).reason())).isEqualTo(CmReject.Reason.INVALID_SERVICE_ID);
        assertThat(CmReject.Reason.of(77)).isNull();
        byte[] receipt = new CmMessageReceipt(1, 2, 1, 21, NOTHING).encode(9);
        assertThat(HexFormat.of().formatHex(receipt, 24, 24 + 12)).isEqualTo("00000001" + "00000002" + "40" + "a8"
                + "0000");
        assertThat(again(reject)).isEqualTo(reject);
        assertThat(again(receipt)).isEqualTo(receipt);
    }

    @Test
    void dataThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> new CmReadyToUse(1, 2, new byte[225]).encode(0)).isInstanceOf(Refusal.class)
                .hasMessage("the message has room for 224 bytes of data, not 225");
    }

    @Test
    void whatIsNotSuchAMessageIsRefused() {
        byte[] mad = mad(REQUEST);
        assertProtocol(() -> CmReply.decode(mad));
        assertProtocol(() -> Mad.decode(Arrays.copyOf(mad, 255)));
        for (int i = 0; i < 4; i++) {
            byte[] changed = mad.clone();
            changed[i] ^= 4;
            assertProtocol(() -> CmRequest.decode(changed));
        }
        byte[] data = CmRequest.decode(mad).privateData();
        data[1] = 0x50;
        assertProtocol(() -> CmAddresses.decode(data));
        data[1] = 0x40;
        data[0] = 1;
        assertProtocol(() -> CmAddresses.decode(data));
        assertProtocol(() -> CmAddresses.decode(new byte[35]));
    }

    private static void assertProtocol(Runnable action) {
        assertThatThrownBy(action::run).isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.errno())
                .isEqualTo(Errno.EPROTO));
    }

    @Test
    void messagesOfSoftRoceAreReadAndWrittenAsTheyWere() throws IOException {
        List<String> lines;
        try (InputStream in = MessagesTest.class.getResourceAsStream("/io/manafold/roce/softroce.txt")) {
            lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> !line.startsWith("##")
                    && !line.isBlank()).toList();
        }
        Map<String, Integer> kinds = Map.of("CM REQ", Mad.REQUEST, "CM REP", Mad.REPLY, "CM RTU", Mad.READY_TO_USE,
                "CM REJ", Mad.REJECT, "CM DREQ", Mad.DISCONNECT, "CM DREP", Mad.DISCONNECT_REPLY, "CM MRA",
                Mad.MESSAGE_RECEIPT);
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < lines.size(); i += 2) {
            if (lines.get(i).startsWith("# CM ")) {
                byte[] frame = HexFormat.of().parseHex(lines.get(i + 1));
                byte[] mad = Arrays.copyOfRange(frame, frame.length - 4 - Mad.BYTES, frame.length - 4);
                String kind = lines.get(i).substring(2, lines.get(i).indexOf(':'));
                assertThat(Mad.decode(mad).attribute()).as(kind).isEqualTo(kinds.get(kind));
                assertThat(HexFormat.of().formatHex(again(mad))).as(kind).isEqualTo(HexFormat.of().formatHex(mad));
                if (kind.equals("CM REQ")) {
                    CmRequest request = CmRequest.decode(mad);
                    CmAddresses addresses = CmAddresses.decode(request.privateData());
                    assertThat(addresses.sourceHigh()).isEqualTo(request.path().localHigh());
                    assertThat(addresses.sourceLow()).isEqualTo(request.path().localLow());
                    assertThat(addresses.destinationLow()).isEqualTo(request.path().remoteLow());
                }
                if (kind.equals("CM REJ")) {
                    assertThat(CmReject.Reason.of(CmReject.decode(mad).reason()))
                            .isEqualTo(CmReject.Reason.INVALID_SERVICE_ID);
                }
                seen.merge(kind, 1, Integer::sum);
            }
        }
        assertThat(seen).containsKeys("CM REQ", "CM REP", "CM RTU", "CM REJ", "CM DREQ", "CM DREP");
    }

    @Test
    void anyBytesAreReadOrRefused() {
        Random random = new Random(3);
        byte[] head = HexFormat.of().parseHex("01070203");
        int read = 0;
        int refused = 0;
        for (int i = 0; i < ATTACKS; i++) {
            byte[] mad = new byte[random.nextInt(4) > 0 ? Mad.BYTES : random.nextInt(2 * Mad.BYTES)];
            random.nextBytes(mad);
            System.arraycopy(head, 0, mad, 0, Math.min(head.length, mad.length));
            if (mad.length > 17) {
                mad[16] = 0;
                mad[17] = (byte) (Mad.REQUEST + random.nextInt(7));
            }
            boolean changed = mad.length > 0 && random.nextInt(4) == 0;
            if (changed) {
                mad[random.nextInt(Math.min(mad.length, 24))] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                byte[] written = again(mad);
                assertThat(written).hasSize(Mad.BYTES);
                assertThat(again(written)).isEqualTo(written);
                read++;
            } catch (Refusal refusal) {
                assertThat(refusal.errno()).isEqualTo(Errno.EPROTO);
                assertThat(mad.length != Mad.BYTES || changed).as("what is right is read").isTrue();
                refused++;
            }
        }
        assertThat(read).isGreaterThan(ATTACKS / 2);
        assertThat(refused).isGreaterThan(ATTACKS / 5);
    }

    /** Addresses that a stranger sends ahead of private data. */
    @Test
    void anyPrivateDataHasAddressesOrIsRefused() {
        Random random = new Random(4);
        int read = 0;
        int refused = 0;
        for (int i = 0; i < ATTACKS; i++) {
            byte[] data = new byte[random.nextInt(100)];
            random.nextBytes(data);
            if (data.length > 1 && random.nextBoolean()) {
                data[0] = 0;
                data[1] = (byte) (random.nextBoolean() ? 0x40 : 0x60);
            }
            try {
                CmAddresses.decode(data);
                read++;
            } catch (Refusal refusal) {
                assertThat(refusal.errno()).isEqualTo(Errno.EPROTO);
                refused++;
            }
        }
        assertThat(read).isGreaterThan(ATTACKS / 10);
        assertThat(refused).isGreaterThan(ATTACKS / 10);
    }
}
