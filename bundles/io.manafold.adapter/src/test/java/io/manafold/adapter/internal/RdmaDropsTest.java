package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.PacketRule;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Doorbell;
import io.manafold.roce.Opcode;
import io.manafold.testkit.ManagementPair;
import io.manafold.testkit.RawPort;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is dropped is counted once, under what is wrong with it, and changes nothing. */
@Timeout(120)
class RdmaDropsTest {
    private static final int PSN = 0xff_fffe;
    private static final int LENGTH = 5000;
    /** Where in a frame the header of IP begins, and its options would. */
    private static final int IPV4 = 14;
    private static final int OPTIONS = IPV4 + 20;

    private final TestSwitch net = new TestSwitch("left/1", "right/1", "evil/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);
    private final RdmaEnd evil = new RdmaEnd("evil", 3);
    private RawPort wire;
    private RcPair sender;
    private RcPair target;
    private ForgedPacket forged;

    @BeforeEach
    void connect() {
        RdmaEnd.plug(net, left, right, evil);
        wire = new RawPort(evil.ethernet, 0, evil.memory.allocate(2L * 128 * RawPort.SLOT), 128, 128, 1);
        sender = left.pair(RcSettings.of(1024));
        target = right.pair(RcSettings.of(1024));
        RdmaEnd.connect(left, sender, right, target);
        target.receive(RdmaEnd.VIRTUAL, right.key(), LENGTH);
        target.ringReceives();
        forged = new ForgedPacket(left, right, target.number(), PSN);
        // a switch learns addresses: the hostile one has its own
        forged.packet.sourceMac = evil.rdma.mac().value();
    }

    /** The connection is as it was: a message arrives, in the receive that was there before. */
    @AfterEach
    void isUnchanged() {
        byte[] data = left.fill(0, LENGTH, 3);
        sender.send(RdmaEnd.VIRTUAL, left.key(), LENGTH);
        sender.ring();
        assertThat(RdmaEnd.until(() -> sender.outstanding() == 0 && target.received() == 1, sender, target)).isTrue();
        assertThat(right.bytes(0, LENGTH)).isEqualTo(data);
        assertThat(sender.sendErrors() + target.receiveErrors() + target.misplaced()).isZero();
        forged.close();
        wire.close();
        left.close();
        right.close();
        evil.close();
        net.close();
    }

    private Map<String, Long> counters() {
        Map<String, Long> all = new TreeMap<>();
        right.bench.adapter.rdma().status().ports().getFirst().counters().forEach((name, value) -> {
            if (name.startsWith("rdma_")) {
                all.put(name, value);
            }
        });
        return all;
    }

    private long doorbells() {
        return right.bench.adapter.rdma().status().ports().getFirst().counters().get("qp_doorbells");
    }

    private void isCounted(String counter, Runnable act) {
        Map<String, Long> expected = counters();
        assertThat(expected).containsKey(counter);
        expected.merge(counter, 1L, Long::sum);
        act.run();
        assertThat(RdmaEnd.until(() -> counters().equals(expected))).as("%s against %s", counters(), expected).isTrue();
        right.pause();
        assertThat(counters()).isEqualTo(expected);
    }

    private void isDropped(String counter, byte[] bytes) {
        byte[] before = right.fill(0, LENGTH, 7);
        isCounted(counter, () -> ForgedPacket.send(wire, bytes));
        assertThat(right.bytes(0, LENGTH)).isEqualTo(before);
        target.poll();
        assertThat(target.received()).isZero();
    }

    @Test
    void aWrongCrc() {
        for (int payload : new int[] {0, 1, 1000}) {
            forged.packet.payloadBytes = payload;
            byte[] bytes = forged.bytes();
            for (int at : new int[] {bytes.length - 1, bytes.length - 4 - Math.max(payload, 1)}) {
                byte[] wrong = bytes.clone();
                wrong[at] ^= 0x10;
                isDropped("rdma_bad_icrc", wrong);
            }
        }
    }

    @Test
    void aPacketThatIsDamagedOnItsWayBetweenTwoPorts() {
        net.link().impair(new PacketRule(target.number(), PacketRule.ANY, PacketRule.ANY, PacketRule.ANY,
                PacketRule.Action.CORRUPT, 0, 1));
        byte[] data = left.fill(1 << 20, LENGTH, 9);
        isCounted("rdma_bad_icrc", () -> {
            sender.write(RdmaEnd.VIRTUAL + (1 << 20), left.key(), LENGTH, RdmaEnd.VIRTUAL + (1 << 20), right.key());
            sender.ring();
            assertThat(RdmaEnd.until(() -> sender.outstanding() == 0, sender)).isTrue();
        });
        assertThat(right.bytes(1 << 20, LENGTH)).isEqualTo(data);
    }

    /**
     * RoCE has no options of IP: a packet with some is Ethernet's, also one for a queue pair. One whose header only
     * claims to be longer is right in all else; in another one the port of RoCE stands among the options.
     */
    @Test
    void optionsInTheHeaderOfIp() {
        byte[] plain = forged.bytes();
        byte[] before = right.fill(0, LENGTH, 8);
        for (int options = 1; options <= 10; options++) {
            forged.options = options;
            byte[] claimed = forged.bytes();
            assertThat(claimed[IPV4] & 0xff).isEqualTo(0x45 + options);
            ForgedPacket.send(wire, claimed);
            byte[] longer = Arrays.copyOf(plain, plain.length + 4 * options);
            longer[IPV4] = claimed[IPV4];
            System.arraycopy(plain, OPTIONS, longer, OPTIONS + 4 * options, plain.length - OPTIONS);
            // where the port is without options
            longer[OPTIONS + 2] = 0x12;
            longer[OPTIONS + 3] = (byte) 0xb7;
            ForgedPacket.send(wire, longer);
        }
        forged.options = 0;
        byte[] wrong = plain.clone();
        wrong[wrong.length - 1] ^= 1;
        // what comes after them is counted, and is all that is
        isCounted("rdma_bad_icrc", () -> ForgedPacket.send(wire, wrong));
        assertThat(right.bytes(0, LENGTH)).isEqualTo(before);
        target.poll();
        assertThat(target.received()).isZero();
    }

    @Test
    void aQueuePairThatDoesNotExist() {
        forged.packet.queuePair = target.number() ^ 0x4000;
        isDropped("rdma_unknown_qp", forged.bytes());
    }

    @Test
    void anotherSourceThanThePeer() {
        forged.packet.sourceLow = evil.gid.low();
        isDropped("rdma_foreign_source", forged.bytes());
    }

    @Test
    void aQueuePairThatIsNotReady() {
        RcPair idle = right.pair(RcSettings.of(1024));
        forged.packet.queuePair = idle.number();
        isDropped("rdma_wrong_state", forged.bytes());
        idle.initialize();
        isDropped("rdma_wrong_state", forged.bytes());
        idle.fail();
        isDropped("rdma_wrong_state", forged.bytes());
    }

    @Test
    void aDatagramForAConnection() {
        forged.packet.opcode = Opcode.UD_SEND_ONLY;
        isDropped("rdma_wrong_state", forged.bytes());
    }

    @Test
    void aDatagramWithAnotherQueueKey() {
        ManagementPair management = new ManagementPair(right.rdma, right.domain, right.completions);
        management.receive(RdmaEnd.VIRTUAL + (1 << 20), right.key(), 296);
        forged.packet.opcode = Opcode.UD_SEND_ONLY;
        forged.packet.queuePair = 1;
        forged.packet.sourceQueuePair = 1;
        forged.packet.payloadBytes = 256;
        for (int key : new int[] {0, ManagementPair.QUEUE_KEY ^ 1, ManagementPair.QUEUE_KEY ^ 0x8000_0000}) {
            forged.packet.queueKey = key;
            isCounted("rdma_wrong_state", () -> ForgedPacket.send(wire, forged.bytes()));
        }
        right.completions.poll(management, 64);
        assertThat(management.received()).isZero();
        forged.packet.queueKey = ManagementPair.QUEUE_KEY;
        ForgedPacket.send(wire, forged.bytes());
        assertThat(RdmaEnd.until(() -> {
            right.completions.poll(management, 64);
            return management.received() == 1;
        })).isTrue();
        management.close();
    }

    @Test
    void doorbellsBeforeAQueuePairIsReadyForThem() {
        RcPair idle = right.pair(RcSettings.of(1024));
        Runnable sends = () -> right.rdma.page().ring(Doorbell.SEND,
                Doorbell.work(idle.made().sendRequester(), 64));
        Runnable receives = () -> right.rdma.page().ring(Doorbell.RECEIVE,
                Doorbell.work(idle.made().receiveResponder(), 64));
        long before = doorbells();
        isCounted("rdma_early_doorbells", sends);
        isCounted("rdma_early_doorbells", receives);
        idle.initialize();
        isCounted("rdma_early_doorbells", sends);
        assertThat(doorbells() - before).as("doorbells, in time or not").isEqualTo(3);
        assertThat(idle.poll()).isZero();
    }
}
