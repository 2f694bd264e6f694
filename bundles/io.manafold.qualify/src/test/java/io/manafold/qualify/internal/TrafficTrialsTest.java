package io.manafold.qualify.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.traffic.Traffic;
import io.manafold.api.traffic.TrafficReport;
import io.manafold.api.traffic.TrafficRun;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrafficTrialsTest {
    private static final Duration SLICE = Duration.ofMillis(1);

    /** What a trial says of a report with these values. */
    private static Bisection.Outcome of(long sent, Duration sending, long full) throws InterruptedException {
        Map<String, Object> values = Map.of("sent", sent, "sending", sending, "full", full, "lost", 0L, "received",
                sent, "time", SLICE);
        TrafficReport report = answering(TrafficReport.class, values);
        TrafficRun run = (TrafficRun) Proxy.newProxyInstance(TrafficRun.class.getClassLoader(),
                new Class<?>[] {TrafficRun.class}, (_, method, _) -> method.getName().equals("report") ? report : null);
        return new TrafficTrials(answering(Traffic.class, Map.of("start", run)), "a", "b", SLICE).send(1518, 0);
    }

    private static <T> T answering(Class<T> type, Map<String, Object> values) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (_, method, _) -> values.get(method.getName())));
    }

    @Test
    void packetsAreSentInTheTimeFromTheFirstToTheLast() throws Exception {
        assertThat(of(101, Duration.ofNanos(200_000), 0).rate()).isEqualTo(500_000);
        assertThat(of(101, Duration.ofNanos(800_000), 7).rate()).isEqualTo(125_000);
    }

    @Test
    void whatIsTakenAtOnceAndHeldBackIsNotFast() throws Exception {
        assertThat(of(101, Duration.ofNanos(10), 7).rate()).isEqualTo(100_000);
    }

    @Test
    void noRateIsAboveWhatCanBeAskedFor() throws Exception {
        assertThat(of(11, Duration.ofNanos(1), 0).rate()).isEqualTo(1e9);
    }
}
