package io.manafold.qualify.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.NetDevice;
import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.Measure;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.qualify.QualificationReport.LeftOut;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.traffic.Traffic;
import io.manafold.api.traffic.TrafficPlan;
import io.manafold.api.traffic.TrafficReport;
import io.manafold.api.traffic.TrafficRun;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Devices that carry 100000 packets in a second and lose the rest, and no hosts above them. */
@Timeout(300)
class MeasuringTest {
    private static final long CARRIED = 100_000;
    private static final long TOP = 200_000;
    private static final Duration SLICE = Duration.ofMillis(10);

    private final QualificationService service = new QualificationService();
    private final List<TrafficPlan> sent = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private boolean carrier = true;
    private int refusedSize;

    @BeforeEach
    void place() {
        service.devices = List.of(device("mana1", 3, 4078), device("mana0", 2, 1500));
        service.traffic = fake(Traffic.class, (method, arguments) -> start((TrafficPlan) arguments[0]));
    }

    @AfterEach
    void forget() {
        Thread.interrupted();
    }

    private static <T> T fake(Class<T> type, BiFunction<String, Object[], Object> answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (_, method, arguments) -> answer.apply(method.getName(), arguments)));
    }

    private NetDevice device(String name, int index, int mtu) {
        return fake(NetDevice.class, (method, _) -> switch (method) {
            case "name" -> name;
            case "index" -> index;
            case "mtu" -> mtu;
            case "channels" -> 2;
            case "isUp", "hasCarrier" -> carrier || index == 2;
            default -> Map.of("driver", "any", "firmware-version", "");
        });
    }

    private TrafficRun start(TrafficPlan plan) {
        if (plan.size() + 4 == refusedSize) {
            throw new Refusal(Errno.EBUSY, "taken\u001b" + "n".repeat(1000));
        }
        sent.add(plan);
        double rate = plan.rate() == 0 ? TOP : Math.min(TOP, plan.rate());
        TrafficReport report = fake(TrafficReport.class, (method, _) -> switch (method) {
            case "sent" -> (long) rate + 1;
            case "received" -> (long) Math.min(rate, CARRIED) + 1;
            case "lost" -> (long) Math.max(0, rate - CARRIED);
            case "full" -> 0L;
            default -> Duration.ofSeconds(1);
        });
        return fake(TrafficRun.class, (method, _) -> method.equals("report") ? report : null);
    }

    private QualificationReport run(List<Integer> sizes, int rounds, Duration limit) {
        return service.run(new QualificationPlan("", "", sizes, SLICE, rounds, 10, "", limit), step -> {
            steps.add(step);
            if (step.startsWith("round 2 of 9")) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static QualificationPlan polling(List<Integer> bursts, List<Integer> queues) {
        return new QualificationPlan(Engine.PMD, "", "", List.of(64), bursts, queues, SLICE, 1, 10, "", "",
                Duration.ZERO);
    }

    @Test
    void everyRoundGivesEachMeasureASlice() {
        QualificationReport report = run(List.of(1518, 64, 9018), 3, Duration.ZERO);
        assertThat(report.finished()).isTrue();
        assertThat(report.setup()).containsEntry("from", "mana0").containsEntry("to", "mana1")
                .doesNotContainKey("firmware-version");
        assertThat(report.measures()).extracting(Measure::key).containsExactly("rate-64", "full-64", "lost-64",
                "rate-1518", "full-1518", "lost-1518", "stream");
        assertThat(report.measures()).allMatch(one -> one.slices().size() == 3);
        assertThat(report.measures().getFirst().quartiles().median()).isBetween(CARRIED * 0.95, CARRIED * 1.0);
        assertThat(report.leftOut()).extracting(LeftOut::what).contains("rate-9018", "ping-idle", "udp-idle");
        assertThat(report.leftOut().getFirst().reason()).isEqualTo("needs an MTU of 9000; mana0 has 1500 and mana1 "
                + "4078");
        assertThat(sent).allMatch(plan -> plan.from().equals("mana0") && plan.size() <= 1514);
        // what it writes is what it reads
        assertThat(ReportReader.read(ReportValues.json(report).getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isEqualTo(report);
    }

    @Test
    void whatIsRefusedIsLeftOutOnceAndTheRestGoesOn() {
        refusedSize = 128;
        QualificationReport report = run(List.of(64, 128), 3, Duration.ZERO);
        assertThat(report.leftOut()).contains(new LeftOut("rate-128", "taken " + "n".repeat(294)));
        assertThat(report.measures().getFirst().slices()).hasSize(3);
        assertThat(steps.stream().filter(step -> step.startsWith("rate-128 is left out"))).hasSize(1);
    }

    @Test
    void endedEarlyItIsUnfinishedAndTheThreadStaysInterrupted() {
        QualificationReport report = run(List.of(64), 9, Duration.ZERO);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(report.finished()).isFalse();
        assertThat(report.measures().getFirst().slices().size()).isBetween(1, 8);
        assertThat(run(List.of(64), 1, Duration.ZERO).finished()).as("the next one").isTrue();
    }

    @Test
    void noRoundIsBegunThatTheLimitHasNoTimeFor() {
        QualificationReport report = run(List.of(64), 5, Duration.ofMillis(1));
        assertThat(report.measures().getFirst().slices()).hasSize(1);
        assertThat(report.leftOut()).contains(new LeftOut("rounds", "no time was left for 4 of 5"));
    }

    @Test
    void aRoundThatIsLongerThanTheLimitEndsWithTheStepUnderWay() {
        QualificationReport report = run(List.of(64, 128, 512), 1, Duration.ofNanos(1));
        assertThat(report.finished()).isTrue();
        assertThat(report.measures()).extracting(Measure::key).containsExactly("rate-64", "full-64", "lost-64");
        assertThat(report.leftOut()).contains(new LeftOut("rate-512", "no time was left: 0 s are over"),
                new LeftOut("stream", "no time was left: 0 s are over"));
    }

    @Test
    void whatCannotBeIsRefusedBeforeAnythingIsSent() {
        assertThatThrownBy(() -> run(List.of(), 1, Duration.ZERO)).hasMessageContaining("0 sizes");
        assertThatThrownBy(() -> run(List.of(63), 1, Duration.ZERO)).hasMessageContaining("Frames of 63 bytes");
        assertThatThrownBy(() -> run(List.of(64), 0, Duration.ZERO)).hasMessageContaining("0 rounds");
        assertThatThrownBy(() -> service.run(polling(List.of(32), List.of(3)), steps::add))
                .hasMessageContaining("Ports of 3 queues cannot be");
        assertThatThrownBy(() -> service.run(polling(List.of(513), List.of(1)), steps::add))
                .hasMessageContaining("Bursts of 513 packets");
        assertThatThrownBy(() -> service.run(polling(List.of(), List.of(1)), steps::add))
                .hasMessageContaining("one burst and one number of queues at least");
        assertThatThrownBy(() -> service.run(polling(List.of(32), List.of(1)), steps::add))
                .isInstanceOfSatisfying(Refusal.class, refused -> assertThat(refused.errno())
                .isEqualTo(Errno.EOPNOTSUPP)).hasMessage("There is no poll-mode driver on this platform: its "
                + "bundle io.manafold.pmd is missing or stopped. 'lb' lists the bundles, 'start' starts one.");
        carrier = false;
        assertThatThrownBy(() -> run(List.of(64), 1, Duration.ZERO)).hasMessageContaining("mana1 is down");
        service.devices = List.of();
        assertThatThrownBy(() -> run(List.of(64), 1, Duration.ZERO)).hasMessageContaining("there is none");
        service.traffic = null;
        assertThatThrownBy(() -> run(List.of(64), 1, Duration.ZERO)).hasMessage("There is no "
                + "traffic generator on this platform: its bundle io.manafold.traffic is missing or stopped. "
                + "'lb' lists the bundles, 'start' starts one.");
        assertThat(sent).isEmpty();
    }
}
