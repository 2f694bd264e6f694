package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.manafold.api.device.Removal;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import io.manafold.api.net.PoolStatus;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.ethernet.internal.queue.SendCounters;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Packets travel for ever while the devices below them change. */
@Isolated
@Timeout(300)
class LiveTest {
    private static final int TOKENS = 32;

    private final Bench bench = new Bench();
    private Echo left = new Echo(bench.left());
    private Echo right = new Echo(bench.right());

    @AfterEach
    void close() {
        left.close();
        right.close();
        bench.close();
    }

    private void run(long packets) {
        long until = right.received + packets;
        Bench.await("packets go round", () -> right.received >= until);
    }

    /** All tokens are still there, each once. */
    private void collect(int tokens) {
        left.collecting = true;
        right.collecting = true;
        Bench.await("all are collected", () -> left.collected() + right.collected() == tokens);
        for (int i = 0; i < tokens; i++) {
            assertThat(left.seen(i) + right.seen(i)).as("token %d", i).isEqualTo(1);
        }
    }

    private void change(EthernetDevice device, UnaryOperator<PortConfig> step) {
        bench.change(device, step);
        run(200);
    }

    @Test
    void nothingIsLostWhileQueuesAreReplaced() {
        left.launch(bench.right(), 0, TOKENS, 200);
        run(500);
        for (EthernetDevice device : new EthernetDevice[] {bench.left(), bench.right()}) {
            change(device, now -> now.withMtu(9000));
            change(device, now -> now.withRings(256, 128));
            change(device, now -> now.withChannels(3));
            change(device, now -> now.withPages(ReceivePolicy.PAGE, 4096));
            change(device, now -> now.withMapping(ReceiveMapping.PACKET));
            change(device, now -> now.withMtu(1500));
            change(device, now -> now.withPages(ReceivePolicy.FRAGMENT, 65536));
            change(device, now -> now.withHook((_, _) -> ReceiveHook.Verdict.PASS));
            change(device, now -> now.withFrames(4));
            change(device, now -> now.withMapping(ReceiveMapping.PAGE));
            change(device, now -> now.withFlag(PortConfig.POLL, true));
            change(device, now -> now.withFrames(1));
            change(device, now -> now.withPages(ReceivePolicy.FRAGMENT_HEADROOM, 16384));
            change(device, now -> now.withHook(null));
            change(device, now -> now.withFlag(PortConfig.POLL, false));
            change(device, now -> now.withMapping(ReceiveMapping.WHOLE_PAGE));
            change(device, now -> now.withPages(ReceivePolicy.LEAN, 4096).withMapping(ReceiveMapping.ARENA));
            change(device, now -> now.withRings(1024, 256));
            change(device, now -> now.withChannels(1));
        }
        collect(TOKENS);
        for (EthernetDevice device : new EthernetDevice[] {bench.left(), bench.right()}) {
            Bench.await("only the pools in use are left", () -> device.pools().stream().noneMatch(PoolStatus::closing));
            assertThat(device.pools()).hasSize(1).allSatisfy(pool -> {
                assertThat(pool.posted()).isEqualTo(1024);
                assertThat(pool.held()).isEmpty();
            });
        }
        assertThat(bench.adapter.adapter().rejections()).isEmpty();
    }

    @Test
    void whereBothDoNotFitOneFollowsTheOther() {
        try (Bench small = new Bench("queues", 2)) {
            try (Station one = new Station(small.left()); Station two = new Station(small.right())) {
                small.change(small.left(), now -> now.withChannels(2));
                small.change(small.left(), now -> now.withMtu(3000));
                small.change(small.right(), now -> now.withChannels(2).withMtu(3000));
                byte[] frame = one.frame(small.right(), 1, 2900);
                one.send(frame);
                assertThat(two.next().bytes()).isEqualTo(frame);
                // no memory: as it was
                assertThatThrownBy(() -> small.change(small.left(), now -> now.withRings(8192, 256)
                        .withPages(ReceivePolicy.PAGE, 65536))).isInstanceOf(Refusal.class);
                one.send(frame);
                assertThat(two.next().bytes()).isEqualTo(frame);
                assertThat(small.left().life().config().receiveEntries()).isEqualTo(1024);
            }
        }
    }

    @Test
    void withoutMemoryTheOldShapeGoesOn() {
        left.launch(bench.right(), 0, TOKENS, 200);
        run(200);
        assertThatThrownBy(() -> bench.change(bench.left(), now -> now.withRings(8192, 256).withChannels(4)
                .withPages(ReceivePolicy.PAGE, 65536))).isInstanceOf(Refusal.class);
        run(200);
        collect(TOKENS);
    }

