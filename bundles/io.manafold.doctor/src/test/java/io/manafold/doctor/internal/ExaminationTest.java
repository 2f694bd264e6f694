package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.Finding.State;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ExaminationTest {
    private static final Evidence NOTHING = Answers.of("nothing", Map.of());

    private final List<String> ran = new ArrayList<>();
    private final Examination examination = new Examination(Duration.ofSeconds(60));

    private Check check(String id, List<String> needs, Callable<Finding> examine) {
        return new Check() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public String name() {
                return "check of a test";
            }

            @Override
            public List<String> needs() {
                return needs;
            }

            @Override
            public String about() {
                return "About.";
            }

            @Override
            public Finding examine(Evidence evidence) throws Exception {
                ran.add(id);
                return examine.call();
            }
        };
    }

    private static List<String> states(List<Diagnosis> diagnoses) {
        return diagnoses.stream().map(one -> one.id() + " " + one.finding().state() + " " + one.skippedBy()).toList();
    }

    @Test
    void whatNeedsAFailedOneIsSkippedByTheFirst() throws InterruptedException {
        List<Check> checks = Examination.sorted(List.of(check("own", List.of("3"), () -> Finding.ok("x")),
                check("10", List.of(), () -> Finding.warn("x")), check("2", List.of("1"), () -> Finding.ok("x")),
                check("3", List.of("2"), () -> Finding.ok("x")), check("1", List.of(), () -> Finding.fail("x"))));
        assertThat(states(examination.of(NOTHING, checks, List.of())))
                .containsExactly("1 FAIL null", "2 SKIPPED 1", "3 SKIPPED 1", "10 WARN null", "own SKIPPED 1");
        assertThat(ran).containsExactly("1", "10");
    }

    @Test
    void whatIsAskedForBringsWhatItNeeds() throws InterruptedException {
        List<Check> checks = Examination.sorted(List.of(check("1", List.of("2"), () -> Finding.ok("x")),
                check("2", List.of("1", "none"), () -> Finding.ok("x")), check("3", List.of(), () -> Finding.ok("x"))));
        assertThat(states(examination.of(NOTHING, checks, List.of("1")))).containsExactly("1 OK null");
        assertThat(ran).containsExactly("2", "1");
        assertThatThrownBy(() -> examination.of(NOTHING, checks, List.of("4"))).isInstanceOf(Refusal.class)
                .hasMessageContaining("'4'");
    }

    @Test
    void oneThatThrowsFailsByItsNameAndTheOthersGoOn() throws InterruptedException {
        List<Check> checks = List.of(check("1", List.of(), () -> {
            throw new StackOverflowError("deep");
        }), check("2", List.of(), () -> {
            throw new Refusal(Errno.EIO, "/etc/x cannot be read.");
        }), check("3", List.of(), () -> null), check("4", List.of(), () -> Finding.ok("x".repeat(100_000))));
        List<Diagnosis> diagnoses = examination.of(NOTHING, checks, List.of());
        assertThat(states(diagnoses)).containsExactly("1 FAIL null", "2 FAIL null", "3 FAIL null", "4 OK null");
        assertThat(diagnoses.get(0).finding().evidence()).containsExactly(new Finding.Line("check 1", "deep"));
        assertThat(diagnoses.get(1).finding().evidence().getFirst().line()).isEqualTo("/etc/x cannot be read.");
        assertThat(diagnoses.get(3).finding().summary()).hasSizeLessThan(3000);
    }

    /** What it says of itself is a stranger's as well, and may be other than before. */
    @Test
    void oneThatDoesNotSayWhatItIsIsLeftOut() throws InterruptedException {
        Check throwing = (Check) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Check.class},
                (_, method, _) -> {
                    throw new NoClassDefFoundError(method.getName());
                });
        List<String> ids = new ArrayList<>(List.of("5", "6"));
        Check changing = (Check) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Check.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "id" -> ids.removeFirst();
                    case "name" -> "a name";
                    case "needs" -> List.of();
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> 1;
                    default -> Finding.ok("x");
                });
        List<Check> checks = Examination.sorted(List.of(check(null, List.of(), () -> Finding.ok("x")),
                check("1", null, () -> Finding.ok("x")), check("2", Arrays.asList("1", null), () -> Finding.ok("x")),
                throwing, changing, check("4", List.of(), () -> Finding.ok("x"))));
        assertThat(states(examination.of(NOTHING, checks, List.of()))).containsExactly("4 OK null", "5 OK null");
    }

    @Test
    void oneThatOverstaysFailsAndIsNotStartedAgainWhileItIsUnderWay() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        List<Check> checks = List.of(check("1", List.of(), () -> {
            while (end.getCount() > 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                Thread.interrupted();
            }
            return Finding.ok("x");
        }), check("2", List.of(), () -> Finding.ok("x")));
        Examination quick = new Examination(Duration.ofSeconds(3));
        List<Diagnosis> diagnoses = quick.of(NOTHING, checks, List.of());
        assertThat(states(diagnoses)).containsExactly("1 FAIL null", "2 OK null");
        assertThat(diagnoses.getFirst().finding().summary()).contains("within 3 s");
        assertThat(quick.of(NOTHING, checks, List.of("1")).getFirst().finding().summary()).contains("not come back");
        assertThat(ran).containsExactly("1", "2");
        end.countDown();
        while (quick.of(NOTHING, checks, List.of("1")).getFirst().finding().state() != State.OK) {
            Thread.sleep(10);
        }
    }
}
