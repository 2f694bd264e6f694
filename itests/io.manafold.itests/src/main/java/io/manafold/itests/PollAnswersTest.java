package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.testpmd.TestPmd;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.itests.net.PollFrames;
import io.manafold.itests.net.Wire;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What testpmd makes of frames that another port sends it, byte for byte. */
@OneFramework
class PollAnswersTest extends PollPorts {
    private static final String LEFT_MAC = "000d3a300001";
    private static final String RIGHT_MAC = "000d3a300002";
    private static final int FRAMES = 40;

    private EthDev left;
    private TestPmdRun run;

    /** The left port is the test's, which is told of checksums that devices have computed, and the right testpmd's. */
    private void begin(String mode) throws Exception {
        network(LEFT).setUp(false);
        network(RIGHT).setUp(false);
        environment = platform.service(Environments.class).start(List.of("-l", "0", "--in-memory", "-a",
                LEFT + ",mac=00:0d:3a:30:00:01"));
        left = environment.ports().getFirst();
        left.configure(EthDevPlan.of(1).withOffloads(Offload.RECEIVE_IPV4_CHECKSUM | Offload.RECEIVE_UDP_CHECKSUM, 0));
        left.setUpSend(0, 0);
        left.setUpReceive(0, 0, pool.number());
        left.start();
        run = platform.service(TestPmd.class).start(List.of("-l", "0-1", "--in-memory", "--file-prefix=answers", "-a",
                RIGHT, "--", "-i", "--port-topology=loop", "--eth-peer=0,00:0d:3a:30:00:01", "--forward-mode=" + mode));
    }

    private void send(int packet) {
        assertThat(left.sendQueue(0).burst(new int[] {packet}, 0, 1)).isOne();
    }

    private int packet(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        int packet = pool.allocate();
        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, bytes.length, 0));
        RawMemory.copy(bytes, 0, pool.data(packet), bytes.length);
        return packet;
    }

    /** A datagram whose checksums are both wrong, and not left out. */
    private int wrong() {
        int packet = pool.allocate();
        frames.datagram(packet, 77);
        RawMemory.putBig16(pool.data(packet) + 24, 0x1234);
        RawMemory.putBig16(pool.data(packet) + 40, 0x5678);
        return packet;
    }

    private int answer() {
        int[] one = new int[1];
        Wire.await("a frame comes back", () -> left.receiveQueue(0).burst(one, 0, 1) == 1);
        return one[0];
    }

    private void give(int packet) {
        pool.give(new int[] {packet}, 0, 1);
    }

    private String bytes(int packet) {
        byte[] bytes = new byte[PacketPool.length(pool.first(packet))];
        RawMemory.copy(pool.data(packet), bytes, 0, bytes.length);
        return HexFormat.of().formatHex(bytes);
    }

    private long count(String what) {
        return (Long) ((Map<?, ?>) ((List<?>) run.figures().get("ports")).getFirst()).get(what);
    }

    private void awaitReceived(long packets) {
        Wire.await("frames are received", () -> count("rx-packets") >= packets);
    }

    /** A device on the way tells of those that it has computed, and of no others. */
    @Test
    void wrongChecksumsAreSetRightByTheProgramAndByThePort() throws Exception {
        begin("csum");
        try (TestPmdRun ending = run) {
            for (String where : List.of("sw", "hw")) {
                run.line("port stop all");
                for (String what : List.of("ip", "udp")) {
                    assertThat(run.line("csum set " + what + " " + where + " 0")).contains("checksum offload is "
                            + where);
                }
                run.line("port start all");
                assertThat(run.line("start")).contains("csum packet forwarding");
                for (int i = 0; i < FRAMES; i++) {
                    send(wrong());
                    int came = answer();
                    PollFrames.check(pool.data(came), PacketPool.length(pool.first(came)));
                    assertThat(bytes(came)).as("its addresses").startsWith(LEFT_MAC + RIGHT_MAC + "0800");
                    assertThat(PacketPool.flags(pool.first(came)) & (PacketFlags.IP_GOOD | PacketFlags.TRANSPORT_GOOD))
                            .as("what the port has computed, of " + where).isEqualTo(where.equals("sw") ? 0
                            : PacketFlags.IP_GOOD | PacketFlags.TRANSPORT_GOOD);
                    give(came);
                }
                assertThat(run.line("stop")).contains("Done.");
            }
        }
    }

    @Test
    void rxonlyReceivesAndSendsNothing() throws Exception {
        begin("rxonly");
        try (TestPmdRun ending = run) {
            run.line("start");
            for (int i = 0; i < FRAMES; i++) {
                send(wrong());
            }
            awaitReceived(FRAMES);
            assertThat(run.line("stop")).contains("RX-packets: " + FRAMES + " ");
            assertThat(count("rx-bytes")).isEqualTo(FRAMES * LENGTH);
            assertThat(count("tx-packets")).isZero();
            assertThat(left.receiveQueue(0).burst(new int[1], 0, 1)).isZero();
            run.line("port stop all");
            assertThat(run.line("dump mempool")).contains("in_use_count=0\n");
        }
    }

    @Test
    void icmpechoAnswersWhatIsAskedAndNothingElse() throws Exception {
        begin("icmpecho");
        try (TestPmdRun ending = run) {
            run.line("start");
            send(packet("ffffffffffff" + LEFT_MAC + "08060001080006040001" + LEFT_MAC + "0a4d0001" + "000000000000"
                    + "0a4d0002"));
            int came = answer();
            assertThat(bytes(came)).startsWith(LEFT_MAC + RIGHT_MAC + "08060001080006040002" + RIGHT_MAC + "0a4d0002"
                    + LEFT_MAC + "0a4d0001");
            give(came);
            // between the two is what is not answered
            send(wrong());
            String rest = "0007" + "0009" + "4142434445464748";
            String head = "0800" + "4500002400010000" + "4001";
            send(packet(RIGHT_MAC + LEFT_MAC + head + "6588" + "0a4d0001" + "0a4d0002" + "0800" + sum("0800", rest)
                    + rest));
            came = answer();
            assertThat(bytes(came)).startsWith(LEFT_MAC + RIGHT_MAC + head + "6588" + "0a4d0002" + "0a4d0001" + "0000"
                    + sum("0000", rest) + rest);
            give(came);
            awaitReceived(3);
            assertThat(run.line("stop")).contains("RX-packets: 3 ");
            assertThat(left.receiveQueue(0).burst(new int[1], 0, 1)).isZero();
        }
    }

    /** The checksum of what is written in hexadecimal digits. */
    private static String sum(String... parts) {
        byte[] bytes = HexFormat.of().parseHex(String.join("", parts));
        int sum = 0;
        for (int i = 0; i < bytes.length; i += 2) {
            sum += (bytes[i] & 0xff) << 8 | bytes[i + 1] & 0xff;
        }
        return "%04x".formatted(~((sum & 0xffff) + (sum >>> 16)) & 0xffff);
    }
}
