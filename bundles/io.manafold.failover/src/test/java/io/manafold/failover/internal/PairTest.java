package io.manafold.failover.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketHome;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import io.manafold.api.net.SyntheticPort;
import io.manafold.api.refusal.NotKept;
import io.manafold.api.refusal.Refusal;
import io.manafold.netdev.PacketUsers;
import io.manafold.packet.FrameBurst;
import io.manafold.packet.InternetChecksum;
import io.manafold.testkit.MemorySettings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which way packets take, with a link and a virtual function whose threads are the test's. */
@Timeout(120)
class PairTest {
    private static final int FRAME = 60;
    private static final int PIECES = 3;
    /** A header with a word of options, and something in its checksum that has to go. */
    private static final byte[] IPV4 = HexFormat.of().parseHex("4600002a" + "12344000" + "4011ffff" + "c6120001"
            + "c6130002" + "01010100");
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final MemorySettings settings = new MemorySettings();
    private final Pair pair = pair(1500);
    private final FakeLink link = new FakeLink();
    private final FakeFunction vf = new FakeFunction();
    private final AtomicInteger received = new AtomicInteger();
    /** What packets in pieces lie in, and how many of those have come home. */
    private final MemorySegment pieces = Arena.ofAuto().allocate(FRAME);
    private final AtomicInteger home = new AtomicInteger();

    private Pair pair(int mtu) {
        PairPlan plan = new PairPlan("eth1", "one/1", PciAddress.parse("7870:00:00.0"), 1,
                MacAddress.parse("00:0d:3a:00:00:01"), mtu, true);
        return new Pair(plan, events::add, new PairSettings(settings, "pairport:lab/one/1", plan));
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private PacketPort attach(PacketUser user) {
        return pair.agent().users().attach(user, PacketUsers.ALL, "eth1");
    }

    private PacketUser counting() {
        return new PacketUser() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public void receive(PacketBuffer[] packets, int count) {
                received.addAndGet(count);
                PacketBuffer.release(packets, 0, count);
            }
        };
    }

