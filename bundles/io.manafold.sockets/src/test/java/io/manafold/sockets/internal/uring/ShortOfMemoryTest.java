package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobOffer;
import io.manafold.sockets.internal.steering.QueueSteering;
import io.manafold.uring.Operation;
import io.manafold.uring.Probe;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A kernel that has refused the first ring, or what goes with it: for ever, or because it was short of something. */
class ShortOfMemoryTest {
    private static final int EPERM = 1;

    private final AtomicInteger asked = new AtomicInteger();

    private List<Probe.Answer> answers(int errno) {
        boolean isThere = asked.getAndIncrement() > 0;
        return Stream.of(Operation.values()).map(operation -> isThere ? new Probe.Answer(operation, true, 0, "")
                : new Probe.Answer(operation, false, errno, "There is no ring.")).toList();
    }

    private boolean hasRings(UringTransport transport) {
        return transport.offer(Knob.QUEUES, "ring").why().equals("what is asked together is one system call");
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 23, 24, 105})
    void isAskedAgainLater(int errno) throws InterruptedException {
        UringTransport transport = new UringTransport(QueueSteering.NONE, () -> answers(errno), Duration.ofSeconds(1));
        assertThat(hasRings(transport)).isFalse();
        assertThat(hasRings(transport)).isFalse();
        Thread.sleep(1100);
        assertThat(hasRings(transport)).isTrue();
        Thread.sleep(1100);
        assertThat(hasRings(transport)).isTrue();
        assertThat(asked).hasValue(2);
    }

    @Test
    void isNotAskedAgainWhereRingsAreForbidden() throws InterruptedException {
        UringTransport transport = new UringTransport(QueueSteering.NONE, () -> answers(EPERM), Duration.ofMillis(1));
        assertThat(hasRings(transport)).isFalse();
        Thread.sleep(10);
        assertThat(hasRings(transport)).isFalse();
    }

    private static List<Probe.Answer> allBut(Set<Operation> refused, int errno) {
        return Stream.of(Operation.values()).map(operation -> new Probe.Answer(operation,
                !refused.contains(operation), refused.contains(operation) ? errno : 0, "")).toList();
    }

    private static void assertBecomes(BooleanSupplier so) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!so.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("nanoseconds late").isNegative();
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @CsvSource({"RECEIVE_MULTISHOT,24,QUEUES,ring", "SEND_GATHERED,24,QUEUES,ring",
            "REGISTERED_BUFFERS,12,MEMORY,registered", "SEND_ZERO_COPY,12,SEND,zerocopy",
            "ACCEPT_MULTISHOT,24,ACCEPT,multishot"})
    void whatARingLacksIsAskedForAgain(Operation lacking, int errno, Knob knob, String value) {
        AtomicBoolean isShort = new AtomicBoolean(true);
        UringTransport transport = new UringTransport(QueueSteering.NONE,
                () -> allBut(isShort.get() ? Set.of(lacking) : Set.of(), errno), Duration.ofMillis(1));
        BooleanSupplier isThere = () -> {
            KnobOffer offer = transport.offer(knob, value);
            return offer.available() && !offer.why().contains("nio");
        };
        assertThat(isThere.getAsBoolean()).isFalse();
        isShort.set(false);
        assertBecomes(isThere);
    }

    @Test
    void whatTheKernelCouldDoStaysWhenItIsShortOfItLater() {
        UringTransport transport = new UringTransport(QueueSteering.NONE, () -> allBut(asked.getAndIncrement() == 0
                ? Set.of(Operation.REGISTERED_BUFFERS) : Set.of(Operation.values()), 12), Duration.ofMillis(1));
        assertThat(hasRings(transport)).isTrue();
        assertBecomes(() -> !hasRings(transport) || asked.get() > 2);
        assertThat(hasRings(transport)).isTrue();
    }
}
