package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter.ResetKind;
import io.manafold.api.adapter.Fault;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Status;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.Counter;
import io.manafold.gdma.message.QueryLinkConfig;
import io.manafold.gdma.message.QueryPhyStatistics;
import io.manafold.gdma.message.QueryPortStatistics;
import io.manafold.gdma.message.QueryStatistics;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.gdma.message.SetBandwidthClamp;
import io.manafold.memory.DmaArena;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The adapter from a driver's point of view. */
class DriverTest {
    @Test
    void aDriverProbesAndLeaves() {
        try (Bench bench = new Bench("one", "ports", 2, "queues", 4); DmaArena memory = bench.memory(4)) {
            assertThat(bench.adapter.state()).isEqualTo("idle");
            try (EthernetSession session = bench.session(memory)) {
                assertThat(session.vports()).hasSize(2);
                assertThat(session.vports().get(0).mac().toString()).startsWith("00:0d:3a:");
                assertThat(session.vports().get(0).sendQueues()).isEqualTo(4);
                assertThat(session.config().frame()).isEqualTo(9014);
                assertThat(session.function().resources().vectors()).isEqualTo(65);
                assertThat(bench.adapter.state()).isEqualTo("running");
            }
            assertThat(bench.adapter.state()).isEqualTo("idle");
            assertThat(bench.adapter.rejections()).isEmpty();
            assertThat(memory.pagesInUse()).isZero();
        }
    }

    @Test
    void framesPassBetweenTwoPorts() {
        try (TestSwitch net = new TestSwitch("two/1", "two/2"); Bench bench = new Bench("two", "ports", 2);
                DmaArena memory = bench.memory(32)) {
            bench.plug(net.link(), "two/1", "two/2");
            List<byte[]> received = new ArrayList<>();
            try (EthernetSession session = bench.session(memory);
                    PortSession left = new PortSession(session, 0, PortSettings.small(2),
                            (at, length, flags, hash) -> { });
                    PortSession right = new PortSession(session, 1, PortSettings.small(2),
                            (at, length, flags, hash) -> {
                                byte[] frame = new byte[length];
                                RawMemory.copy(at, frame, 0, length);
                                received.add(frame);
                            })) {
                byte[] frame = frame(right.mac().value(), left.mac().value(), 300);
                for (int i = 0; i < 10; i++) {
                    assertThat(left.send(i % 2).send(frame, frame.length)).isTrue();
                    left.send(i % 2).ring();
                }
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
                while (received.size() < 10 && System.nanoTime() < deadline) {
                    left.poll();
                    if (right.poll() == 0) {
                        right.await(50);
                    }
                }
                assertThat(received).hasSize(10).allSatisfy(one -> assertThat(one).isEqualTo(frame));
                long[] values = session.call(new QueryStatistics(Counter.ALL)).values();
                assertThat(values[Counter.TX_UCAST_PKTS.ordinal()]).isEqualTo(10);
                assertThat(values[Counter.RX_UCAST_PKTS.ordinal()]).isEqualTo(10);
                assertThat(counted(session, 0, Counter.ALL)).containsExactly(10, 0);
                assertThat(counted(session, 1, Counter.ALL)).containsExactly(0, 10);
                assertThat(counted(session, 1, Counter.TX_UCAST_PKTS.mask())).as("not asked for").containsExactly(0, 0);
                assertThatThrownBy(() -> session.call(new QueryPortStatistics(7, Counter.ALL)))
                        .isInstanceOfSatisfying(CommandRefused.class, refused -> assertThat(refused.status())
                                .isEqualTo(Status.NOT_FOUND));
                assertThat(bench.adapter.usage()).containsEntry("send_queues", 4L).containsEntry("event_queues", 4L);
            }
            assertThat(bench.adapter.rejections()).singleElement().asString().contains("query-port-statistics");
            assertThat(memory.pagesInUse()).isZero();
        }
    }

