package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DeviceState;
import io.manafold.api.device.Probe;
import io.manafold.api.device.Removal;
import io.manafold.itests.bundles.DriverBundle;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.bundles.TestFunction;
import io.manafold.itests.script.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Drivers that throw, hang, wait for each other; hardware that is torn out. The platform goes on and says who it was.
 */
@Timeout(300)
class FailingDriversTest {
    private static final String ADDRESS = "7870:00:00.0";
    private static final String OTHER = "7871:00:00.0";

    @RegisterExtension
    final Platform platform = new Platform();

    private static class Quiet implements Script {
        @Override
        public void probe(String driver, Probe probe) throws Exception {
            // works
        }

        @Override
        public void remove(String driver, String device, Removal why) throws Exception {
            // works
        }
    }

    @Test
    void aDriverThatThrowsHasItsReasonKept() throws Exception {
        platform.script(new Quiet() {
            @Override
            public void probe(String driver, Probe probe) {
                throw new NoClassDefFoundError("some/missing/Type");
            }
        });
        platform.plug(ADDRESS);
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        assertThat(platform.device(ADDRESS).state()).isEqualTo(DeviceState.FAILED);
        assertThat(platform.device(ADDRESS).reason().orElseThrow())
                .isEqualTo("ethernet 1.0.0 refused it: it was built against another API than is here "
                        + "(NoClassDefFoundError: some/missing/Type); build it against that of this platform");
    }

    @Test
    void afterAFailureTheNextDriverThatClaimsItIsTried() throws Exception {
        platform.script(new Quiet() {
            @Override
            public void probe(String driver, Probe probe) {
                if (driver.startsWith("first")) {
                    throw new IllegalStateException("not today");
                }
            }
        });
        platform.start(DriverBundle.of("first", "1414:00ba"));
        platform.start(DriverBundle.of("second", "1414:00ba"));
        platform.plug(ADDRESS);
        platform.assertBound(ADDRESS, "second 1.0.0");
    }

    @Test
    void aProbeThatHangsIsGivenUpNamedAndHoldsNobodyElseUp() throws Exception {
        platform.limits(Duration.ofSeconds(2), Duration.ofSeconds(2));
        CountDownLatch release = new CountDownLatch(1);
        BlockingQueue<String> removals = new LinkedBlockingQueue<>();
        platform.script(new Quiet() {
            @Override
            public void probe(String driver, Probe probe) {
                if (probe.device().id().equals(ADDRESS)) {
                    awaitWhateverHappens(release);
                }
            }

            @Override
            public void remove(String driver, String device, Removal why) {
                removals.add(device + " " + why);
            }
        });
        TestFunction stuck = platform.plug(ADDRESS);
        platform.plug(OTHER);
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.assertBound(OTHER, "ethernet 1.0.0");
        assertThat(platform.device(ADDRESS).state()).isEqualTo(DeviceState.FAILED);
        assertThat(platform.device(ADDRESS).reason().orElseThrow())
                .contains("did not return from probe within 2 s")
                .contains("thread 'probe ethernet 1.0.0 " + ADDRESS + "' is left to itself");
        assertThat(stuck.resets()).isEqualTo(1);
        release.countDown();
        awaitEndOf("probe ethernet 1.0.0 " + ADDRESS);
        // the function was reset, and may be another driver's
        assertThat(removals.poll(60, TimeUnit.SECONDS)).isEqualTo(ADDRESS + " DEVICE_GONE");
    }

    @Test
    void aRemoveThatNeverReturnsIsNamedAndTheFunctionIsReset() throws Exception {
        platform.limits(Duration.ofSeconds(30), Duration.ofSeconds(2));
        CountDownLatch release = new CountDownLatch(1);
        platform.script(new Quiet() {
            @Override
            public void remove(String driver, String device, Removal why) {
                awaitWhateverHappens(release);
            }
        });
        TestFunction function = platform.plug(ADDRESS);
        var bundle = platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
        bundle.stop();
        platform.assertFree(ADDRESS);
        assertThat(function.resets()).isEqualTo(1);
        assertThat(platform.events().recent().reversed().stream()
                .filter(event -> event.kind() == DeviceEvent.Kind.STUCK).findFirst().orElseThrow().sentence())
                .contains("ethernet 1.0.0 did not return from remove of " + ADDRESS)
                .contains("and its class loader stay");
        platform.start(DriverBundle.of("ethernet", "1414:00ba").version("2.0.0"));
        platform.assertBound(ADDRESS, "ethernet 2.0.0");
        release.countDown();
        awaitEndOf("remove ethernet 1.0.0 " + ADDRESS);
    }

