package io.manafold.pmd.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.LinkState;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Descriptor;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixListener;
import io.manafold.linux.UnixSocket;
import io.manafold.memory.AttachedBlock;
import io.manafold.memory.ExternalBuffer;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.Packets;
import io.manafold.memory.RawMemory;
import io.manafold.memory.SharedBlocks;
import io.manafold.pmd.internal.RefusedThreads;
import io.manafold.testkit.Blocks;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A primary and its secondaries over a real socket: what goes between them, what comes home, and what cannot do harm.
 */
class SecondaryTest {
    private static final long MILLIS = 30_000;
    private static final int ROUNDS = Integer.getInteger("manafold.pmd.messages", 300);
    private static final int MANY = 32;

    @TempDir
    private Path folder;
    private final SharedBlocks memory = Blocks.source();
    private final PacketPools pools = new PacketPools(memory);
    private final PacketPool own = pools.make(new PacketPlan("own", 4096, 0, PacketPlan.DEFAULT_ROOM));
    private final WirePort port = new WirePort(own);
    private final Queue<EthDevEvent> events = new ConcurrentLinkedQueue<>();
    private final RefusedThreads threads = new RefusedThreads();
    private PrimarySocket primary;
    private volatile boolean lost;

    @BeforeEach
    void begin() throws IOException {
        primary = new PrimarySocket(folder.resolve(PrimarySocket.NAME), port, pools, memory, threads);
    }

    @AfterEach
    void nothingIsLeft() {
        primary.close();
        await("queues are back", port.lent::isEmpty);
        assertThat(own.available()).as("packets of the primary that are home").isEqualTo(own.packets());
        own.close();
        await("memory is back", memory.blocks()::isEmpty);
    }

    private void await(String what, BooleanSupplier done) {
        long begin = System.nanoTime();
        while (!done.getAsBoolean()) {
            assertThat((System.nanoTime() - begin) / 1_000_000).as("milliseconds until " + what).isLessThan(60_000);
            Thread.onSpinWait();
        }
    }

    private PrimaryConnection attach() {
        return new PrimaryConnection(primary.path(), pools, 0, false, events::add, () -> lost = true);
    }

    private static void assertRefused(Errno errno, String part, ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOf(Refusal.class).hasMessageContaining(part).satisfies(refused ->
                assertThat(((Refusal) refused).errno()).isEqualTo(errno));
    }

    /** Sends packets out of a queue and looks at them when they come back. */
    private void exchange(PrimaryConnection attached, AttachedPort with, int queue, int packets) {
        int[] some = new int[32];
        int[] come = new int[32];
        int sent = 0;
        int seen = 0;
        long begin = System.nanoTime();
        while (seen < packets) {
            assertThat((System.nanoTime() - begin) / 1_000_000).as("milliseconds for %d of %d packets", seen, packets)
                    .isLessThan(60_000);
            int wanted = Math.min(some.length, packets - sent);
            if (wanted > 0 && sent - seen < 128 && attached.pool().take(some, 0, wanted)) {
                for (int i = 0; i < wanted; i++) {
                    attached.pool().clear(some[i]);
                    attached.pool().first(some[i], PacketPool.first(PacketPool.HEADROOM, 64 + (sent + i) % 1000, 0));
                    RawMemory.put64(attached.pool().data(some[i]), sent + i);
                }
                int taken = with.sendQueue(queue).burst(some, 0, wanted);
                PacketPool.release(some, taken, wanted - taken);
                sent += taken;
            }
            int count = with.receiveQueue(queue).burst(come, 0, come.length);
            for (int i = 0; i < count; i++) {
                assertThat(RawMemory.get64(attached.pool().data(come[i]))).isEqualTo(seen);
                assertThat(PacketPool.length(attached.pool().first(come[i]))).isEqualTo(64 + seen % 1000);
                seen++;
            }
            PacketPool.release(come, 0, count);
        }
    }

    private void leave(PrimaryConnection attached, AttachedPort with) {
        PacketPool pool = attached.pool();
        attached.close();
        with.end();
        assertThat(PacketPool.numbered(pool.number())).as("its pool, whose packets are all home").isNotSameAs(pool);
    }

