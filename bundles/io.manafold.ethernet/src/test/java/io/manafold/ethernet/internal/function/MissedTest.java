package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Fault;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.gdma.driver.FunctionSession;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Packets that came while no buffer was posted are told of the port that they came to, as of when it is asked. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class MissedTest {
    private static final String KEY = "rx_missed";
    private static final int ROOM = 128;
    private static final int FRAMES = 3 * ROOM;

    /** Has the right device get more than it has buffers for, while its thread takes none. */
    private static long overflow(Bench bench) throws Exception {
        long before = discarded(bench, 1);
        CountDownLatch release = new CountDownLatch(1);
        bench.right().setRings(ROOM, ROOM);
        try (Station left = new Station(bench.left()); Station right = new Station(bench.right());
                AutoCloseable _ = release::countDown) {
            Bench.holdThread(right.port, release);
            for (int i = 0; i < FRAMES; i++) {
                left.send(left.frame(bench.right(), i, 100));
            }
            Bench.await("all have come", () -> discarded(bench, 1) - before >= FRAMES - ROOM);
            return discarded(bench, 1);
        }
    }

    private static long discarded(Bench bench, int port) {
        return bench.adapter.adapter().ports().get(port).counters().get("hc_rx_discards_no_wqe");
    }

    private static Map<String, Long> totals(EthernetDevice device) {
        return device.totals();
    }

    @Test
    void theyAreOfThePortThatTheyCameTo() throws Exception {
        try (Bench bench = new Bench()) {
            assertThat(totals(bench.right())).containsEntry(KEY, 0L);
            long missed = overflow(bench);
            assertThat(totals(bench.right())).as("at once, as they are").containsEntry(KEY, missed);
            assertThat(totals(bench.left())).containsEntry(KEY, 0L);
            Bench.await("the function has told of all its ports", () -> hosts(bench.left()) == missed);
        }
    }

    private static long hosts(EthernetDevice device) {
        return device.statistics().stream().filter(one -> one.name().equals("hc_rx_discards_no_wqe")).findFirst()
                .orElseThrow().value();
    }

    /** A command that shows counters does not wait for as long as a command may take. */
    @Test
    void aFunctionThatDoesNotAnswerLeavesWhatItToldLast() throws Exception {
        try (Bench bench = new Bench()) {
            long missed = overflow(bench);
            assertThat(totals(bench.right())).containsEntry(KEY, missed);
            bench.adapter.add(new Fault("silent", "query-port-statistics", Fault.Effect.WITHHOLD, 0, 0, true));
            long begin = System.nanoTime();
            assertThat(totals(bench.right())).containsEntry(KEY, missed);
            assertThat(System.nanoTime() - begin).isBetween(TimeUnit.MILLISECONDS.toNanos(900),
                    TimeUnit.SECONDS.toNanos(15));
            assertThat(totals(bench.right())).containsEntry(KEY, missed);
        }
    }

    /** Its counter is of all ports together, so it is a port's where there is one alone. */
    @Test
    void aFunctionWithoutTheMessageTellsThemOfItsOnlyPort() throws Exception {
        try (Bench two = new Bench()) {
            overflow(two);
            forget(two);
            assertThat(totals(two.left())).doesNotContainKey(KEY);
            assertThat(totals(two.right())).doesNotContainKey(KEY);
        }
        try (Bench one = new Bench("ports", 1)) {
            forget(one);
            assertThat(totals(one.left())).containsEntry(KEY, 0L);
        }
    }

    /** As with a device that has not said that it knows the message. */
    private static void forget(Bench bench) throws Exception {
        Field knows = FunctionSession.class.getDeclaredField("portStatistics");
        knows.setAccessible(true);
        knows.set(bench.left().life().port().session().function(), false);
    }
}
