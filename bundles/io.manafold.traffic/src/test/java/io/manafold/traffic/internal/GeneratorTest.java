package io.manafold.traffic.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.traffic.TrafficForm;
import io.manafold.api.traffic.TrafficPlan;
import io.manafold.api.traffic.TrafficReport;
import io.manafold.api.traffic.TrafficRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent is what is counted, whatever happens on the way. */
@Timeout(300)
class GeneratorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final List<FakeDevice> made = new ArrayList<>();
    private final Generator generator = new Generator(Duration.ZERO);
    private FakeDevice left = device("left", 1);
    private final FakeDevice right = device("right", 2);

    @BeforeEach
    void join() {
        left.peer = right;
        right.peer = left;
        generator.add(left.device());
        generator.add(right.device());
    }

    @AfterEach
    void end() {
        generator.stop();
        for (FakeDevice device : made) {
            device.unplug();
        }
        for (FakeDevice device : made) {
            assertThat(device.failure).isNull();
            assertThat(device.isDrained()).isTrue();
        }
    }

    private FakeDevice device(String name, int number) {
        FakeDevice device = new FakeDevice(name, number);
        made.add(device);
        return device;
    }

    private static TrafficPlan plan(long rate, int flows, long count) {
        return new TrafficPlan("left", "right", rate, 200, flows, true, count);
    }

    private TrafficReport whole(TrafficPlan plan) throws InterruptedException {
        TrafficRun run = generator.start(plan);
        assertThat(run.await(PATIENCE)).isTrue();
        assertThat(run.isRunning()).isFalse();
        return run.report();
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 100000", "0, 7, 100000", "50000, 3, 5000", "1, 1, 1"})
    void everyPacketArrivesOnce(long rate, int flows, long count) throws InterruptedException {
        TrafficReport report = whole(plan(rate, flows, count));
        assertThat(report.sent()).isEqualTo(count);
        assertThat(report.received()).isEqualTo(count);
        assertThat(report.sentBytes()).isEqualTo(200 * count);
        assertThat(report.receivedBytes()).isEqualTo(200 * count);
        assertThat(report.lost() + report.reordered() + report.duplicated() + report.corrupted()).isZero();
        assertThat(report.returns()).isZero();
    }

    @Test
    void aRateIsNotExceeded() throws InterruptedException {
        TrafficReport report = whole(plan(20_000, 1, 10_000));
        // the first is due after one interval, and what was missed is made good only within 10 ms
        assertThat(report.time()).isGreaterThan(Duration.ofMillis(450));
    }

    @Test
    void lossIsCounted() throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        left.cable = (packet, to) -> {
            if (count.incrementAndGet() % 10 == 0) {
                packet.release();
                return false;
            }
            return true;
        };
        TrafficReport report = whole(plan(0, 4, 10_000));
        assertThat(report.sent()).isEqualTo(10_000);
        assertThat(report.received()).isEqualTo(9000);
        assertThat(report.lost()).isEqualTo(1000);
        assertThat(report.reordered()).isZero();
    }

    @Test
    void orderIsWatchedByFlow() throws InterruptedException {
        PacketBuffer[] kept = new PacketBuffer[1];
        AtomicInteger count = new AtomicInteger();
        left.cable = (packet, to) -> {
            int at = count.getAndIncrement() % 100;
            if (at == 10) {
                kept[0] = packet;
                return false;
            }
            if (at == 40) {
                to.arrive(kept[0]);
            }
            return true;
        };
        assertThat(whole(plan(0, 1, 10_000))).satisfies(report -> {
            assertThat(report.reordered()).isEqualTo(100);
            assertThat(report.received()).isEqualTo(10_000);
            assertThat(report.lost()).isZero();
        });
        // the packet is late by 29 others, none of its own flow
        count.set(0);
        assertThat(whole(plan(0, 50, 10_000)).reordered()).isZero();
    }

    @Test
    void changedPacketsAreFoundIfAsked() throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        left.cable = (packet, to) -> {
            if (count.incrementAndGet() % 50 == 0) {
                packet.put8(150, packet.get8(150) ^ 1);
            }
            return true;
        };
        TrafficReport report = whole(plan(0, 1, 5000));
        assertThat(report.corrupted()).isEqualTo(100);
        assertThat(report.received()).isEqualTo(4900);
        TrafficReport careless = whole(new TrafficPlan("left", "right", 0, 200, 1, false, 5000));
        assertThat(careless.corrupted()).isZero();
        assertThat(careless.received()).isEqualTo(5000);
    }

    @Test
    void shortenedPacketsAreFoundAlways() throws InterruptedException {
        left.cable = (packet, to) -> {
            packet.place(packet.headroom(), packet.length() - 1);
            return true;
        };
        TrafficReport report = whole(new TrafficPlan("left", "right", 0, 200, 1, false, 500));
        assertThat(report.corrupted()).isEqualTo(500);
        assertThat(report.lost()).isEqualTo(500);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, 1L << 47, 100_000})
    void aNumberThatWasNotSentIsCorruptedAndNothingIsLostByIt(long number) throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        left.cable = (packet, to) -> {
            if (count.incrementAndGet() % 50 == 0) {
                packet.put64(24, number);
            }
            return true;
        };
        TrafficReport report = whole(new TrafficPlan("left", "right", 0, 200, 1, false, 5000));
        assertThat(report.corrupted()).isEqualTo(100);
        assertThat(report.received()).isEqualTo(4900);
        assertThat(report.reordered()).isZero();
    }

    @Test
    void buffersThatAreShorterThanTheMtuHaveFramesThatFit() throws InterruptedException {
        left.mtu = 9000;
        TrafficReport report = whole(new TrafficPlan("left", "right", 0, 9014, 1, true, 1000));
        assertThat(report.received()).isEqualTo(1000);
        assertThat(report.receivedBytes()).isEqualTo(report.sentBytes()).isLessThan(1000 * 3000);
        assertThat(report.corrupted()).isZero();
    }

    @Test
    void nothingIsSentWhileTheMtuIsTooSmallForTheHeaders() {
        TrafficForm form = new TrafficForm(TrafficForm.Transport.TCP, true, 0, 0, false);
        TrafficRun run = generator.start(new TrafficPlan("left", "right", 1000, 200, 1, true, 0, form));
        until(() -> run.report().received() > 20);
        left.mtu = 70;
        long seen = run.report().full();
        until(() -> run.report().full() > seen + 10 || left.failure != null);
        assertThat(left.failure).isNull();
        left.mtu = 1500;
        long before = run.report().received();
        until(() -> run.report().received() > before + 20);
        run.stop();
        assertThat(run.report().lost() + run.report().corrupted()).isZero();
    }

    @Test
    void largeSendsGoOnInBuffersOfAnotherSize() {
        left.mtu = 9000;
        left.buffersFor(9000);
        // this device cuts nothing
        left.cable = (packet, to) -> {
            int bytes = 0;
            PacketBuffer piece = packet;
            while (piece != null) {
                PacketBuffer next = piece.next();
                bytes += piece.length();
                piece.next(null);
                piece.release();
                piece = next;
            }
            assertThat(bytes).isEqualTo(60_054);
            return false;
        };
        TrafficForm form = new TrafficForm(TrafficForm.Transport.TCP, false, 0, 60_000, false);
        TrafficRun run = generator.start(new TrafficPlan("left", "right", 0, 1514, 1, true, 0, form));
        for (int longest : new int[] {1500, 9000}) {
            until(() -> run.report().largeSends() > 100 || left.failure != null);
            left.buffersFor(longest);
            long before = run.report().largeSends();
            until(() -> run.report().largeSends() > before + 100 || left.failure != null);
        }
        run.stop(Duration.ofMillis(1));
    }

    @Test
    void withoutPatienceNothingWaitsForWhatIsLost() {
        AtomicInteger count = new AtomicInteger();
        left.cable = (packet, to) -> {
            if (count.incrementAndGet() % 2 == 0) {
                packet.release();
                return false;
            }
            return true;
        };
        // one that would look for the places of losses for hours if it were stopped
        Generator patient = new Generator(Duration.ofHours(1));
        try {
            patient.add(left.device());
            patient.add(right.device());
            TrafficRun run = patient.start(plan(0, 1, 0));
            until(() -> run.report().received() > 100);
            run.stop(Duration.ofMillis(1));
            assertThat(run.isRunning()).isFalse();
            assertThat(run.report().lost()).isPositive();
            assertThat(left.user()).isNull();
        } finally {
            patient.stop();
        }
    }

    @Test
    void trafficWithoutEndIsStoppedWhole() {
        TrafficRun run = generator.start(plan(0, 1, 0));
        until(() -> run.report().received() > 50_000);
        assertThat(run.isRunning()).isTrue();
        run.stop();
        assertThat(run.isRunning()).isFalse();
        TrafficReport report = run.report();
        assertThat(report.received()).isEqualTo(report.sent());
        run.stop();
        assertThat(run.report()).isEqualTo(report);
        assertThat(left.user()).isNull();
        assertThat(right.user()).isNull();
    }

    @Test
    void severalRunsShareTheirDevices() throws InterruptedException {
        TrafficRun there = generator.start(plan(0, 2, 50_000));
        TrafficRun back = generator.start(new TrafficPlan("right", "left", 0, 1514, 2, true, 50_000));
        TrafficRun slow = generator.start(plan(10_000, 1, 1000));
        for (TrafficRun run : List.of(there, back, slow)) {
            assertThat(run.await(PATIENCE)).isTrue();
            assertThat(run.report().received()).isEqualTo(run.plan().count());
            assertThat(run.report().corrupted()).isZero();
        }
        assertThat(generator.runs()).containsExactly(there, back, slow);
    }

    @Test
    void aRunGoesOnWithTheNextDeviceOfTheNameAndMeasuresTheGap() {
        TrafficRun run = generator.start(plan(20_000, 1, 0));
        until(() -> run.report().received() > 200);
        generator.remove(left.device());
        assertThat(left.user()).isNull();
        long sent = run.report().sent();
        // what was on its way has come: nothing measures less than what certainly has passed since
        until(() -> run.report().received() == sent);
        long from = System.nanoTime();
        while (System.nanoTime() - from < TimeUnit.MILLISECONDS.toNanos(40)) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(run.report().sent()).isEqualTo(sent);
        left = device("left", 1);
        left.peer = right;
        generator.add(left.device());
        until(() -> run.report().received() > sent + 200);
        run.stop();
        TrafficReport report = run.report();
        assertThat(report.returns()).isEqualTo(1);
        assertThat(report.longestGap()).isGreaterThanOrEqualTo(Duration.ofMillis(40));
        assertThat(report.lost()).isZero();
        assertThat(report.reordered()).isZero();
    }

    @Test
    void theReceiverMayBeReplacedToo() {
        TrafficRun run = generator.start(plan(20_000, 1, 0));
        until(() -> run.report().received() > 200);
        generator.remove(right.device());
        until(() -> run.report().sent() > run.report().received() + 100);
        FakeDevice other = device("right", 3);
        generator.add(other.device());
        left.peer = other;
        long before = run.report().received();
        until(() -> run.report().received() > before + 200);
        assertThat(run.report().lost()).isGreaterThanOrEqualTo(100);
        run.stop();
        assertThat(run.report().lost()).isEqualTo(run.report().sent() - run.report().received());
    }

    @Test
    void whatCannotBeIsRefused() {
        refused(new TrafficPlan("left", "nowhere", 0, 200, 1, false, 1), Errno.ENODEV, "left, right");
        refused(new TrafficPlan("left", "left", 0, 200, 1, false, 1), Errno.EINVAL, "itself");
        refused(new TrafficPlan("left", "right", 0, 59, 1, false, 1), Errno.EINVAL, "60 to 1514");
        refused(new TrafficPlan("left", "right", 0, 1515, 1, false, 1), Errno.EINVAL, "60 to 1514");
        refused(new TrafficPlan("left", "right", 0, 200, 0, false, 1), Errno.EINVAL, "1 to 1024");
        refused(new TrafficPlan("left", "right", -1, 200, 1, false, 1), Errno.EINVAL, "below 0");
        right.claimant = "manae_0 (a program)";
        refused(new TrafficPlan("left", "right", 0, 200, 1, false, 1), Errno.EBUSY, "manae_0 (a program) has its port");
        right.claimant = "";
        List<TrafficRun> many = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            many.add(generator.start(plan(10, 1, 0)));
        }
        refused(plan(10, 1, 0), Errno.ENOSPC, "16");
        many.forEach(TrafficRun::stop);
        assertThat(generator.runs()).hasSize(16);
    }

    private void refused(TrafficPlan plan, Errno errno, String words) {
        assertThatThrownBy(() -> generator.start(plan)).hasMessageContaining(words)
                .isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.errno()).isEqualTo(errno));
    }

    @Test
    void strangersPacketsAreNobodys() throws InterruptedException {
        left.cable = (packet, to) -> {
            packet.put32(14, 0);
            return true;
        };
        TrafficReport report = whole(plan(0, 1, 100));
        assertThat(report.received() + report.corrupted()).isZero();
        assertThat(report.lost()).isEqualTo(100);
    }
}
