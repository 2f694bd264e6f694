package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.PortStatus;
import io.manafold.api.doctor.Sighting;
import io.manafold.api.doctor.Survey.Answer;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.Hosts;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was not waited for is neither a yes nor a no; a machine that servicing has ended is a no. */
@Timeout(60)
class BootWatchTest {
    private static final Duration NO_TIME = Duration.ofMillis(-1);

    private final List<String> done = new ArrayList<>();
    private volatile String state = "running";
    private boolean open = true;
    private boolean alive = true;
    private Runnable atReset = () -> { };
    private Runnable atPing = () -> { };

    private final BootedSystem machine = proxy(BootedSystem.class, (method, _) -> switch (method) {
        case "isAlive" -> alive;
        case "isUp" -> true;
        case "console" -> List.of();
        default -> "";
    });

    private interface Reply {
        Object to(String method, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Reply reply) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (_, method, arguments) -> reply.to(method.getName(), arguments)));
    }

    private Adapter adapter() {
        PortStatus port = proxy(PortStatus.class, (method, _) -> switch (method) {
            case "mac" -> MacAddress.parse("00:0d:3a:00:00:01");
            case "open" -> open;
            case "queues" -> List.of();
            default -> null;
        });
        return proxy(Adapter.class, (method, _) -> switch (method) {
            case "name" -> "boot-guest";
            case "state" -> state;
            case "ports" -> List.of(port);
            case "driverFeatures" -> Set.of(Adapter.DriverFeature.SELF_RESET);
            case "driverSystem" -> Optional.empty();
            case "requestReset" -> {
                atReset.run();
                yield null;
            }
            default -> {
                done.add(method);
                yield null;
            }
        });
    }

    private BootNetwork network(Adapter adapter) {
        Host host = proxy(Host.class, (method, _) -> {
            if (method.equals("ping")) {
                atPing.run();
                throw new Refusal(Errno.EHOSTUNREACH, "nothing is there");
            }
            return List.of();
        });
        return new BootNetwork(null, () -> List.of(adapter), null, proxy(Hosts.class, (_, _) -> Optional.of(host)));
    }

    private Map<String, Answer> watched() throws InterruptedException {
        Sighting seen = new BootWatch(network(adapter()), machine, NO_TIME, _ -> { }).watch();
        assertThat(seen.verdicts()).allSatisfy(one -> assertThat(one.answer()).isEqualTo(Answer.NOT_SHOWN));
        return answers(seen.steps());
    }

    private static Map<String, Answer> answers(List<Sighting.Step> steps) {
        return steps.stream().collect(Collectors.toMap(Sighting.Step::name, Sighting.Step::answer));
    }

    @Test
    void whatThereWasNoTimeForIsNotShown() throws Exception {
        state = "reset";
        assertThat(watched()).isEqualTo(Map.of("driver", Answer.NOT_SHOWN));
        state = "running";
        open = false;
        assertThat(watched()).isEqualTo(Map.of("driver", Answer.YES, "port", Answer.NOT_SHOWN));
        open = true;
        assertThat(watched()).containsEntry("port", Answer.YES).containsEntry("ping", Answer.NOT_SHOWN);
    }

    /** Nothing is done to a function either, if what comes of it is not watched. */
    @Test
    void servicingThatIsNotWatchedIsNotShown() throws Exception {
        for (boolean lives : new boolean[] {true, false}) {
            alive = lives;
            BootSteps steps = new BootSteps(machine, NO_TIME, _ -> { });
            Adapter adapter = adapter();
            BootNetwork network = network(adapter);
            new BootServicing(network, machine, steps, adapter, new BootTarget(network, adapter)).run();
            assertThat(answers(steps.all())).isEqualTo(Map.of("servicing", Answer.NOT_SHOWN, "link", Answer.NOT_SHOWN,
                    "revocation", Answer.NOT_SHOWN));
            assertThat(steps.all()).allSatisfy(one -> assertThat(one.what())
                    .contains(lives ? "the time was over" : "the machine has ended"));
        }
        assertThat(done).isEmpty();
    }

    private List<Sighting.Step> serviced() throws InterruptedException {
        BootSteps steps = new BootSteps(machine, Duration.ofSeconds(30), _ -> { });
        Adapter adapter = adapter();
        BootNetwork network = network(adapter);
        new BootServicing(network, machine, steps, adapter, new BootTarget(network, adapter)).run();
        return steps.all();
    }

    /** As one whose system panics does: it is started without a reboot. */
    @Test
    void aMachineThatEndsWhileItsFunctionIsResetIsANo() throws Exception {
        Runnable ends = () -> alive = false;
        Runnable losesItsDriverAndEnds = () -> {
            state = "reset";
            alive = false;
        };
        for (Runnable one : List.of(ends, losesItsDriverAndEnds)) {
            state = "running";
            alive = true;
            atReset = one;
            List<Sighting.Step> steps = serviced();
            assertThat(answers(steps)).isEqualTo(Map.of("servicing", Answer.NO, "revocation", Answer.NOT_SHOWN));
            assertThat(steps.getFirst().what()).endsWith(": the machine has ended");
        }
    }

    @Test
    void aMachineThatEndsBeforeItAnswersAfterAResetIsANo() throws Exception {
        atReset = () -> {
            state = "reset";
            Thread.startVirtualThread(() -> {
                LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
                state = "running";
            });
        };
        atPing = () -> alive = false;
        List<Sighting.Step> steps = serviced();
        assertThat(answers(steps)).isEqualTo(Map.of("servicing", Answer.NO, "revocation", Answer.NOT_SHOWN));
        assertThat(steps.getFirst().what()).contains("does not answer since: the machine has ended");
    }
}