    @Test
    void packetsGoByTheQueuesThatAreOffered() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(primary.path()))).isEqualTo("rw-------");
        PrimaryConnection one = attach();
        PrimaryConnection other = attach();
        AttachedPort first = one.ports().getFirst();
        AttachedPort second = other.ports().getFirst();
        assertThat(first.info()).isEqualTo(WirePort.INFO);
        assertThat(first.name()).isEqualTo("7870:00:00.0_port1");
        assertThat(first.plan().receiveQueues()).isEqualTo(4);
        assertThat(first.isStarted()).isTrue();
        assertThat(first.link()).isEqualTo(new LinkState(true, 200_000));
        assertThat(first.mtu()).isEqualTo(1500);
        assertThat(first.statistics()).isEqualTo(new EthDevStatistics(1, 2, 3, 4, 5, 6, 7, 8));
        assertThat(first.extendedStatistics()).containsEntry("rx_good_packets", 1L);
        first.resetStatistics();
        exchange(one, first, 1, 5000);
        exchange(other, second, 2, 5000);
        assertRefused(Errno.EBUSY, "is the primary's", () -> second.sendQueue(0));
        assertRefused(Errno.EBUSY, "polled by another", () -> second.receiveQueue(1));
        List<ThrowingCallable> control = List.of(() -> first.configure(EthDevPlan.of(1)), () -> first.setUpSend(1, 0),
                first::start, first::stop, () -> first.setUpReceive(1, 0, 0), () -> first.mtu(1500), first::rss,
                first::redirection, () -> first.redirection(new int[64]), () -> first.promiscuous(true),
                () -> first.offerQueues(0), () -> first.receiveQueue(1).arm());
        control.forEach(call -> assertRefused(Errno.EOPNOTSUPP, "", call));
        leave(one, first);
        await("its queue is back", () -> port.lent.equals(Set.of(2)));
        exchange(other, second, 1, 1000);
        exchange(other, second, 2, 1000);
        leave(other, second);
        await("both have left", () -> primary.secondaries() == 0);
        assertThat(lost).isFalse();
    }

    /**
     * With checks, as a primary does: mistakes are refused with the owner of the packet, and at the end all are home.
     */
    @Test
    void aSecondaryThatChecksKnowsWhoHasItsPackets() {
        PrimaryConnection attached = new PrimaryConnection(primary.path(), pools, 0, true, events::add,
                () -> lost = true);
        AttachedPort with = attached.ports().getFirst();
        with.check();
        exchange(attached, with, 1, 1000);
        SendQueue out = with.sendQueue(1);
        int[] twice = {attached.pool().allocate()};
        assertThat(out.burst(twice, 0, 1)).isOne();
        assertRefused(Errno.EINVAL, "cannot be sent by send queue 1 of port 0 (7870:00:00.0_port1): it is that of send "
                + "queue 1 of port 0", () -> out.burst(twice, 0, 1));
        assertRefused(Errno.EINVAL, "cannot be given back by the application: it is that of send queue 1",
                () -> PacketPool.release(twice, 0, 1));
        int[] come = new int[1];
        await("it has come", () -> with.receiveQueue(1).burst(come, 0, 1) == 1);
        assertThat(attached.pool().owners().owner(come[0])).isEqualTo("the application");
        PacketPool.release(come, 0, 1);
        assertRefused(Errno.EINVAL, "it was given back", () -> PacketPool.release(come, 0, 1));
        attached.leave();
        with.end();
        assertThat(attached.pool().owners().missing()).isEmpty();
        assertThat(attached.pool().owners().spoilt()).isZero();
        attached.close();
    }

    /** Its packets go to the primary one by one: what is of several segments is told of rather than lost. */
    @Test
    void packetsOfSeveralSegmentsAreCountedAsErrorsAndNotOffered() {
        PrimaryConnection attached = attach();
        AttachedPort with = attached.ports().getFirst();
        assertThat(with.plan().sendOffloads()).isEqualTo(Offload.SEND_IPV4_CHECKSUM);
        PacketPool pool = attached.pool();
        SendQueue queue = with.sendQueue(1);
        int[] two = {pool.allocate(), pool.allocate()};
        pool.next(two[0], two[1]);
        pool.second(two[0], 2L << 48 | 1L << 56);
        assertThat(queue.burst(two, 0, 1)).isEqualTo(1);
        assertThat(with.statistics().sendErrors()).isEqualTo(8);
        assertThat(with.extendedStatistics()).containsEntry("tx_errors", 8L);
        with.resetStatistics();
        assertThat(with.statistics().sendErrors()).as("those of the primary").isEqualTo(7);
        leave(attached, with);
    }

    /** An application that has the number of no packet has made a mistake, which costs its queue nothing. */
    @Test
    void numbersBeyondAPoolAreCountedAsErrors() {
        PrimaryConnection attached = attach();
        AttachedPort with = attached.ports().getFirst();
        SendQueue queue = with.sendQueue(1);
        int[] some = {attached.pool().number() << 24 | attached.pool().packets(),
            attached.pool().number() << 24 | 0xff_ffff, filled(attached.pool(), attached.pool().allocate()),
            own.number() << 24 | own.packets()};
        assertThat(queue.burst(some, 0, 4)).isEqualTo(4);
        assertThat(with.statistics().sendErrors()).isEqualTo(8 + 3 - 1);
        int[] come = new int[1];
        await("it has come", () -> with.receiveQueue(1).burst(come, 0, 1) == 1);
        PacketPool.release(come, 0, 1);
        exchange(attached, with, 1, 1000);
        leave(attached, with);
    }

    @Test
    void aSecondaryThatNoThreadCanAnswerIsLeftAndTheNextOneIsServed() throws IOException {
        threads.refuses = true;
        for (int i = 0; i <= PrimarySocket.MOST_SECONDARIES; i++) {
            assertRefused(Errno.ENODEV, "has ended", this::attach);
        }
        assertThat(primary.secondaries()).isZero();
        threads.refuses = false;
        PrimaryConnection attached = attach();
        leave(attached, attached.ports().getFirst());
    }

    /** The primary sees none of them, so it gets a copy. */
    @Test
    void packetsWhoseBytesAreNotTheirsAloneAreSentToo() {
        PrimaryConnection attached = attach();
        AttachedPort with = attached.ports().getFirst();
        PacketPool pool = attached.pool();
        MemoryBlock block = memory.make("of an application", 4096);
        ExternalBuffer buffer = new ExternalBuffer(block, 100, 2000, () -> { });
        int source = pool.allocate();
        int clone = Packets.clone(filled(pool, source), pool);
        int foreign = filled(own, own.allocate());
        int outside = pool.allocate();
        pool.attach(outside, buffer, 8, 64);
        RawMemory.put64(pool.data(outside), 4711);
        int[] four = {source, clone, foreign, outside};
        assertThat(with.sendQueue(1).burst(four, 0, 4)).isEqualTo(4);
        assertThat(with.extendedStatistics()).as("errors of the primary alone").containsEntry("tx_errors", 7L);
        int[] come = new int[1];
        for (int i = 0; i < 4; i++) {
            await("it has come", () -> with.receiveQueue(1).burst(come, 0, 1) == 1);
            assertThat(PacketPool.length(pool.first(come[0]))).isEqualTo(64);
            assertThat(RawMemory.get64(pool.data(come[0]))).isEqualTo(4711);
            PacketPool.release(come, 0, 1);
        }
        assertThat(buffer.users()).isEqualTo(1);
        leave(attached, with);
        buffer.close();
        block.close();
    }

    private static int filled(PacketPool pool, int packet) {
        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, 64, 0));
        RawMemory.put64(pool.data(packet), 4711);
        return packet;
    }

    /** As the real driver, which has no other word for a primary that says nothing. */
    @Test
    void aPrimaryThatDoesNotAnswerIsNone() throws IOException {
        Path path = folder.resolve("silent");
        try (UnixListener silent = UnixListener.listenForPackets(path)) {
            assertThat(silent.path()).exists();
            assertRefused(Errno.ENODEV, "has not answered for 5 seconds",
                    () -> new PrimaryConnection(path, pools, 0, false, events::add, () -> lost = true));
        }
    }

    @Test
    void aPacketWithoutRoomAtASecondaryIsCounted() {
        port.room = 1024;
        PrimaryConnection attached = attach();
        AttachedPort with = attached.ports().getFirst();
        with.sendQueue(1);
        for (int length : new int[] {1025, 1024}) {
            int packet = own.allocate();
            own.first(packet, PacketPool.first(PacketPool.HEADROOM, length, 0));
            port.wires.get(1).add(packet);
        }
        int[] come = new int[2];
        await("the one that fits has come", () -> with.receiveQueue(1).burst(come, 0, 2) == 1);
        assertThat(PacketPool.length(attached.pool().first(come[0]))).isEqualTo(1024);
        assertThat(port.dropped).hasValue(1);
        PacketPool.release(come, 0, 1);
        leave(attached, with);
    }

    @Test
    void aSecondaryIsToldWhatHappensAndOfTheEndOfItsPrimary() {
        PrimaryConnection attached = attach();
        AttachedPort with = attached.ports().getFirst();
        exchange(attached, with, 1, 100);
        port.tell(new EthDevEvent(EthDevEvent.Kind.INTR_LSC, 0, "The link has gone."));
        await("it is told", () -> events.size() == 1);
        assertThat(events.peek()).isEqualTo(new EthDevEvent(EthDevEvent.Kind.INTR_LSC, 0, "The link has gone."));
        primary.gone(0, "7870:00:00.0_port1");
        await("it is told", () -> events.size() == 2);
        primary.close();
        await("it is told of the end", () -> lost);
        assertRefused(Errno.ENODEV, "has ended", with::statistics);
        with.end();
        assertThat(with.name()).isNotEmpty();
        assertThat(attached.pool().available()).as("packets that are home").isEqualTo(attached.pool().packets());
        attached.close();
        assertRefused(Errno.ENODEV, "no primary to attach to", this::attach);
    }

    /** The thread that reads answers closes ports, and waits for nothing meanwhile. */
    @Test
    void aPortThatGoesWhileAQueueOfItIsAskedForLeavesItsPrimary() {
        List<AttachedPort> with = new ArrayList<>();
        PrimaryConnection attached = new PrimaryConnection(primary.path(), pools, 0, false, event -> {
            with.getFirst().close();
            events.add(event);
        }, () -> lost = true);
        with.addAll(attached.ports());
        port.lending = () -> port.tell(new EthDevEvent(EthDevEvent.Kind.INTR_RMV, 0, "The port has gone."));
        assertRefused(Errno.ENODEV, "has gone from here", () -> with.getFirst().receiveQueue(1));
        assertThat(events).hasSize(1);
        assertThat(with.getFirst().isStarted()).as("the primary still answers").isTrue();
        assertThat(lost).isFalse();
        leave(attached, with.getFirst());
    }

    /** The queue is another's after that. */
    @Test
    void packetsThatALocalSecondaryHasSentComeHomeBeforeItsQueueGoesBack() {
        List<String> done = new ArrayList<>();
        closeWith(() -> {
            done.add("reclaimed");
            return 3 - done.size();
        }, () -> done.add("given back"));
        assertThat(done).containsExactly("reclaimed", "reclaimed", "reclaimed", "given back");
    }

    @Test
    void packetsThatALocalSecondaryHasSentHaveATimeToComeHomeAndNotANumberOfTurns() {
        long sent = System.nanoTime() + LentQueue.LAST_NANOS / 4;
        assertThat(closedWhile(() -> System.nanoTime() - sent < 0)).as("when the queue is given back")
                .isGreaterThanOrEqualTo(sent);
        long begin = System.nanoTime();
        assertThat(closedWhile(() -> true)).as("when the queue of a port that sends nothing is given back")
                .isGreaterThanOrEqualTo(begin + LentQueue.LAST_NANOS);
    }

    /** When a local secondary gives its queue back, packets of which are under way for some time. */
    private long closedWhile(BooleanSupplier underWay) {
        long[] back = new long[1];
        closeWith(() -> underWay.getAsBoolean() ? 1 : 0, () -> back[0] = System.nanoTime());
        return back[0];
    }

    /** Has a local secondary close a port with a queue of which so many packets are under way. */
    private void closeWith(IntSupplier underWay, Runnable giveBack) {
        PrimaryProcess lending = (PrimaryProcess) Proxy.newProxyInstance(PrimaryProcess.class.getClassLoader(),
                new Class<?>[] {
            PrimaryProcess.class}, (_, _, _) -> new PrimaryProcess.Pair(null, new SendQueue() {
                @Override
                public int burst(int[] packets, int from, int count) {
                    return 0;
                }

                @Override
                public int reclaim() {
                    return underWay.getAsInt();
                }
            }, null, giveBack));
        LocalPort local = new LocalPort(port.ports().getFirst(), lending, "a test");
        local.sendQueue(1);
        local.close();
    }

    private UnixSocket raw() throws SystemCallException {
        UnixSocket socket = UnixSocket.connectForPackets(primary.path(), MILLIS);
        socket.receiveLimit(MILLIS);
        return socket;
    }

    private static void ask(UnixSocket socket, int... words) throws SystemCallException {
        ByteBuffer bytes = ByteBuffer.allocate(4 * words.length);
        for (int word : words) {
            bytes.putInt(word);
        }
        socket.send(bytes.array(), 0, bytes.capacity());
    }

    private static List<Descriptor> answer(UnixSocket socket) throws SystemCallException {
        List<Descriptor> came = new ArrayList<>();
        assertThat(socket.receive(new byte[SecondaryProtocol.MOST_BYTES], 0, SecondaryProtocol.MOST_BYTES, came))
                .isPositive();
        return came;
    }

    /** Whether the primary has left a client, which has a little to read before it sees that. */
    private static boolean isLeft(UnixSocket socket) {
        try {
            byte[] bytes = new byte[SecondaryProtocol.MOST_BYTES];
            while (socket.receive(bytes, 0, bytes.length) >= 0) {
                // answers to what was asked before
            }
            return true;
        } catch (SystemCallException reset) {
            return reset.errno() == 104;
        }
    }

    @Test
    void badMessagesCostTheirSenderItsConnection() throws IOException {
        PrimaryConnection attached = attach();
        AttachedPort with = attached.ports().getFirst();
        exchange(attached, with, 1, 100);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            // only so many are served at a time
            await("those of before have left", () -> primary.secondaries() == 1);
            try (UnixSocket socket = raw()) {
                if (random.nextBoolean()) {
                    ask(socket, SecondaryProtocol.HELLO, SecondaryProtocol.VERSION, 0);
                    answer(socket).forEach(Descriptor::close);
                }
                for (int i = random.nextInt(4); i >= 0; i--) {
                    byte[] bytes = new byte[random.nextInt(3) == 0 ? 1 + random.nextInt(64)
                            : SecondaryProtocol.QUESTION];
                    random.nextBytes(bytes);
                    if (random.nextBoolean()) {
                        // nearly right
                        ByteBuffer.wrap(bytes).put(new byte[Math.min(11, bytes.length)]);
                        bytes[bytes.length / 4] = (byte) random.nextInt(8);
                    }
                    socket.send(bytes, 0, bytes.length);
                }
                socket.endOfSending();
                assertThat(isLeft(socket)).as("seed " + seed + ", round " + round).isTrue();
            } catch (SystemCallException left) {
                // as soon as the first of the messages was wrong
                assertThat(left.errno()).as("seed " + seed).isIn(32, 104);
            }
        }
        exchange(attached, with, 1, 1000);
        leave(attached, with);
        await("all are left", () -> primary.secondaries() == 0);
    }

    @Test
    void whoWritesIntoRingsWhatCannotBeIsLeftAndItsNeighbourGoesOn() throws IOException {
        PrimaryConnection attached = attach();
        AttachedPort with = attached.ports().getFirst();
        exchange(attached, with, 1, 100);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            try (UnixSocket socket = raw()) {
                ask(socket, SecondaryProtocol.HELLO, SecondaryProtocol.VERSION, 0);
                answer(socket).forEach(Descriptor::close);
                ask(socket, SecondaryProtocol.LEND, 0, 2);
                AttachedBlock block = new AttachedBlock("rings", answer(socket).getFirst(), QueueRings.BYTES);
                try {
                    spoil(block.segment().address(), random, round);
                    assertThat(isLeft(socket)).as("seed " + seed + ", round " + round).isTrue();
                } finally {
                    block.close();
                }
            }
            await("its queue is back", () -> port.lent.equals(Set.of(1)));
        }
        exchange(attached, with, 1, 1000);
        leave(attached, with);
    }

    private static void spoil(long rings, Random random, int round) {
        long toSend = rings + 2L * IndexRing.BYTES;
        for (long at = toSend + 128; at < toSend + IndexRing.BYTES; at += 8) {
            // many times the same packet, or numbers of none
            RawMemory.put64(at, round % 2 == 0 ? random.nextInt(8) : random.nextLong());
        }
        // so many that some come twice: a few of its own packets it may send
        RawMemory.putRelease32(toSend, round % 4 == 3 ? random.nextInt() | 0x8000 : MANY
                + random.nextInt(IndexRing.ENTRIES - MANY));
        if (round % 4 < 2) {
            RawMemory.putRelease32(toSend, -1);
        }
    }

    @Test
    void thereAreFewAtATime() {
        List<PrimaryConnection> all = new ArrayList<>();
        for (int i = 0; i < PrimarySocket.MOST_SECONDARIES; i++) {
            all.add(attach());
        }
        assertRefused(Errno.ENODEV, "has ended", this::attach);
        all.forEach(PrimaryConnection::close);
        await("they have left", () -> primary.secondaries() == 0);
        attach().close();
    }
}
