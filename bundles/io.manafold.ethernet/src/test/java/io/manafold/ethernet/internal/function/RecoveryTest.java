package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.device.Removal;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.queue.QueueSet;
import io.manafold.gdma.EventEntry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the adapter does to its driver while frames come and go, and how the driver goes on. */
@Timeout(300)
class RecoveryTest {
    private final Bench bench = new Bench();
    private final Pulse left = new Pulse(bench.left(), bench.right());
    private final Pulse right = new Pulse(bench.right(), bench.left());

    @AfterEach
    void close() {
        left.close();
        right.close();
        bench.close();
    }

    private void bothFlow(String after) {
        left.flows(after);
        right.flows(after);
    }

    @Test
    void aResetThatTheAdapterAsksForIsCarriedOut() {
        bench.left().setMtu(4000);
        for (Adapter.ResetKind kind : Adapter.ResetKind.values()) {
            bothFlow("before " + kind);
            QueueSet before = bench.left().life().queues();
            bench.adapter.adapter().requestReset(kind);
            Bench.await("new queues come", () -> {
                QueueSet now = bench.left().life().queues();
                return now != null && now != before;
            });
            bothFlow("after " + kind);
            assertThat(bench.left().mtu()).isEqualTo(4000);
        }
    }

    @Test
    void aSuspendedFunctionRestsUntilItIsResumed() throws Exception {
        bench.left().setMtu(4000);
        bench.left().setChannels(3);
        bothFlow("before");
        bench.drive.suspend();
        assertThat(bench.adapter.adapter().state()).isEqualTo("idle");
        assertThat(bench.parts).isEmpty();
        assertThat(bench.left().hasCarrier()).isFalse();
        Map<String, Long> counted = bench.right().totals();
        long received = right.received;
        assertThat(counted.get("rx_packets")).isGreaterThanOrEqualTo(received);
        refused(Errno.EBUSY, bench.drive::suspend);
        refused(Errno.ENODEV, () -> bench.left().setMtu(2000));
        refused(Errno.ENODEV, () -> bench.left().setUp(false));
        bench.left().setHook(null);
        refused(Errno.ENODEV, () -> bench.adapter.adapter().requestReset(Adapter.ResetKind.RESET));
        TimeUnit.NANOSECONDS.sleep(3 * Bench.PATIENT.tick().toNanos());
        assertThat(right.received).as("frames that came meanwhile").isEqualTo(received);
        assertThat(bench.right().totals()).as("what was counted").isEqualTo(counted);
        bench.drive.resume();
        bothFlow("after");
        assertThat(bench.left().mtu()).isEqualTo(4000);
        assertThat(bench.left().spreading().queues()).isEqualTo(3);
        assertThat(bench.parts).containsKey("mana.eth.0");
        assertThat(left.wrong + right.wrong).isZero();
        bench.right().totals().forEach((name, value) -> assertThat(value).as(name)
                .isGreaterThanOrEqualTo(counted.getOrDefault(name, 0L)));
        bench.left().setMtu(2000);
        bench.drive.suspend();
        // as a driver is taken away that has not been resumed; closing finds all pages home
        bench.remove();
    }