    /** Sends so many packets on the pair's thread; how many were taken. */
    private int send(PacketPort port, int count) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> {
            PacketBuffer[] packets = new PacketBuffer[count];
            int taken = port.take(packets, 0, count);
            for (int i = 0; i < taken; i++) {
                packets[i].place(packets[i].headroom(), FRAME);
            }
            int accepted = port.send(packets, 0, taken);
            PacketBuffer.release(packets, accepted, taken - accepted);
            return accepted;
        });
        assertThat(port.execute(task)).isTrue();
        return task.get(30, TimeUnit.SECONDS);
    }

    /** Packets that find no room count as missed, and neither they nor their bytes as received. */
    @Test
    void whatHasNoRoomIsNotReceived() throws Exception {
        pair.look(link.link(), null);
        PacketPort port = attach(counting());
        PairCounters counters = new PairCounters();
        VirtualFunction function = new VirtualFunction("eth1", vf.device(), counters, () -> { });
        FutureTask<Integer> task = new FutureTask<>(() -> {
            PacketBuffer[] packets = new PacketBuffer[64];
            int taken = port.take(packets, 0, packets.length);
            for (int i = 0; i < taken; i++) {
                packets[i].place(packets[i].headroom(), FRAME);
            }
            // no user takes them out, so that the same ones may fill the ring
            for (int put = 0; put <= PacketRing.CAPACITY; put += taken) {
                function.receive(packets, taken);
            }
            return taken;
        });
        assertThat(port.execute(task)).isTrue();
        assertThat(task.get(30, TimeUnit.SECONDS)).isEqualTo(64);
        assertThat(counters.vfReceived.sum()).isEqualTo(PacketRing.CAPACITY);
        assertThat(counters.missed.sum()).isEqualTo(64);
        assertThat(counters.vfReceivedBytes.sum()).isEqualTo((long) PacketRing.CAPACITY * FRAME);
    }

    /** As while a watcher of packets holds the thread of the function's device for long. */
    @Test
    void whatADeviceIsAboutToSendIsNotSentByAnotherWay() throws Exception {
        pair.look(link.link(), null);
        PacketPort port = attach(counting());
        PairCounters counters = new PairCounters();
        VirtualFunction function = new VirtualFunction("eth1", vf.device(), counters, () -> { });
        function.attach();
        FutureTask<Integer> task = new FutureTask<>(() -> {
            PacketBuffer[] packets = new PacketBuffer[64];
            int taken = port.take(packets, 0, packets.length);
            for (int i = 0; i < taken; i++) {
                packets[i].place(packets[i].headroom(), FRAME);
            }
            function.send(packets, 0, taken);
            PacketBuffer[] unsent = new PacketBuffer[64];
            AtomicInteger others = new AtomicInteger();
            vf.room = 10;
            vf.sending = () -> {
                function.close();
                others.addAndGet(function.takeUnsent(unsent, unsent.length));
            };
            vf.work();
            others.addAndGet(function.takeUnsent(unsent, unsent.length));
            return others.get();
        });
        assertThat(port.execute(task)).isTrue();
        assertThat(task.get(30, TimeUnit.SECONDS)).as("packets for another way").isZero();
        assertThat(counters.vfSent.sum()).isEqualTo(10);
        assertThat(counters.vfDropped.sum()).isEqualTo(54);
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Test
    void theWayFollowsPresenceAndCarrier() {
        pair.look(link.link(), null);
        assertThat(pair.path()).isEqualTo(Path.SYNTHETIC);
        pair.look(link.link(), vf.device());
        assertThat(pair.path()).isEqualTo(Path.VF);
        assertThat(link.toPort).isTrue();
        vf.carrier = false;
        pair.look(link.link(), vf.device());
        assertThat(pair.path()).isEqualTo(Path.SYNTHETIC);
        assertThat(link.toPort).isFalse();
        vf.carrier = true;
        pair.look(link.link(), vf.device());
        pair.setUp(false);
        assertThat(pair.path()).isEqualTo(Path.SYNTHETIC);
        pair.setUp(true);
        assertThat(pair.path()).isEqualTo(Path.VF);
        pair.gone(vf.device());
        assertThat(vf.closed).isTrue();
        assertThat(pair.path()).isEqualTo(Path.SYNTHETIC);
        assertThat(events).containsExactly("eth1 sends and receives by enP30832p0s0, its virtual function.",
                "eth1 sends and receives by the synthetic device: enP30832p0s0 has no carrier.",
                "eth1 sends and receives by enP30832p0s0, its virtual function.",
                "eth1 sends and receives by the synthetic device: it is down.",
                "eth1 sends and receives by enP30832p0s0, its virtual function.",
                "eth1 sends and receives by the synthetic device: its virtual function has gone.");
    }

    /** Frames from the link. */
    private void receive(int count) {
        try (Arena arena = Arena.ofConfined()) {
            FrameBurst burst = new FrameBurst(64, 64);
            long frame = arena.allocate(FRAME).address();
            for (int i = 0; i < count; i++) {
                burst.addWhole(0, frame, FRAME);
            }
            link.companion.receive(burst, 0, count);
        }
    }

    @Test
    void whoPollsTheSyntheticDeviceHasItAlone() throws Exception {
        pair.look(link.link(), vf.device());
        assertThatThrownBy(() -> pair.poll("port 0")).isInstanceOf(Refusal.class)
                .hasMessageContaining("ip link set eth1 down");
        pair.setUp(false);
        assertThat(vf.up).as("its virtual function is up").isFalse();
        SyntheticPort polled = pair.poll("port 0");
        assertThat(pair.vf()).isNull();
        assertThatThrownBy(() -> pair.poll("port 1")).isInstanceOf(Refusal.class).hasMessageContaining("port 0");
        assertThatThrownBy(() -> pair.setUp(true)).isInstanceOf(Refusal.class).hasMessageContaining("port 0 polls");
        pair.look(link.link(), vf.device());
        assertThat(pair.vf()).as("while another polls").isNull();

        assertThat(polled.length()).isZero();
        receive(3);
        assertThat(polled.length()).isEqualTo(FRAME);
        for (int i = 0; i < 3; i++) {
            assertThat(polled.address()).isNotZero();
            polled.free();
        }
        assertThat(polled.length()).isZero();
        assertThat(polled.reserve()).isNotZero();
        polled.commit(FRAME);
        polled.flush();
        link.work();
        assertThat(link.sent).isEqualTo(1);

        polled.steer(true);
        assertThat(link.toPort).isTrue();
        polled.close();
        polled.close();
        assertThat(link.toPort).isFalse();
        pair.setUp(true);
        pair.look(link.link(), vf.device());
        assertThat(vf.up).as("its virtual function is up").isTrue();
        assertThat(pair.path()).isEqualTo(Path.VF);
        attach(counting());
        receive(2);
        until(() -> received.get() == 2);
    }

    @Test
    void packetsLeaveByTheWayThatIsInUse() throws Exception {
        PacketPort port = attach(counting());
        pair.look(link.link(), null);
        assertThat(send(port, 5)).isEqualTo(5);
        link.work();
        assertThat(link.sent).isEqualTo(5);
        pair.look(link.link(), vf.device());
        assertThat(send(port, 7)).isEqualTo(7);
        vf.work();
        assertThat(vf.sent).hasValue(7);
        assertThat(pair.counters().totals()).containsEntry("tx_packets", 12L);
    }

    @Test
    void whatTheFunctionHasNotSentTakesTheOtherWay() throws Exception {
        PacketPort port = attach(counting());
        pair.look(link.link(), vf.device());
        vf.room = 3;
        assertThat(send(port, 100)).isEqualTo(100);
        vf.work();
        pair.gone(vf.device());
        until(() -> pair.counters().sent.sum() == 97);
        link.work();
        link.work();
        assertThat(link.sent).isEqualTo(97);
        assertThat(vf.sent).hasValue(3);
        assertThat(pair.counters().totals()).containsEntry("tx_dropped", 0L);
    }

    /** What the synthetic device has no room for is refused, and dropped by the pair alone. */
    @Test
    void whatIsRefusedIsNotCountedAsDroppedAndPacketsInPiecesComeHomeWhole() throws Exception {
        PacketPort port = attach(counting());
        pair.look(link.link(), null);
        int full = 0;
        while (send(port, 1) == 1) {
            full++;
        }
        assertThat(full).isPositive();
        assertThat(pair.counters().noSpace.sum()).isEqualTo(1);
        assertThat(pair.counters().totals()).containsEntry("tx_dropped", 0L);
        pair.look(link.link(), vf.device());
        assertThat(sendInPieces(port)).isEqualTo(1);
        assertThat(sendInPieces(port)).isEqualTo(1);
        pair.gone(vf.device());
        until(() -> pair.counters().vfDropped.sum() == 2);
        until(() -> home.get() == 2 * PIECES);
        assertThat(pair.counters().totals()).containsEntry("tx_dropped", 2L);
    }

    @Test
    void packetsInPiecesThatAFunctionWithoutCarrierHasComeHomeWhole() throws Exception {
        PacketPort port = attach(counting());
        pair.look(link.link(), vf.device());
        assertThat(sendInPieces(port)).isEqualTo(1);
        vf.carrier = false;
        vf.work();
        assertThat(pair.counters().totals()).containsEntry("tx_dropped", 1L);
        assertThat(home).hasValue(PIECES);
    }

    /** Sends one packet of three buffers, which are counted when they come home, on the pair's thread. */
    private int sendInPieces(PacketPort port) throws Exception {
        PacketHome counted = _ -> home.incrementAndGet();
        PacketBuffer first = null;
        for (int i = 0; i < PIECES; i++) {
            PacketBuffer piece = new PacketBuffer(counted, pieces, 0, FRAME, 0, i);
            piece.place(0, FRAME);
            piece.next(first);
            first = piece;
        }
        PacketBuffer[] packet = {first};
        FutureTask<Integer> task = new FutureTask<>(() -> port.send(packet, 0, 1));
        assertThat(port.execute(task)).isTrue();
        return task.get(30, TimeUnit.SECONDS);
    }

    /** A card fills it in for all, whatever features say. */
    @Test
    void theChecksumOfAnIpv4HeaderIsFilledInOnBothWays() throws Exception {
        PacketPort port = attach(counting());
        pair.look(link.link(), null);
        for (int tag : new int[] {0, 4}) {
            FutureTask<Integer> task = new FutureTask<>(() -> {
                PacketBuffer[] packet = new PacketBuffer[1];
                assertThat(port.take(packet, 0, 1)).isEqualTo(1);
                packet[0].place(packet[0].headroom(), FRAME);
                packet[0].put16(12, tag == 0 ? 0x0800 : 0x8100);
                packet[0].put32(14, 0x0007_0800);
                packet[0].put(14 + tag, IPV4, 0, IPV4.length);
                packet[0].flags(PacketBuffer.FILL_IP_CHECKSUM);
                return port.send(packet, 0, 1);
            });
            assertThat(port.execute(task)).isTrue();
            assertThat(task.get(30, TimeUnit.SECONDS)).isEqualTo(1);
            link.work();
            assertThat(link.last).as("a frame has left").hasSize(FRAME);
            assertThat(InternetChecksum.isGood(InternetChecksum.add(0, link.last, 14 + tag, IPV4.length)))
                    .as("the checksum is right").isTrue();
        }
        assertThat(pair.counters().totals()).containsEntry("tx_errors", 0L).containsEntry("tx_packets", 2L);
    }

    @Test
    void framesOfTheLinkGoUpUnlessItIsDown() throws Exception {
        attach(counting());
        pair.look(link.link(), null);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(1 << 16);
            FrameBurst burst = new FrameBurst(64, 128);
            for (int i = 0; i < 64; i++) {
                burst.begin(0);
                burst.add(memory.address(), 14);
                burst.add(memory.address() + 14, FRAME - 14);
            }
            link.companion.receive(burst, 0, 64);
            until(() -> received.get() == 64);
            burst.clear();
            burst.addWhole(0, memory.address(), 9000);
            link.companion.receive(burst, 0, 1);
            until(() -> pair.counters().totals().get("rx_missed") == 1);
            pair.setUp(false);
            burst.clear();
            burst.addWhole(0, memory.address(), FRAME);
            link.companion.receive(burst, 0, 1);
        }
        assertThat(received).hasValue(64);
    }

    /** Holds the pair's thread, as a user above it may, until the latch is counted down. */
    private static CountDownLatch hold(PacketPort port) throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        port.execute(() -> {
            inside.countDown();
            try {
                leave.await();
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        return leave;
    }

    @Test
    void aUserWhoHoldsTheThreadSplitsNoPair() throws Exception {
        PacketPort port = attach(counting());
        pair.look(link.link(), vf.device());
        CountDownLatch leave = hold(port);
        try {
            pair.setMtu(4000);
            assertThat(vf.mtu).isEqualTo(4000);
            assertThat(pair.mtu()).isEqualTo(4000);
            pair.gone(vf.device());
            assertThat(vf.closed).isTrue();
        } finally {
            leave.countDown();
        }
        FutureTask<Integer> room = new FutureTask<>(() -> {
            PacketBuffer[] packet = new PacketBuffer[1];
            int taken = port.take(packet, 0, 1);
            int bytes = packet[0].capacity() - packet[0].headroom();
            PacketBuffer.release(packet, 0, taken);
            return bytes;
        });
        assertThat(port.execute(room)).isTrue();
        assertThat(room.get(30, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(4000 + 14);
    }

    @Test
    void aUserWhoHoldsTheThreadHoldsNeitherDriverNorLink() throws Exception {
        PacketPort port = attach(counting());
        pair.look(link.link(), vf.device());
        CountDownLatch leave = hold(port);
        try (Arena arena = Arena.ofConfined()) {
            FrameBurst burst = new FrameBurst(64, 64);
            long frame = arena.allocate(FRAME).address();
            for (int i = 0; i < 64; i++) {
                burst.addWhole(0, frame, FRAME);
            }
            for (int i = 0; i < 100; i++) {
                link.companion.receive(burst, 0, 64);
            }
        }
        pair.gone(vf.device());
        assertThat(pair.path()).isEqualTo(Path.SYNTHETIC);
        assertThat(leave.getCount()).as("all of that without the pair's thread").isEqualTo(1);
        assertThat(pair.counters().missed.sum()).as("frames without room").isBetween(1L, 6400L);
        leave.countDown();
        until(() -> received.get() + pair.counters().missed.sum() == 6400);
    }

    @Test
    void theLengthOfPacketsIsThatOfBoth() {
        vf.mtu = 4000;
        pair.look(link.link(), vf.device());
        assertThat(pair.mtu()).as("what an administrator had set on the function").isEqualTo(4000);
        pair.setMtu(9000);
        assertThat(vf.mtu).isEqualTo(9000);
        pair.gone(vf.device());
        FakeFunction next = new FakeFunction();
        pair.look(link.link(), next.device());
        assertThat(next.mtu).isEqualTo(9000);
        assertThatThrownBy(() -> pair.setMtu(9001)).isInstanceOf(Refusal.class).hasMessageContaining("68 to 9000");
        assertThat(pair.mtu()).isEqualTo(9000);
    }

    /** As after a restart, until the lab's file says something else. */
    @Test
    void whatIsSetOnThePairComesBackWithIt() {
        pair.setUp(false);
        pair.setMtu(4000);
        Pair next = pair(1500);
        try {
            assertThat(next.isUp()).isFalse();
            assertThat(next.mtu()).isEqualTo(4000);
            vf.up = false;
            next.look(link.link(), vf.device());
            assertThat(vf.up).as("its virtual function is up").isFalse();
            assertThat(vf.mtu).isEqualTo(4000);
            next.setMtu(1500);
            next.setUp(true);
        } finally {
            next.close();
        }
        assertThat(settings.kept).as("what the file says, too").isEmpty();
        pair.setMtu(4000);
        Pair other = pair(9000);
        try {
            assertThat(other.mtu()).as("with another file").isEqualTo(9000);
        } finally {
            other.close();
        }
    }

    /** It might come back with what it has kept. */
    @Test
    void whatTheFileSaysIsKeptWhileTheFunctionCannotFollow() {
        vf.mtu = 4000;
        pair.setMtu(1500);
        Pair next = pair(1500);
        try {
            next.look(link.link(), vf.device());
            assertThat(next.mtu()).isEqualTo(1500);
            assertThat(vf.mtu).isEqualTo(1500);
        } finally {
            next.close();
        }
    }

    @Test
    void aDiskThatIsFullSplitsNoPair() {
        pair.look(link.link(), vf.device());
        vf.full = true;
        assertThatThrownBy(() -> pair.setMtu(4000)).isInstanceOf(NotKept.class);
        assertThat(vf.mtu).isEqualTo(4000);
        assertThat(pair.mtu()).isEqualTo(4000);
        assertThatThrownBy(() -> pair.setUp(false)).isInstanceOf(NotKept.class);
        assertThat(vf.up).isFalse();
        vf.full = false;
        settings.fill();
        assertThatThrownBy(() -> pair.setUp(true)).isInstanceOf(NotKept.class);
        assertThat(vf.up && pair.isUp()).isTrue();
    }

    @Test
    void theFunctionBearsTheNameOfItsPlace() {
        assertThat(new PairPlan("eth1", "one/1", PciAddress.parse("7870:00:00.0"), 1, null, 1500, true).vf())
                .isEqualTo("enP30832p0s0");
        assertThat(new PairPlan("eth1", "one/2", PciAddress.parse("0001:02:03.1"), 2, null, 1500, true).vf())
                .isEqualTo("enP1p2s3f1d1");
    }
}