    /** Frames that a port has sent and received by itself. */
    private static long[] counted(EthernetSession session, int port, long mask) {
        assertThat(session.function().hasPortStatistics()).isTrue();
        QueryStatistics.Result its = session.call(new QueryPortStatistics(session.vports().get(port).vport(), mask));
        return new long[] {its.value(Counter.TX_UCAST_PKTS), its.value(Counter.RX_UCAST_PKTS)};
    }

    static byte[] frame(long destination, long source, int length) {
        byte[] frame = new byte[length];
        for (int i = 0; i < length; i++) {
            frame[i] = (byte) i;
        }
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (destination >> 40 - 8 * i);
            frame[6 + i] = (byte) (source >> 40 - 8 * i);
        }
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xb5;
        return frame;
    }

    @Test
    void speedFollowsTheClamp() {
        try (Bench bench = new Bench("speed", "speed", 100_000_000_000L); DmaArena memory = bench.memory(2);
                EthernetSession session = bench.session(memory)) {
            long vport = session.vports().get(0).vport();
            assertThat(session.call(new QueryLinkConfig(vport)).current()).isEqualTo(100_000);
            session.call(new SetBandwidthClamp(vport, 1, 500));
            assertThat(session.call(new QueryLinkConfig(vport)).current()).isEqualTo(500);
            assertThat(session.call(new QueryLinkConfig(vport)).maximum()).isEqualTo(100_000);
            session.call(new SetBandwidthClamp(vport, 0, 0));
            assertThat(session.call(new QueryLinkConfig(vport)).current()).isEqualTo(100_000);
            assertThatThrownBy(() -> session.call(new SetBandwidthClamp(vport, 1, 0)))
                    .isInstanceOfSatisfying(CommandRefused.class,
                            refused -> assertThat(refused.status()).isEqualTo(Status.INVALID_PARAMETER));
        }
    }

    @Test
    void anOldFirmwareKnowsLess() {
        try (Bench bench = new Bench("old", "firmware", "2023-01"); DmaArena memory = bench.memory(2);
                EthernetSession session = bench.session(memory)) {
            long vport = session.vports().get(0).vport();
            assertThatThrownBy(() -> session.call(new QueryLinkConfig(vport)))
                    .isInstanceOfSatisfying(Refusal.class,
                            refused -> assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP));
            assertThatThrownBy(() -> session.call(new QueryPhyStatistics(0))).isInstanceOf(CommandRefused.class);
            assertThat(bench.adapter.rejections()).hasSize(2).first()
                    .satisfies(one -> assertThat(one.rule()).contains("2023-01"));
            assertThatThrownBy(() -> bench.adapter.requestReset(ResetKind.RESET)).isInstanceOf(Refusal.class);
        }
    }

    @Test
    void refusalsSayWhichRule() {
        try (Bench bench = new Bench("rules"); DmaArena memory = bench.memory(2);
                EthernetSession session = bench.session(memory)) {
            assertThatThrownBy(() -> session.call(new QueryVportConfig(7)))
                    .isInstanceOfSatisfying(CommandRefused.class,
                            refused -> assertThat(refused.status()).isEqualTo(Status.NOT_FOUND));
            assertThat(bench.adapter.rejections()).hasSize(1).first().satisfies(one -> {
                assertThat(one.where()).contains("query-vport-config");
                assertThat(one.bytes()).startsWith("0000000008000200");
                assertThat(one.right()).contains("0 to 0");
            });
        }
    }

    @Test
    void theDriverHearsOfResets() throws Exception {
        BlockingQueue<Integer> events = new ArrayBlockingQueue<>(16);
        try (Bench bench = new Bench("events"); DmaArena memory = bench.memory(2)) {
            assertThatThrownBy(() -> bench.adapter.requestReset(ResetKind.RESET)).isInstanceOfSatisfying(Refusal.class,
                    refused -> assertThat(refused.errno()).isEqualTo(Errno.ENODEV));
            try (EthernetSession session = bench.session(memory, (type, data) -> events.add(type))) {
                bench.adapter.requestReset(ResetKind.RESET);
                assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo(EventEntry.RESET_REQUEST);
                bench.adapter.requestReset(ResetKind.RECONFIGURE);
                assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo(EventEntry.RECONFIGURATION);
                assertThat(session.function().devices()).contains(DeviceId.ETHERNET);
            }
        }
    }

    @Test
    void theDriverHearsOfItsLinks() throws Exception {
        BlockingQueue<Integer> events = new ArrayBlockingQueue<>(16);
        try (TestSwitch net = new TestSwitch("carrier/1"); Bench bench = new Bench("carrier");
                DmaArena memory = bench.memory(2);
                EthernetSession session = bench.session(memory, (type, data) -> events.add(data >>> 24))) {
            session.call(new QueryStatistics(Counter.ALL));
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo(EventEntry.SOC_LINK_DOWN);
            bench.plug(net.link(), "carrier/1");
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo(EventEntry.SOC_LINK_UP);
            assertThat(bench.adapter.ports().get(0).link()).isEqualTo("net");
            bench.plugs.remove(net.link());
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo(EventEntry.SOC_LINK_DOWN);
            assertThat(bench.adapter.ports().get(0).link()).isNull();
        }
    }

    @Test
    void faultsSpoilAnswers() {
        try (Bench bench = new Bench("faulty"); DmaArena memory = bench.memory(2);
                EthernetSession session = bench.session(memory)) {
            bench.adapter.inject(new Fault("status", "query-vport-config", Fault.Effect.STATUS, 0xc00000bb, 0, true));
            assertThatThrownBy(() -> session.call(new QueryVportConfig(0))).isInstanceOfSatisfying(
                    CommandRefused.class, refused -> assertThat(refused.status()).isEqualTo(0xc00000bb));
            assertThat(session.call(new QueryVportConfig(0)).indirection()).isEqualTo(64);

            bench.adapter.inject(new Fault("late", null, Fault.Effect.LATE, 0, 20_000_000, true));
            long before = System.nanoTime();
            session.call(new QueryVportConfig(0));
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(20_000_000);

            session.function().channel().setTimeout(200);
            bench.adapter.inject(new Fault("short", null, Fault.Effect.SHORT, 0, 0, true));
            assertThatThrownBy(() -> session.call(new QueryVportConfig(0))).isInstanceOf(Refusal.class);

            session.function().channel().setTimeout(30_000);
            bench.adapter.inject(new Fault("twice", null, Fault.Effect.TWICE, 0, 0, true));
            session.call(new QueryVportConfig(0));
            assertThat(session.call(new QueryVportConfig(0)).indirection()).isEqualTo(64);
            assertThat(bench.adapter.faults()).isEmpty();
            assertThat(bench.adapter.faultTraces()).extracting(trace -> trace.fault().name())
                    .containsExactly("status", "late", "short", "twice");
            assertThat(bench.adapter.faultTraces().getFirst().message()).isEqualTo("query-vport-config");

            assertThatThrownBy(() -> bench.adapter.inject(
                    new Fault("typo", "query-vprot", Fault.Effect.STATUS, 1, 0, true))).isInstanceOf(Refusal.class);
        }
    }

    @Test
    void anAnswerThatIsLongerThanAskedForIsRefusedOrReadAsFarAsAsked() {
        try (Bench bench = new Bench("long"); DmaArena memory = bench.memory(2);
                EthernetSession session = bench.session(memory)) {
            bench.adapter.inject(new Fault("long", null, Fault.Effect.OVERSIZED, 0, 0, true));
            try {
                assertThat(session.call(new QueryVportConfig(0)).indirection()).isEqualTo(64);
            } catch (Refusal refused) {
                assertThat(refused.errno()).isEqualTo(Errno.EPROTO);
            }
            assertThat(bench.adapter.faultTraces()).hasSize(1);
            assertThat(session.call(new QueryVportConfig(0)).indirection()).isEqualTo(64);
        }
    }

    @Test
    void anAnswerOvertakesTheOneBefore() throws Exception {
        try (Bench bench = new Bench("swapped"); DmaArena memory = bench.memory(2);
                EthernetSession session = bench.session(memory)) {
            long vport = session.call(new QueryVportConfig(0)).vport();
            bench.adapter.inject(new Fault("swap", "query-vport-config", Fault.Effect.REORDERED, 0, 0, true));
            long begin = System.nanoTime();
            BlockingQueue<Integer> first = new ArrayBlockingQueue<>(1);
            Thread asks = Thread.ofPlatform().start(
                    () -> first.add(session.call(new QueryVportConfig(0)).indirection()));
            assertThat(first.poll(100, TimeUnit.MILLISECONDS)).as("held back").isNull();
            session.call(new QueryLinkConfig(vport));
            assertThat(first.poll(10, TimeUnit.SECONDS)).isEqualTo(64);
            assertThat(System.nanoTime() - begin).as("not alone, after a second").isLessThan(1_000_000_000);
            asks.join();

            bench.adapter.inject(new Fault("alone", null, Fault.Effect.REORDERED, 0, 0, true));
            begin = System.nanoTime();
            assertThat(session.call(new QueryVportConfig(0)).indirection()).isEqualTo(64);
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(1_000_000_000);
        }
    }

    @Test
    void aScriptOfFaultsHasItsTurnsWithADriver() {
        try (Bench bench = new Bench("scripted"); DmaArena memory = bench.memory(2);
                EthernetSession session = bench.session(memory)) {
            long vport = session.call(new QueryVportConfig(0)).vport();
            bench.adapter.play("day", List.of("--message query-vport-config --status 0xc00000bb --once after 2 answers",
                    "--effect withhold-completion --port scripted/1 after 50ms"));
            session.call(new QueryVportConfig(0));
            session.call(new QueryLinkConfig(vport));
            session.call(new QueryVportConfig(0));
            assertThat(bench.adapter.scripted()).hasSize(2);
            assertThatThrownBy(() -> session.call(new QueryVportConfig(0))).isInstanceOf(CommandRefused.class);
            session.call(new QueryVportConfig(0));
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (bench.adapter.faultTraces().size() < 2 && System.nanoTime() - deadline < 0) {
                Thread.onSpinWait();
            }
            assertThat(bench.adapter.faultTraces()).extracting(trace -> trace.message())
                    .containsExactly("query-vport-config", "scripted/1");
            assertThatThrownBy(() -> bench.adapter.play("day", List.of("", "--effect odd"))).hasMessageStartingWith(
                    "Line 2 of the script day: there is no effect 'odd'");
        }
    }

    @Test
    void comesUpAThousandTimes() {
        try (Bench bench = new Bench("often"); DmaArena memory = bench.memory(8)) {
            for (int round = 0; round < 1000; round++) {
                EthernetSession session = bench.session(memory);
                if (round % 100 == 0) {
                    new PortSession(session, 0, PortSettings.small(1), (at, length, flags, hash) -> { }).close();
                }
                session.close();
                if (round % 10 == 0) {
                    bench.function.reset();
                }
            }
            assertThat(bench.adapter.rejections()).isEmpty();
            assertThat(memory.pagesInUse()).isZero();
        }
    }

    @Test
    void twoFunctionsDoNotDisturbEachOther() {
        try (Bench quiet = new Bench("quiet"); Bench loud = new Bench("loud"); DmaArena mine = quiet.memory(8);
                DmaArena its = loud.memory(8); EthernetSession session = quiet.session(mine);
                PortSession port = new PortSession(session, 0, PortSettings.small(1),
                        (at, length, flags, hash) -> { })) {
            assertThat(quiet.function.address()).isNotEqualTo(loud.function.address());
            for (int i = 0; i < 20; i++) {
                loud.session(its).close();
                loud.function.reset();
                assertThat(session.call(new QueryVportConfig(0)).mac()).isEqualTo(port.mac());
            }
            assertThat(quiet.adapter.rejections()).isEmpty();
        }
    }
}
