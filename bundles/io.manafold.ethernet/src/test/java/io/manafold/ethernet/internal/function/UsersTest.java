package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.api.device.Removal;
import io.manafold.api.net.HookStatus;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketFilter;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import io.manafold.api.net.QueueStatus;
import io.manafold.api.net.ReceiveHook.Verdict;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.queue.QueueSet;
import io.manafold.ethernet.internal.queue.ReceiveCounters;
import io.manafold.ethernet.internal.queue.ReceiveRing;
import io.manafold.ethernet.internal.queue.SendCounters;
import io.manafold.ethernet.internal.user.DeviceAgent;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users above a device, watchers, and the hook that decides before either sees a packet. */
@Timeout(300)
class UsersTest {
    private final Bench bench = new Bench();
    private final Station left = new Station(bench.left());
    private final Station right = new Station(bench.right());

    @AfterEach
    void close() {
        left.close();
        right.close();
        bench.close();
    }

    @Test
    void oneUserForAllAndFourForEtherTypes() {
        assertThatThrownBy(() -> new Station(bench.left())).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).isEqualTo(Errno.EBUSY));
        assertThatThrownBy(() -> new Station(bench.left(), 5)).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
        try (Station one = new Station(bench.right(), 0x88b5)) {
            assertThatThrownBy(() -> new Station(bench.right(), 0x88b5)).isInstanceOfSatisfying(Refusal.class,
                    refused -> assertThat(refused.errno()).isEqualTo(Errno.EBUSY));
            byte[] claimed = left.frame(bench.right(), 1, 100);
            byte[] other = left.frame(bench.right(), 2, 100);
            other[13] = 0x77;
            left.send(claimed);
            left.send(other);
            assertThat(one.next().bytes()).isEqualTo(claimed);
            assertThat(right.next().bytes()).isEqualTo(other);
            assertThat(one.arrived).isEmpty();
            try (Station b = new Station(bench.right(), 0x88b6); Station c = new Station(bench.right(), 0x88b7);
                    Station d = new Station(bench.right(), 0x88b8)) {
                assertThatThrownBy(() -> new Station(bench.right(), 0x88b9)).isInstanceOfSatisfying(Refusal.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.ENOSPC));
            }
        }
        byte[] again = left.frame(bench.right(), 3, 100);
        left.send(again);
        assertThat(right.next().bytes()).isEqualTo(again);
    }

    @Test
    void aFilterPicksAndLeavesTheRest() {
        PacketFilter wrong = packet -> packet.get8(packet.length()) == 0;
        try (Station one = new Station(bench.right(), (PacketFilter) packet -> packet.get8(60) == 9)) {
            assertThatThrownBy(() -> new Station(bench.right(), wrong)).isInstanceOfSatisfying(Refusal.class,
                    refused -> assertThat(refused).hasMessageContaining("with a filter: station")
                            .extracting(Refusal::errno).isEqualTo(Errno.EBUSY));
            byte[] picked = left.frame(bench.right(), 1, 100);
            picked[60] = 9;
            byte[] other = left.frame(bench.right(), 2, 100);
            other[60] = 8;
            left.send(picked);
            left.send(other);
            assertThat(one.next().bytes()).isEqualTo(picked);
            assertThat(right.next().bytes()).isEqualTo(other);
            assertThat(one.arrived).isEmpty();
        }
        // a filter that fails picks nothing, and costs no other user anything
        try (Station one = new Station(bench.right(), wrong)) {
            byte[] again = left.frame(bench.right(), 3, 100);
            left.send(again);
            assertThat(right.next().bytes()).isEqualTo(again);
            assertThat(one.arrived).isEmpty();
        }
    }

    @Test
    void aDeviceThatIsPolledRestsWhileItIsDown() {
        bench.left().setPrivateFlag("poll", true);
        assertThat(restNanos()).isZero();
        bench.left().setUp(false);
        assertThat(restNanos()).isPositive();
        bench.left().setUp(true);
        assertThat(restNanos()).isZero();
    }

    private long restNanos() {
        DeviceAgent agent = bench.left().life().agent();
        long[] nanos = new long[1];
        agent.run(() -> nanos[0] = agent.restNanos());
        return nanos[0];
    }

    @Test
    void howQueuesStandIsTold() {
        for (int i = 0; i < 3; i++) {
            left.send(left.frame(bench.right(), i, 200));
            right.next();
        }
        List<QueueStatus> sends = bench.left().queues().stream().filter(queue -> !queue.receive()).toList();
        assertThat(sends.stream().mapToInt(QueueStatus::head).sum()).isEqualTo(3);
        Bench.await("all have been completed", () -> bench.left().queues().stream().filter(queue -> !queue.receive())
                .mapToInt(QueueStatus::tail).sum() == 3);
        assertThat(sends).extracting(QueueStatus::work).allMatch(work -> work.budget() == 256);
        assertThat(sends.stream().mapToLong(queue -> queue.work().doorbells()).sum()).as("one for each").isEqualTo(3);
        assertThat(bench.left().queues()).extracting(QueueStatus::work).allMatch(work -> work.pending() == 0)
                .as("each has asked for an event").allMatch(work -> work.completionDoorbells() > 0);
        List<QueueStatus> receives = bench.right().queues().stream().filter(QueueStatus::receive).toList();
        assertThat(receives.stream().mapToInt(QueueStatus::tail).sum()).isEqualTo(3);
        assertThat(receives.stream().mapToInt(queue -> queue.work().completionHead()).sum()).isEqualTo(3);
        assertThat(receives).as("all buffers were posted, and one again for each packet")
                .allMatch(queue -> queue.posted() == queue.entries() && queue.work().budget() == 64)
                .allMatch(queue -> queue.work().doorbells() == 1 + queue.work().completionHead());
        assertThat(receives).allMatch(queue -> queue.posted() <= queue.entries() && queue.vector() > 0)
                .extracting(QueueStatus::name).startsWith("rx-0");
        assertThat(receives.stream().mapToInt(QueueStatus::shares).sum())
                .isEqualTo(bench.right().spreading().table().length);
        bench.right().setUp(false);
        assertThat(bench.right().queues()).isEmpty();
    }

    @Test
    void nobodyAboveMeansHome() {
        right.close();
        for (int i = 0; i < 3000; i++) {
            left.send(left.frame(bench.right(), i, 200));
        }
        ReceiveCounters counters = bench.right().life().counters().receive(0);
        Bench.await("all have come", () -> counters.packets == 3000);
    }

    @Test
    void watchersSeeBothWays() throws Exception {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        AutoCloseable watch = bench.left().watch((packet, incoming) -> seen.add(incoming + " " + packet.length()));
        left.send(left.frame(bench.right(), 1, 101));
        right.next();
        right.send(right.frame(bench.left(), 1, 102));
        left.next();
        assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("false 101");
        assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("true 102");
        AutoCloseable bad = bench.left().watch((_, _) -> {
            throw new IllegalStateException("on purpose");
        });
        left.send(left.frame(bench.right(), 1, 103));
        right.next();
        bad.close();
        watch.close();
        left.send(left.frame(bench.right(), 1, 104));
        right.next();
        assertThat(seen).containsExactly("false 103");
        AutoCloseable[] many = new AutoCloseable[4];
        for (int i = 0; i < 4; i++) {
            many[i] = bench.left().watch((_, _) -> { });
        }
        assertThatThrownBy(() -> bench.left().watch((_, _) -> { })).isInstanceOf(Refusal.class);
        for (AutoCloseable one : many) {
            one.close();
        }
    }

    @Test
    void aUserThatThrowsHarmsOnlyItself() throws Exception {
        left.close();
        AtomicInteger calls = new AtomicInteger();
        PacketUser bad = new PacketUser() {
            @Override
            public String name() {
                return "bad";
            }

            @Override
            public void receive(PacketBuffer[] packets, int count) {
                for (int i = 0; i < count; i++) {
                    packets[i].release();
                }
                calls.incrementAndGet();
                throw new IllegalStateException("on purpose");
            }

            @Override
            public int doWork() {
                throw new IllegalStateException("on purpose");
            }
        };
        try (PacketPort port = bench.left().attach(bad)) {
            right.send(right.frame(bench.left(), 1, 100));
            Bench.await("it was called", () -> calls.get() == 1);
            CountDownLatch ran = new CountDownLatch(1);
            port.execute(ran::countDown);
            assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** As a class that went with its bundle, and one that cannot even be told of. */
    private static final class Gone extends NoClassDefFoundError {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("on purpose");
        }
    }

    /** Has a filter, and fails in whatever it is asked. */
    private static final class Failing implements PacketUser {
        volatile int calls;

        @Override
        public String name() {
            return "failing";
        }

        /** Fails at every other packet, and picks every fourth. */
        boolean picks(PacketBuffer packet) {
            if ((packet.get8(60) & 1) != 0) {
                throw new Gone();
            }
            return (packet.get8(60) & 2) != 0;
        }

        @Override
        public void receive(PacketBuffer[] packets, int count) {
            PacketBuffer.release(packets, 0, count);
            calls++;
            throw new Gone();
        }

        @Override
        public int doWork() {
            throw new Gone();
        }

        @Override
        public long restNanos() {
            throw new Gone();
        }
    }

    @Test
    void anErrorOfAUserOrAWatcherHarmsOnlyItself() throws Exception {
        Failing failing = new Failing();
        AtomicInteger shown = new AtomicInteger();
        try (PacketPort port = bench.left().attach(failing, failing::picks);
                AutoCloseable watch = bench.left().watch((_, _) -> {
                    shown.incrementAndGet();
                    throw new Gone();
                })) {
            // more than users are handed at once
            for (int i = 0; i < 400; i++) {
                byte[] frame = right.frame(bench.left(), i, 100);
                frame[60] = (byte) i;
                right.send(frame);
                if ((i & 3) != 2) {
                    assertThat(left.next().bytes()).isEqualTo(frame);
                }
                byte[] back = left.frame(bench.right(), i, 100);
                left.send(back);
                assertThat(right.next().bytes()).isEqualTo(back);
            }
            Bench.await("it was called", () -> failing.calls == 100);
            assertThat(shown).as("a watcher that fails is not asked again").hasValue(1);
            assertThat(left.arrived).isEmpty();
            CountDownLatch ran = new CountDownLatch(1);
            port.execute(ran::countDown);
            assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
        }
        // those of sends are home when the driver has gone, or the bench complains
        assertThat(bench.left().pools()).allSatisfy(pool -> assertThat(pool.held()).isEmpty());
    }

    @Test
    void anErrorOfACommandIsToldToTheOneWhoWaits() {
        CompletableFuture<Void> told = CompletableFuture.runAsync(() -> bench.left().life().agent().run(() -> {
            throw new NoClassDefFoundError("on purpose");
        }));
        assertThatThrownBy(() -> told.get(20, TimeUnit.SECONDS)).hasRootCauseInstanceOf(NoClassDefFoundError.class);
    }

    /** Counts what arrives in a turn of the thread, and may answer each burst with a packet. */
    private static final class TurnCounter implements PacketUser {
        final boolean answers;
        volatile PacketPort port;
        volatile int all;
        volatile int longest;
        private int now;

        TurnCounter(boolean answers) {
            this.answers = answers;
        }

        @Override
        public String name() {
            return "turns";
        }

        @Override
        public void receive(PacketBuffer[] packets, int count) {
            PacketBuffer.release(packets, answers ? 1 : 0, answers ? count - 1 : count);
            if (answers && port.send(packets, 0, 1) == 0) {
                packets[0].release();
            }
            now += count;
            all += count;
            longest = Math.max(longest, now);
        }

        @Override
        public int doWork() {
            now = 0;
            return 0;
        }
    }

    @Test
    void aTurnTakesSeveralBurstsUnlessTheUserHasSomethingToSend() throws Exception {
        left.close();
        QueueSet sending = bench.right().life().queues();
        for (boolean answers : new boolean[] {false, true}) {
            TurnCounter user = new TurnCounter(answers);
            try (PacketPort port = bench.left().attach(user)) {
                user.port = port;
                CountDownLatch held = new CountDownLatch(1);
                Bench.holdThread(port, held);
                for (int i = 0; i < 200; i++) {
                    right.send(right.frame(bench.left(), i, 100));
                }
                Bench.await("all are with the device", () -> {
                    int[] out = new int[1];
                    bench.right().life().agent().run(() -> out[0] = sending.outstanding());
                    return out[0] == 0;
                });
                held.countDown();
                Bench.await("all have come", () -> user.all == 200);
                if (answers) {
                    assertThat(user.longest).isBetween(ReceiveRing.BUDGET, ReceiveRing.BURST);
                } else {
                    assertThat(user.longest).isEqualTo(200);
                }
            }
        }
    }

    @Test
    void aUserMayLeaveFromItsOwnCall() {
        left.close();
        AtomicInteger calls = new AtomicInteger();
        PacketPort[] port = new PacketPort[1];
        PacketUser once = new PacketUser() {
            @Override
            public String name() {
                return "once";
            }

            @Override
            public void receive(PacketBuffer[] packets, int count) {
                for (int i = 0; i < count; i++) {
                    packets[i].release();
                }
                calls.incrementAndGet();
                port[0].close();
            }
        };
        port[0] = bench.left().attach(once);
        ReceiveCounters counters = bench.left().life().counters().receive(0);
        for (int i = 0; i < 5; i++) {
            long before = counters.packets;
            right.send(right.frame(bench.left(), i, 100));
            Bench.await("it has come", () -> counters.packets > before);
        }
        assertThat(calls).hasValue(1);
        assertThat(port[0].execute(() -> { })).isFalse();
        port[0].close();
    }

    @Test
    void theHookDecides() {
        ReceiveCounters counters = bench.right().life().counters().receive(0);
        bench.right().setHook((packet, redirection) -> switch (packet.get8(14)) {
            case 1 -> Verdict.DROP;
            case 2 -> {
                // back to where it came from
                for (int i = 0; i < 6; i++) {
                    int mine = packet.get8(i);
                    packet.put8(i, packet.get8(6 + i));
                    packet.put8(6 + i, mine);
                }
                yield Verdict.TRANSMIT;
            }
            case 3 -> {
                // out of the other device, back to here; then it is let through
                packet.put8(14, 0);
                redirection.redirect("mana0");
                yield Verdict.REDIRECT;
            }
            case 4 -> Verdict.ABORT;
            case 5 -> throw new IllegalStateException("on purpose");
            case 6 -> {
                redirection.redirect("nobody");
                yield Verdict.REDIRECT;
            }
            case 7 -> Verdict.REDIRECT;
            case 8 -> throw new Gone();
            default -> {
                packet.put8(15, 0xee);
                yield Verdict.PASS;
            }
        });
        for (int kind = 0; kind <= 8; kind++) {
            byte[] frame = left.frame(bench.right(), kind, 100);
            frame[14] = (byte) kind;
            left.send(frame);
        }
        assertThat(right.next().bytes()[15]).isEqualTo((byte) 0xee);
        assertThat(right.next().bytes()[15]).isEqualTo((byte) 0xee);
        assertThat(left.next().bytes()[14]).isEqualTo((byte) 2);
        Bench.await("all verdicts are counted", () -> counters.hookDropped == 6 && counters.hookSent == 1
                && counters.hookRedirected == 1);
        Bench.await("the redirected one was sent", () -> bench.left().life().counters().send(0).redirected == 1);
        HookStatus told = bench.right().hook().orElseThrow();
        assertThat(told).isEqualTo(new HookStatus(UsersTest.class.getName(), "", 2, 6, 1, 1, 3));
        bench.right().setHook(null);
        assertThat(bench.right().hook()).get().returns(false, HookStatus::isInPlace).returns(6L, HookStatus::dropped);
        assertThat(bench.left().hook()).contains(new HookStatus("", "", 0, 0, 0, 0, 0));
        byte[] frame = left.frame(bench.right(), 1, 100);
        left.send(frame);
        assertThat(right.next().bytes()).isEqualTo(frame);
    }

    @Test
    void redirectionToAnotherFunctionCopies() {
        try (TestAdapter two = new TestAdapter("two", "ports", 1)) {
            FunctionDrive drive = FunctionDrive.begin(two.function(), bench.context(1));
            EthernetDevice third = drive.offered().getFirst();
            assertThat(third.name()).isEqualTo("mana2");
            bench.right().setHook((packet, redirection) -> {
                redirection.redirect("mana2");
                return Verdict.REDIRECT;
            });
            BlockingQueue<String> seen = new LinkedBlockingQueue<>();
            AutoCloseable watch = third.watch((packet, incoming) -> {
                byte[] bytes = new byte[packet.length()];
                packet.get(0, bytes, 0, bytes.length);
                seen.add(incoming + " " + Arrays.hashCode(bytes));
            });
            byte[] frame = left.frame(bench.right(), 1, 1500);
            left.send(frame);
            assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("false " + Arrays.hashCode(frame));
            SendCounters counters = third.life().counters().send(0);
            Bench.await("it was sent", () -> counters.copied == 1 && counters.redirected == 1);
            watch.close();
            drive.remove(Removal.UNBIND);
            assertThat(drive.memory().pagesInUse()).isZero();
            // and to a device that is gone
            left.send(frame);
            Bench.await("it is dropped", () -> bench.right().life().counters().receive(0).hookDropped == 1);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void redirectionToTheOtherPortCopiesNothing() {
        // everything that reaches the right goes out of the left again, to the right
        AtomicInteger rounds = new AtomicInteger();
        bench.right().setHook((packet, redirection) -> {
            if (rounds.incrementAndGet() > 5000) {
                return Verdict.PASS;
            }
            redirection.redirect("mana0");
            return Verdict.REDIRECT;
        });
        byte[] frame = left.frame(bench.right(), 1, 300);
        left.send(frame);
        assertThat(right.next().bytes()).isEqualTo(frame);
        assertThat(bench.left().life().counters().send(0).redirected).isEqualTo(5000);
        assertThat(bench.left().life().counters().send(0).copied).isZero();
    }
}
