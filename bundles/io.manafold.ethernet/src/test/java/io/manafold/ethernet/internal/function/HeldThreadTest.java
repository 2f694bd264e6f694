package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.device.Removal;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.gdma.message.QueryVportConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Changes while a user above a device holds its thread for longer than commands wait. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class HeldThreadTest {
    private static final Duration TICKS = Bench.PATIENT.tick().multipliedBy(5);

    private final Bench bench = new Bench("queues", 8);
    private final Station left = new Station(bench.left());
    private final Station right = new Station(bench.right());
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void close() {
        release.countDown();
        left.close();
        right.close();
        bench.close();
    }

    private static void assertHeld(ThrowingCallable wish) {
        assertThatThrownBy(wish).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).as(refusal.getMessage()).isEqualTo(Errno.ETIMEDOUT));
    }

    private static void leave(FunctionDrive drive) {
        try {
            drive.remove(Removal.UNBIND);
        } catch (Refusal _) {
            // a thread of its devices is held
        }
    }

    private static boolean isGivenUp(FunctionDrive drive) {
        try {
            drive.session().call(new QueryVportConfig(0));
            return false;
        } catch (Refusal refused) {
            return refused.errno() == Errno.ENODEV;
        }
    }

    private static ReceiveHook counting(AtomicInteger packets) {
        return (_, _) -> {
            packets.incrementAndGet();
            return ReceiveHook.Verdict.PASS;
        };
    }

    private int queuesOfTheAdapter() {
        return bench.adapter.adapter().ports().getFirst().queues().size();
    }

    private void bothFlow(int number) {
        flows(left, right, number);
        flows(right, left, number);
    }

    /** Sends until a frame arrives: one may fall into a reset, for sends look late after a thread was held. */
    private static void flows(Station from, Station to, int number) {
        byte[] frame = from.frame(to.device, number, 100);
        Bench.await("a frame arrives at " + to.device.name(), () -> {
            from.send(frame);
            LockSupport.parkNanos(1_000_000);
            return to.arrived.removeIf(one -> Arrays.equals(one.bytes(), frame));
        });
    }

    @Test
    void whatIsRefusedLeavesThePortAsItWas() throws Exception {
        int queues = queuesOfTheAdapter();
        bothFlow(1);
        Bench.holdThread(left.port, release);
        assertHeld(() -> bench.left().setUp(false));
        assertHeld(() -> bench.left().setMtu(4000));
        assertHeld(bench.drive::suspend);
        assertThat(bench.left().isUp()).isTrue();
        assertThat(bench.left().mtu()).isEqualTo(1500);
        assertThat(queuesOfTheAdapter()).isEqualTo(queues);
        release.countDown();
        bothFlow(2);
        bench.left().setUp(false);
        bench.left().setUp(true);
        bothFlow(3);
        bench.left().setMtu(4000);
        bothFlow(4);
        Bench.await("the adapter has as many queues as before", () -> queuesOfTheAdapter() == queues);
        bench.drive.suspend();
        bench.drive.resume();
        bothFlow(5);
    }

    /** Whose thread is held decides for all ports of the function, and for its parts. */
    @Test
    void aSuspendThatIsRefusedLeavesTheWholeFunctionAsItWas() throws Exception {
        Set<String> parts = Set.copyOf(bench.parts.keySet());
        assertThat(parts).isNotEmpty();
        bothFlow(1);
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        bench.left().setHook(counting(first));
        // takes the place of the other without new queues
        bench.left().setHook(counting(second));
        Bench.holdThread(right.port, release);
        assertHeld(bench.drive::suspend);
        assertThat(bench.parts.keySet()).isEqualTo(parts);
        release.countDown();
        bothFlow(2);
        assertThat(first.get()).as("of the hook that is no more").isZero();
        assertThat(second.get()).isPositive();
        bench.left().setHook(null);
        bench.left().setMtu(4000);
        bothFlow(3);
        bench.drive.suspend();
        bench.drive.resume();
        bothFlow(4);
    }

    @Test
    void aFunctionThatIsLeftWhileAThreadIsHeldCanBeTakenAgain() throws Exception {
        bothFlow(1);
        FunctionDrive gone = bench.drive;
        Bench.holdThread(left.port, release);
        assertHeld(bench::remove);
        release.countDown();
        Bench.await("all pages are home", () -> gone.memory().pagesInUse() == 0);
        bench.begin();
        try (Station again = new Station(bench.left()); Station other = new Station(bench.right())) {
            flows(again, other, 2);
            flows(other, again, 3);
        }
    }

    /** What the adapter has been told is taken back when the device's thread does not follow. */
    @Test
    void aTableThatIsRefusedIsNotInForceInTheAdapter() throws Exception {
        bench.left().setChannels(2);
        bothFlow(1);
        int[] table = new int[bench.left().spreading().table().length];
        bench.left().setSpreading(null, table);
        Bench.holdThread(left.port, release);
        Arrays.fill(table, 1);
        assertHeld(() -> bench.left().setSpreading(null, table));
        assertThat(bench.left().spreading().table()).containsOnly(0);
        release.countDown();
        bothFlow(2);
        left.arrived.clear();
        for (int i = 0; i < 16; i++) {
            right.send(Packets.ip(4, Packets.UDP, bench.right(), bench.left(), 10, i));
            assertThat(left.next().queue()).isZero();
        }
    }

    /** Its name is another's then, and neither that nor a reset waits for the user. */
    @Test
    void aPortWhoseThreadIsHeldWhenItIsRenamedComesBackWithAnother() throws Exception {
        int queues = queuesOfTheAdapter();
        bothFlow(1);
        EthernetDevice former = bench.left();
        Bench.holdThread(left.port, release);
        bench.plans.put(1, new Plan(bench.adapter.function().address(), 1, "a0", Optional.empty(), true));
        bench.drive.follow(bench.plans.get(1));
        Bench.await("another device comes", () -> !bench.drive.offered().contains(former)
                && bench.drive.offered().size() == 2 && bench.left().life().isOpen());
        assertThat(bench.left().name()).isEqualTo("a0");
        Object before = bench.right().life().queues();
        bench.adapter.adapter().requestReset(Adapter.ResetKind.RESET);
        Bench.await("new queues come", () -> bench.right().life().isOpen()
                && bench.right().life().queues() != before && bench.left().life().isOpen());
        try (Station again = new Station(bench.left())) {
            flows(again, right, 2);
            flows(right, again, 3);
            release.countDown();
            Bench.await("the former device's thread ends", () -> !former.life().agent().isAlive());
            assertThat(queuesOfTheAdapter()).isEqualTo(queues);
            // queues that end late leave the interrupts of those in use alone: what only receives would not notice
            Object inUse = bench.left().life().queues();
            flows(right, again, 4);
            flows(again, right, 5);
            assertThat(bench.left().life().queues()).isSameAs(inUse);
        }
        // closing finds all pages home
    }

    /** What the former device still has of the adapter leaves too little room, and is to be had again soon. */
    @Test
    void aPortThatIsRenamedWhileItsThreadIsHeldForgetsNoSetting() throws Exception {
        bench.left().setChannels(6);
        EthernetDevice former = bench.left();
        Bench.holdThread(left.port, release);
        bench.plans.put(1, new Plan(bench.adapter.function().address(), 1, "a0", Optional.empty(), true));
        bench.drive.follow(bench.plans.get(1));
        Bench.await("the device goes", () -> !bench.drive.offered().contains(former));
        long end = System.nanoTime() + TICKS.toNanos();
        while (System.nanoTime() - end < 0) {
            assertThat(bench.drive.offered()).as("devices while there is no room").hasSize(1);
            LockSupport.parkNanos(1_000_000);
        }
        release.countDown();
        Bench.await("it is back", () -> bench.drive.offered().size() == 2);
        assertThat(bench.left().name()).isEqualTo("a0");
        assertThat(bench.left().channels()).isEqualTo(6);
    }

    /** The core resets the function of a driver that takes too long to leave, and gives it to the next one. */
    @Test
    void aDriverThatIsGivenUpTouchesNothingOfTheNext() throws Exception {
        bothFlow(1);
        FunctionDrive gone = bench.drive;
        EthernetDevice former = bench.left();
        Bench.holdThread(left.port, release);
        Thread leaving = Thread.ofPlatform().start(() -> leave(gone));
        Bench.await("it waits for the user", () -> Arrays.stream(leaving.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Closing.class.getName())));
        leaving.interrupt();
        // the core gives it half a second
        Bench.await("it gives the function up", () -> isGivenUp(gone));
        bench.adapter.function().reset();
        bench.begin();
        // a port whose thread is not held goes on
        byte[] late = right.frame(former, 9, 100);
        for (int i = 0; i < 100; i++) {
            right.trySend(late, late.length, _ -> { });
        }
        try (Station again = new Station(bench.left()); Station other = new Station(bench.right())) {
            flows(again, other, 2);
            leaving.join();
            release.countDown();
            Bench.await("the former device's thread ends", () -> !former.life().agent().isAlive());
            Object inUse = bench.left().life().queues();
            flows(other, again, 3);
            flows(again, other, 4);
            assertThat(bench.left().life().queues()).isSameAs(inUse);
        }
        assertThat(bench.told).noneMatch(sentence -> sentence.contains("is reset"));
    }

    /** The new queues are in use, and the old ones go as soon as they can. */
    @Test
    void queuesThatAreHeldWhenOthersAreInUseGoLater() throws Exception {
        int queues = queuesOfTheAdapter();
        Object before = bench.left().life().queues();
        bench.adapter.adapter().inject(new Fault("late", "fence-rq", Fault.Effect.LATE, 0,
                Duration.ofSeconds(1).toNanos(), true));
        CompletableFuture<Void> change = CompletableFuture.runAsync(() -> bench.left().setMtu(4000));
        Bench.await("new queues come", () -> bench.left().life().queues() != before);
        Bench.holdThread(left.port, release);
        change.get(60, TimeUnit.SECONDS);
        assertThat(bench.left().mtu()).isEqualTo(4000);
        release.countDown();
        bothFlow(1);
        bench.left().setMtu(3000);
        bothFlow(2);
        Bench.await("the adapter has as many queues as before", () -> queuesOfTheAdapter() == queues);
    }

    /** Where there is no room for old and new queues the old ones go first: a refusal says that the port has none. */
    @Test
    void aPortThatIsLeftWithoutQueuesSaysHowToGetThem() throws Exception {
        int queues = queuesOfTheAdapter();
        bench.left().setChannels(bench.left().maxChannels());
        bench.adapter.adapter().inject(new Fault("late", "fence-rq", Fault.Effect.LATE, 0,
                Duration.ofSeconds(1).toNanos(), true));
        CompletableFuture<Void> change = CompletableFuture.runAsync(() -> bench.left().setMtu(4000));
        Bench.await("the old queues go", () -> bench.left().life().queues() == null);
        Bench.holdThread(left.port, release);
        assertThatThrownBy(() -> change.get(60, TimeUnit.SECONDS)).cause().isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).as(refusal.getMessage()).isEqualTo(Errno.EIO))
                .hasMessageContaining("Set it down and up again");
        release.countDown();
        bench.left().setUp(false);
        bench.left().setUp(true);
        bothFlow(1);
        bench.left().setChannels(1);
        bothFlow(2);
        Bench.await("the adapter has as many queues as before", () -> queuesOfTheAdapter() <= queues);
    }
}