    private static void refused(Errno errno, ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(errno));
    }

    @Test
    void resetsAskedForWhileOneIsCarriedOutDoNoHarm() {
        for (int i = 0; i < 20; i++) {
            try {
                bench.adapter.adapter().requestReset(Adapter.ResetKind.RESET);
            } catch (Refusal nobodyThere) {
                assertThat(nobodyThere.errno()).isEqualTo(Errno.ENODEV);
            }
        }
        bothFlow("after many resets");
        bench.left().setMtu(2000);
        bothFlow("and a change");
    }

    @Test
    void aSendThatIsNeverCompletedHasItsPortReset() {
        bothFlow("at first");
        QueueSet before = bench.left().life().queues();
        left.close();
        bench.adapter.adapter().inject(new Fault("lost", "one/1", Fault.Effect.WITHHOLD_COMPLETION, 0, 0, true));
        Pulse again = new Pulse(bench.left(), bench.right());
        // a withheld completion shows when nothing follows it
        Bench.await("something is sent", () -> again.sent > 0);
        again.close();
        Bench.await("new queues come", () -> {
            QueueSet now = bench.left().life().queues();
            return now != null && now != before;
        });
        assertThat(bench.left().totals().get("tx_dropped")).as("what was lost is counted").isPositive();
        try (Pulse last = new Pulse(bench.left(), bench.right())) {
            long received = right.received;
            Bench.await("frames arrive after the reset of the port", () -> right.received > received + 20);
        }
    }

    @Test
    void aFunctionThatDoesNotAnswerForItsCountersIsReset() {
        QueueSet before = bench.left().life().queues();
        bench.drive.session().function().channel().setTimeout(2000);
        bench.adapter.adapter().inject(new Fault("mute", "query-statistics", Fault.Effect.WITHHOLD, 0, 0, true));
        Bench.await("new queues come", () -> {
            QueueSet now = bench.left().life().queues();
            return now != null && now != before;
        });
        bothFlow("after the reset");
    }

    @Test
    void aFunctionThatIsGoneIsLeftAtOnce() throws Exception {
        bothFlow("at first");
        bench.adapter.adapter().inject(new Fault("mute", null, Fault.Effect.WITHHOLD, 0, 0, false));
        CompletableFuture<Throwable> change = CompletableFuture.supplyAsync(() -> {
            try {
                bench.left().setMtu(3000);
                return null;
            } catch (Refusal refused) {
                return refused;
            }
        });
        Bench.await("the change waits for an answer", () -> bench.left().life().lock().isLocked());
        FunctionDrive drive = bench.drive;
        bench.drive = null;
        long begin = System.nanoTime();
        drive.remove(Removal.DEVICE_GONE);
        assertThat(change.get(60, TimeUnit.SECONDS)).isInstanceOf(Refusal.class);
        // a single command that is not answered takes 30 s
        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(25));
        assertThat(drive.memory().pagesInUse()).isZero();
        bench.adapter.adapter().clearFault("mute");
        bench.adapter.function().reset();
        bench.begin();
        try (Pulse again = new Pulse(bench.left(), bench.right());
                Pulse other = new Pulse(bench.right(), bench.left())) {
            again.flows("after the return");
            other.flows("after the return");
        }
        assertThatThrownBy(() -> drive.offered().getFirst().setUp(false)).isInstanceOf(Refusal.class);
    }

    @Test
    void linksComeAndGo() {
        assertThat(bench.left().hasCarrier()).isTrue();
        Bench.await("the counters were asked for once", () -> bench.left().statistics().stream()
                .anyMatch(one -> one.name().equals("hc_tx_ucast_pkts") && one.value() > 0));
        bench.adapter.unplug(bench.net.link());
        Bench.await("the carrier goes", () -> !bench.left().hasCarrier() && !bench.right().hasCarrier());
        bench.adapter.plug(bench.net.link(), "one/1", "one/2");
        Bench.await("the carrier comes", () -> bench.left().hasCarrier() && bench.right().hasCarrier());
        bothFlow("with the carrier");
    }

    private void pullTheCable() {
        bench.adapter.unplug(bench.net.link());
        Bench.await("the carrier goes", () -> !bench.left().hasCarrier() && !bench.right().hasCarrier());
        Bench.await("that is told", () -> !links().isEmpty());
    }

    private List<String> links() {
        return bench.told.stream().filter(line -> line.startsWith("LINK_")).map(line -> line.split(" ")[0]).toList();
    }

    private List<Long> carrierChanges() {
        return Stream.of(bench.left(), bench.right()).map(device -> device.totals().get("carrier_changes")).toList();
    }

    /** A function tells nothing of links that are up when it begins: its driver takes them for that. */
    @Test
    void aLinkThatComesBackWhileTheFunctionRestsIsTold() throws Exception {
        pullTheCable();
        List<Long> before = carrierChanges();
        bench.drive.suspend();
        bench.adapter.plug(bench.net.link(), "one/1", "one/2");
        bench.drive.resume();
        assertThat(bench.left().hasCarrier()).isTrue();
        assertThat(bench.right().hasCarrier()).isTrue();
        assertThat(links()).containsExactly("LINK_DOWN", "LINK_UP");
        assertThat(carrierChanges()).isEqualTo(before.stream().map(count -> count + 1).toList());
        bothFlow("with the carrier");
    }

    @Test
    void aLinkThatComesBackDuringAResetIsTold() {
        bothFlow("before");
        bench.drive.event(EventEntry.SOC_DATA, EventEntry.typed(EventEntry.SOC_LINK_DOWN, 0));
        assertThat(bench.left().hasCarrier()).isFalse();
        List<Long> before = carrierChanges();
        bench.adapter.adapter().requestReset(Adapter.ResetKind.RESET);
        Bench.await("that is told", () -> links().equals(List.of("LINK_DOWN", "LINK_UP")));
        assertThat(carrierChanges()).isEqualTo(before.stream().map(count -> count + 1).toList());
        bothFlow("with the carrier");
    }

    @Test
    void aLinkThatIsStillAwayAfterwardsIsSoOfAllPorts() throws Exception {
        pullTheCable();
        bench.drive.suspend();
        bench.drive.resume();
        assertThat(bench.left().hasLink()).isFalse();
        assertThat(bench.right().hasLink()).isFalse();
        assertThat(links()).as("there is no news").containsExactly("LINK_DOWN");
        bench.adapter.plug(bench.net.link(), "one/1", "one/2");
        Bench.await("the carrier comes", () -> bench.left().hasCarrier() && bench.right().hasCarrier());
        Bench.await("that is told", () -> links().equals(List.of("LINK_DOWN", "LINK_UP")));
        bothFlow("with the carrier");
    }
}