    @Test
    void whoeverNeverRestsStillHearsOfPackets() {
        left.close();
        right.close();
        AtomicBoolean busy = new AtomicBoolean();
        AtomicInteger arrived = new AtomicInteger();
        PacketPort port = bench.left().attach(new PacketUser() {
            @Override
            public String name() {
                return "busy";
            }

            @Override
            public void receive(PacketBuffer[] packets, int count) {
                for (int i = 0; i < count; i++) {
                    packets[i].release();
                }
                arrived.addAndGet(count);
            }

            @Override
            public int doWork() {
                return busy.get() ? 1 : 0;
            }
        });
        try (Station station = new Station(bench.right())) {
            for (int round = 1; round <= 20; round++) {
                Bench.await("it rests, and all queues are armed", () -> {
                    Thread agent = bench.left().life().agent().agent().thread();
                    return agent == null || agent.getState() == Thread.State.TIMED_WAITING;
                });
                port.execute(() -> {
                    busy.set(true);
                    PacketBuffer[] one = new PacketBuffer[1];
                    assertThat(port.take(one, 0, 1)).isOne();
                    one[0].place(one[0].headroom(), 60);
                    one[0].put64(0, -1);
                    one[0].queue(0);
                    assertThat(port.send(one, 0, 1)).isOne();
                });
                station.next();
                int expected = round;
                station.send(station.frame(bench.left(), round, 200));
                Bench.await("a packet arrives", () -> arrived.get() == expected);
                busy.set(false);
            }
        } finally {
            port.close();
        }
        left = new Echo(bench.left());
        right = new Echo(bench.right());
    }

    @Test
    void downAndUp() {
        left.launch(bench.right(), 0, TOKENS, 200);
        run(200);
        bench.change(bench.right(), now -> now.withUp(false));
        assertThat(bench.right().life().isOpen()).isFalse();
        bench.change(bench.right(), now -> now.withUp(true));
        left.launch(bench.right(), 0, TOKENS, 200);
        run(200);
    }

    @Test
    void theDriverLeavesUnderTraffic() {
        for (int round = 0; round < 5; round++) {
            left.launch(bench.right(), 0, TOKENS, 1000);
            right.launch(bench.left(), TOKENS, TOKENS, 100);
            run(500);
            // the driver goes while packets are under way and users hold some; then the users let go
            FunctionDrive gone = bench.drive;
            gone.remove(round % 2 == 0 ? Removal.UNBIND : Removal.DEVICE_GONE);
            assertThat(left.port.execute(() -> { })).isFalse();
            left.close();
            right.close();
            assertThat(gone.memory().pagesInUse()).isZero();
            bench.adapter.function().reset();
            bench.begin();
            assertThat(bench.left().name()).isEqualTo("mana0");
            left = new Echo(bench.left());
            right = new Echo(bench.right());
        }
    }

    @Test
    void heldPacketsOutliveTheirDriver() {
        left.close();
        right.close();
        Station one = new Station(bench.left());
        Station two = new Station(bench.right());
        two.keeping = true;
        byte[] frame = one.frame(bench.right(), 5, 700);
        one.send(frame);
        two.next();
        FunctionDrive gone = bench.drive;
        bench.drive = null;
        gone.remove(Removal.UNBIND);
        assertThat(gone.memory().pagesInUse()).isPositive();
        byte[] still = new byte[700];
        two.kept.getFirst().get(0, still, 0, still.length);
        assertThat(still).isEqualTo(frame);
        one.close();
        two.close();
        assertThat(gone.memory().pagesInUse()).isZero();
    }

    @Test
    void nothingIsAllocatedPerPacket() {
        measure("with interrupts");
        bench.change(bench.left(), now -> now.withFlag(PortConfig.POLL, true));
        measure("polling");
        bench.change(bench.left(), now -> now.withHook((_, _) -> ReceiveHook.Verdict.PASS).withFrames(4));
        measure("with a hook and coalesced");
        bench.change(bench.left(), now -> now.withMapping(ReceiveMapping.PACKET));
        measure("mapped packet by packet");
    }

    private void measure(String how) {
        left.launch(bench.right(), 0, TOKENS, 200);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        run(20_000);
        long thread = bench.left().life().agent().agent().thread().threadId();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            long before = threads.getThreadAllocatedBytes(thread);
            run(10_000);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(least).as("bytes for 10000 packets %s", how).isLessThan(10_000);
        System.out.println("allocated " + how + ": " + least + " bytes in 10000 packets");
    }

    @Test
    void aFullQueueTakesNoMoreUntilThereIsRoom() {
        bench.change(bench.left(), now -> now.withRings(1024, 128).withChannels(1));
        SendCounters counters = bench.left().life().counters().send(0);
        left.launch(bench.right(), 0, 200, 64);
        left.launch(bench.right(), 0, 200, 64);
        left.launch(bench.right(), 0, 200, 64);
        run(5000);
        assertThat(counters.stopped).isPositive();
        Bench.await("it was woken", () -> counters.woken > 0);
    }
}
