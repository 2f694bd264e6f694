package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.driver.ProtectionDomain.RegisteredMemory;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import io.manafold.testkit.RdmaQueue;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests as the library of the real stack has written them, byte by byte, and the completions that it understands.
 */
@Timeout(300)
class RdmaVectorsTest {
    private static final long FIRST = 0x7f11_2233_4000L;
    private static final long SECOND = 0x7f11_2234_0000L;
    private static final long REMOTE = 0x7faa_bbcc_d000L;
    private static final int ENTRIES = 64;

    private static final String[] REQUESTS = {
        "0100000002060044" + "42feffff01000000000000000000000000000000" + "00000000"
                + "00403322117f0000FIRSTKEYc4090000" + "00000000000000000000000000000000",
        "0000000002060044" + "a301000002000000d4c3b2a1000000000000000000000000"
                + "00403322117f0000FIRSTKEY10000000" + "00003422117f0000SECNDKEY40000000",
        "0100000002060004" + "4502000003000000aa7f000010d0ccbbPEER_KEY10000000"
                + "00403322117f0000FIRSTKEY10000000" + "00000000000000000000000000000000",
        "0000000001070044" + "4603000004000000aa7f000010d0ccbbPEER_KEY10000000"
                + "d4c3b2a1000000000000000000000000" + "00403322117f0000FIRSTKEY10000000",
        "0100000002060004" + "4704000005000000aa7f000010d0ccbbPEER_KEYb80b0000"
                + "01000000000000000000000000000000" + "00000000000000000000000000000000",
        "0100000002060044" + "420700000600000000000000000000000000000000000000"
                + "01000000000000000000000000000000" + "00000000000000000000000000000000"};
    private static final String LANDING = "0000000001020040" + "0400000000000000" + "00403322117f0000FIRSTKEYb80b0000";
    private static final String[] RECEIVES = {
        "0000000001020000" + "0000000000000000" + "00403322117f0000FIRSTKEY00100000",
        "0000000002020000" + "0000000000000000" + "00403322117f0000FIRSTKEY00100000"
        + "00003422117f0000SECNDKEY4000000000000000000000000000000000000000", "0000000001020000" + "0000000000000000"
        + "00403322117f0000FIRSTKEY00100000", "0000000001020000" + "0000000000000000"
        + "00403322117f0000FIRSTKEY00100000"};

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);
    private RdmaQueue leftQueue;
    private RdmaQueue rightQueue;
    private RcPair one;
    private RcPair other;
    private RegisteredMemory[] leftKeys;
    private RegisteredMemory[] rightKeys;
    private DmaPiece remote;
    private int peerKey;

    @BeforeEach
    void connect() {
        RdmaEnd.plug(net, left, right);
        leftQueue = left.rdma.createQueue(ENTRIES);
        rightQueue = right.rdma.createQueue(ENTRIES);
        one = new RcPair(left.rdma, left.domain, leftQueue, leftQueue, RcSettings.of(1024).withRings(4096, 4096));
        other = new RcPair(right.rdma, right.domain, rightQueue, rightQueue, RcSettings.of(1024).withRings(4096, 4096));
        one.armByHand();
        RdmaEnd.connect(left, one, right, other);
        leftKeys = keys(left);
        rightKeys = keys(right);
        remote = right.memory.allocate(8192);
        peerKey = right.domain.register(remote, 8192, REMOTE, RdmaEnd.ALL).remoteKey();
    }

    private static RegisteredMemory[] keys(RdmaEnd end) {
        return new RegisteredMemory[] {end.domain.register(end.block.part(0, 1 << 20), 8192, FIRST, RdmaEnd.ALL),
            end.domain.register(end.block.part(1 << 20, 1 << 20), 8192, SECOND, RdmaEnd.ALL)};
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    private static String littleEndian(int word) {
        return HexFormat.of().toHexDigits(Integer.reverseBytes(word));
    }

    private int write(WorkQueue ring, int offset, String request, RegisteredMemory[] keys) {
        byte[] bytes = HexFormat.of().parseHex(request.replace("FIRSTKEY", littleEndian(keys[0].localKey()))
                .replace("SECNDKEY", littleEndian(keys[1].localKey())).replace("PEER_KEY", littleEndian(peerKey)));
        RawMemory.copy(bytes, 0, ring.memory().pointer() + offset, bytes.length);
        return offset + bytes.length;
    }

    private static String completion(RdmaQueue queue, int index) {
        long at = queue.memory().pointer() + index * 64L;
        RdmaEnd.until(() -> RawMemory.getAcquire32(at + 60) != 0);
        byte[] bytes = new byte[64];
        RawMemory.copy(at, bytes, 0, 64);
        return HexFormat.of().formatHex(bytes);
    }

    private static String completion(int[] words, int last) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 15; i++) {
            text.append(littleEndian(i < words.length ? words[i] : 0));
        }
        return text.append(littleEndian(last)).toString();
    }

    @Test
    void whatTheRealLibraryWritesIsCarriedOutAndAnsweredAsItExpects() {
        byte[] data = left.fill(0, 8192, 1);
        byte[] more = left.fill(1 << 20, 64, 2);
        int at = 0;
        for (String receive : RECEIVES) {
            at = write(other.receiveRing(), at, receive, rightKeys);
        }
        right.rdma.page().ring(Doorbell.RECEIVE, Doorbell.receive(other.number(), at, 4));
        at = 0;
        for (String request : REQUESTS) {
            at = write(one.sendRing(), at, request, leftKeys);
        }
        assertThat(at).isEqualTo(0x180);
        write(one.landingRing(), 0, LANDING, leftKeys);

        one.arm(0xff_fffe);
        left.rdma.page().ring(Doorbell.SEND, Doorbell.work(one.number(), 0x40));
        assertThat(completion(rightQueue, 0))
                .isEqualTo(completion(new int[] {3, 2500, 0, 0, 0}, 0x2000_0000 | other.number()));
        assertThat(completion(leftQueue, 0)).isEqualTo(completion(new int[] {7, 0x1f00_0001, 0},
                0x2000_0000 | one.number() + 1));
        assertThat(right.bytes(0, 2500)).isEqualTo(Arrays.copyOf(data, 2500));

        one.arm(7);
        left.rdma.page().ring(Doorbell.RECEIVE, Doorbell.receive(one.number() + 1, 0x20, 1));
        left.rdma.page().ring(Doorbell.SEND, Doorbell.work(one.number(), 0x180));
        assertThat(completion(leftQueue, 1)).isEqualTo(completion(new int[] {7, 0x1f00_0006, 7},
                0x2000_0000 | one.number() + 1));
        assertThat(completion(rightQueue, 1))
                .isEqualTo(completion(new int[] {4, 80, 1, 0xa1b2c3d4, 32}, 0x2000_0000 | other.number()));
        assertThat(completion(rightQueue, 2))
                .isEqualTo(completion(new int[] {6, 16, 3, 0xa1b2c3d4, 96}, 0x2000_0000 | other.number()));
        assertThat(completion(rightQueue, 3))
                .isEqualTo(completion(new int[] {3, 0, 7, 0, 128}, 0x2000_0000 | other.number()));
        byte[] there = new byte[3016];
        RawMemory.copy(remote.pointer(), there, 0, there.length);
        byte[] expected = new byte[3016];
        System.arraycopy(data, 0, expected, 16, 16);
        assertThat(there).isEqualTo(expected);
        assertThat(left.bytes(0, 3000)).isEqualTo(Arrays.copyOfRange(expected, 16, 3016));
        assertThat(right.bytes(16, 64)).isEqualTo(more);
    }

    @Test
    void anErrorNamesTheFailedPacketAndTheSendRing() {
        peerKey ^= 0x100;
        write(one.sendRing(), 0, REQUESTS[2].replace("45020000" + "03000000", "45feffff" + "01000000"), leftKeys);
        left.rdma.page().ring(Doorbell.SEND, Doorbell.work(one.number(), 0x40));
        String told = completion(leftQueue, 0);
        assertThat(told).startsWith("22620100").endsWith(littleEndian(0x2100_0000 | one.number()));
        assertThat(told.substring(16, 22)).isEqualTo("feffff");
    }
}