    @Test
    void aDeviceTornOutTakesItsChildrenFirst() throws Exception {
        List<String> removals = Collections.synchronizedList(new ArrayList<>());
        platform.script(new Quiet() {
            @Override
            public void remove(String driver, String device, Removal why) {
                removals.add(driver + " from " + device + " " + why);
            }
        });
        TestFunction function = platform.plug(ADDRESS);
        platform.start(DriverBundle.of("ethernet", "1414:00ba").offers("mana.eth", "mana.rdma"));
        platform.start(DriverBundle.of("rdma", "mana.rdma").busy());
        platform.assertBound("mana.rdma.0", "rdma 1.0.0");
        function.unplug();
        assertThat(removals).containsExactly("rdma 1.0.0 from mana.rdma.0 DEVICE_GONE",
                "ethernet 1.0.0 from " + ADDRESS + " DEVICE_GONE");
        assertThat(platform.settle().core().devices()).isEmpty();
    }

    @Test
    void onlyDependentsRestart() throws Exception {
        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        platform.plug(ADDRESS);
        platform.plug(new TestFunction(OTHER, 0x1414, 0x00bb));
        var swapped = platform.start(DriverBundle.of("ethernet", "1414:00ba").offers("mana.rdma"));
        platform.start(DriverBundle.of("rdma", "mana.rdma"));
        platform.start(DriverBundle.of("bystander", "1414:00bb").offers("mana.eth"));
        platform.start(DriverBundle.of("neighbour", "mana.eth"));
        platform.assertBound("mana.eth.0", "neighbour 1.0.0");
        platform.settle();
        platform.script(new Quiet() {
            @Override
            public void probe(String driver, Probe probe) {
                calls.add("probe " + driver);
            }
        });
        // the drivers at work ask for the script when they probe, so only those that restart are heard
        swapped.update(DriverBundle.of("ethernet", "1414:00ba").offers("mana.rdma").version("1.1.0").jar());
        platform.assertBound("mana.rdma.0", "rdma 1.0.0");
        assertThat(calls).containsExactly("probe ethernet 1.1.0", "probe rdma 1.0.0");
    }

    @Test
    void aDeferredProbeIsTriedAgainWhenSomethingNewArrives() throws Exception {
        platform.script(new Quiet() {
            @Override
            public void probe(String driver, Probe probe) {
                if (probe.device().id().equals(ADDRESS) && platform.find(OTHER).isEmpty()) {
                    throw probe.defer(OTHER, "needs its sister " + OTHER);
                }
            }
        });
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.plug(ADDRESS);
        assertThat(platform.device(ADDRESS).state()).isEqualTo(DeviceState.DEFERRED);
        assertThat(platform.device(ADDRESS).reason().orElseThrow()).endsWith("needs its sister " + OTHER);
        platform.plug(OTHER);
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
    }

    @Test
    void devicesThatWaitForEachOtherAreNamed() throws Exception {
        platform.script(new Quiet() {
            @Override
            public void probe(String driver, Probe probe) {
                String sister = probe.device().id().equals(ADDRESS) ? OTHER : ADDRESS;
                throw probe.defer(sister, "needs " + sister);
            }
        });
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.plug(ADDRESS);
        platform.plug(OTHER);
        assertThat(platform.device(ADDRESS).reason().orElseThrow())
                .endsWith("they wait for each other: " + ADDRESS + " → " + OTHER + " → " + ADDRESS);
    }

    private static void awaitWhateverHappens(CountDownLatch release) {
        boolean interrupted = false;
        while (release.getCount() > 0) {
            try {
                release.await();
            } catch (InterruptedException deaf) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitEndOf(String threadName) throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals(threadName)) {
                thread.join(Duration.ofSeconds(60));
                assertThat(thread.isAlive()).as(threadName).isFalse();
            }
        }
    }
}
