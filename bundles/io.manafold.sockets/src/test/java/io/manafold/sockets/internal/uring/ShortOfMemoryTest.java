package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Knob;
import io.manafold.sockets.internal.steering.QueueSteering;
import io.manafold.uring.Operation;
import io.manafold.uring.Probe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A kernel that has refused the first ring: for ever, or because it was short of something at that moment. */
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
}
