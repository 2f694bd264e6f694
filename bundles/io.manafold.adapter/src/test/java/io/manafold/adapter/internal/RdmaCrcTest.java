package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.PacketRule;
import io.manafold.api.fabric.Plug;
import io.manafold.api.net.MacAddress;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Gid;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.roce.Icrc;
import io.manafold.roce.Packet;
import io.manafold.testkit.RawPort;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The CRC of a packet is written when one looks at it, and is right by then; between two engines it is not written. */
@Timeout(120)
class RdmaCrcTest {
    private static final int LENGTH = 5003;
    private static final int PACKETS = 5;
    /** No port's, so that the switch gives each port what is sent to it. */
    private static final MacAddress UNKNOWN = new MacAddress(0x000d_3aff_fffeL);
    private static final Gid ELSEWHERE = Gid.ofIpv4(0x0a00_0063);

    @TempDir
    Path folder;

    /** In the order in which the switch serves them. */
    private final TestSwitch net = new TestSwitch("left/1", "open/1", "plain/1", "right/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);
    private final Watcher open = new Watcher("open/1", true);
    private final Watcher plain = new Watcher("plain/1", false);

    private record Seen(byte[] bytes, int marks) {
        boolean isDue() {
            return (marks & Frames.ICRC_DUE) != 0;
        }

        int written() {
            return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - Icrc.BYTES);
        }

        int computed() {
            try (DmaBlock memory = new DmaBlock("seen", 8192)) {
                long at = memory.address();
                RawMemory.copy(bytes, 0, at, bytes.length);
                Packet packet = new Packet();
                assertThat(packet.read(at, Math.min(bytes.length, Packet.HEAD), bytes.length)).isZero();
                Icrc icrc = new Icrc();
                icrc.begin(at, packet.headerBytes);
                icrc.update(at + packet.headerBytes, packet.icrcOffset() - packet.headerBytes);
                return icrc.value();
            }
        }
    }

    /** A port that keeps what it sees of RDMA. */
    private static final class Watcher implements Plug {
        final List<Seen> seen = new CopyOnWriteArrayList<>();
        private final String name;
        private final boolean takesOpen;

        Watcher(String name, boolean takesOpen) {
            this.name = name;
            this.takesOpen = takesOpen;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int doWork() {
            return 0;
        }

        @Override
        public boolean takesOpenFrames() {
            return takesOpen;
        }

        @Override
        public void receive(Frames frames, int from, int to) {
            for (int frame = from; frame < to; frame++) {
                byte[] bytes = new byte[frames.length(frame)];
                int done = 0;
                for (int piece = 0; piece < frames.pieces(frame); piece++) {
                    int length = frames.length(frame, piece);
                    RawMemory.copy(frames.address(frame, piece), bytes, done, length);
                    done += length;
                }
                seen.add(new Seen(bytes, frames.marks(frame)));
            }
        }
    }

    @BeforeEach
    void plug() {
        RdmaEnd.plug(net, left, right);
        net.link().plug(open);
        net.link().plug(plain);
        left.fill(0, LENGTH, 1);
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    private RcPair to(Gid gid, MacAddress mac) {
        RcPair pair = left.pair(RcSettings.of(1024));
        RdmaEnd.connectOne(left, pair, gid, mac, 1);
        return pair;
    }

    /** A write that no engine takes. */
    private void write(RcPair pair) {
        pair.write(RdmaEnd.VIRTUAL, left.key(), LENGTH, 0, 0x4000_0001);
        pair.ring();
    }

    /** What both watchers see of the first time that a write is sent. */
    private void seenByBoth() {
        open.seen.clear();
        plain.seen.clear();
        write(to(ELSEWHERE, UNKNOWN));
        assertThat(RdmaEnd.until(() -> plain.seen.size() >= PACKETS)).isTrue();
    }

    @Test
    void aPortThatIsNotAskedGetsItWhole() {
        seenByBoth();
        assertThat(open.seen.subList(0, PACKETS)).allSatisfy(one -> {
            assertThat(one.isDue()).isTrue();
            assertThat(one.written()).isNotEqualTo(one.computed());
        });
        assertThat(plain.seen.subList(0, PACKETS)).allSatisfy(RdmaCrcTest::isWhole);
    }

    private static void isWhole(Seen one) {
        assertThat(one.isDue()).isFalse();
        assertThat(one.written()).isEqualTo(one.computed());
    }

    @Test
    void whatIsCapturedDelayedOrLookedAtIsWhole() {
        Path file = folder.resolve("all.pcapng");
        net.link().startCapture(file, 9000);
        seenByBoth();
        assertThat(open.seen.subList(0, PACKETS)).as("captured").allSatisfy(RdmaCrcTest::isWhole);
        net.link().stopCapture(file);

        net.link().impair(new PacketRule(0x1_0001, PacketRule.ANY, PacketRule.ANY, PacketRule.ANY,
                PacketRule.Action.DROP, 0, 1));
        seenByBoth();
        assertThat(open.seen.subList(0, PACKETS)).as("looked at by a rule").allSatisfy(RdmaCrcTest::isWhole);
        net.link().clearRules();

        net.link().impair(new Impairments(0, 0, 0, 1_000_000, 1));
        seenByBoth();
        assertThat(open.seen.subList(0, PACKETS)).as("delayed").allSatisfy(RdmaCrcTest::isWhole);
    }

    @Test
    void whatAPortsEngineDoesNotTakeComesToItsQueuesWhole() {
        RawPort queues = new RawPort(right.ethernet, 0, right.memory.allocate(2L * 128 * RawPort.SLOT), 128, 128, 1);
        write(to(ELSEWHERE, right.rdma.mac()));
        List<Seen> seen = new ArrayList<>();
        assertThat(RdmaEnd.until(() -> {
            queues.poll((pointer, length, flags, hash) -> {
                byte[] bytes = new byte[length];
                RawMemory.copy(pointer, bytes, 0, length);
                seen.add(new Seen(bytes, 0));
            });
            return seen.size() >= PACKETS;
        })).isTrue();
        assertThat(seen).allSatisfy(RdmaCrcTest::isWhole);
        queues.close();
    }

    @Test
    void whatOneBurstTakesFromAnotherIsWhole() {
        int[] sealed = new int[1];
        FrameBurst from = new FrameBurst(2, 2, (burst, frame) -> sealed[0]++);
        from.addWhole(Frames.ICRC_GOOD | Frames.ICRC_DUE, 4096, 100);
        from.addWhole(Frames.ICRC_GOOD, 8192, 100);
        FrameBurst to = new FrameBurst(3, 3);
        to.addFrom(from, 0);
        to.addFrom(from, 1);
        to.addFrom(from, 0);
        assertThat(sealed[0]).as("once, and the one that was due").isEqualTo(1);
        assertThat(to.marks(0)).isEqualTo(Frames.ICRC_GOOD);
    }
}
