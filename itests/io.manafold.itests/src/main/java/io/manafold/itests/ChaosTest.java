package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.Probe;
import io.manafold.api.device.Removal;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.DriverBundle;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.bundles.TestFunction;
import io.manafold.itests.script.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;

/**
 * Two administrators with no plan. Whatever they do, each device has one driver at a time and ends where it belongs.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ChaosTest {
    private static final List<String> ADDRESSES = List.of("7870:00:00.0", "7871:00:00.0");
    private static final int STEPS = Integer.getInteger("manafold.swaps", 100) / 2;

    @RegisterExtension
    final Platform platform = new Platform();

    private final Map<String, String> atWork = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

    /** Refuses now and then, and keeps books on who drives what. */
    private final Script books = new Script() {
        @Override
        public void probe(String driver, Probe probe) {
            String device = probe.device().id();
            if (driver.equals("ethernet 1.2.0")) {
                throw new Refusal(Errno.EIO, "this version never works");
            }
            String before = atWork.put(device, driver);
            if (before != null) {
                wrong.add(driver + " was probed on " + device + " while " + before + " drove it");
            }
        }

        @Override
        public void remove(String driver, String device, Removal why) {
            if (!atWork.remove(device, driver)) {
                wrong.add(driver + " was removed from " + device + ", which it did not drive");
            }
        }

        @Override
        public void broken(String what) {
            wrong.add(what);
        }
    };

    @RepeatedTest(4)
    void nothingTheyDoBreaksTheRules(RepetitionInfo repetition) throws Exception {
        platform.script(books);
        List<TestFunction> functions = ADDRESSES.stream().map(TestFunction::new).map(platform::plug).toList();
        // two devices cannot both offer mana.rdma.0, so the second waits for the id: that is part of the chaos
        List<Bundle> bundles = new ArrayList<>();
        for (String version : List.of("1.0.0", "1.1.0", "1.2.0")) {
            bundles.add(platform.start(DriverBundle.of("ethernet", "1414:00ba").version(version).offers("mana.rdma")));
        }
        bundles.add(platform.start(DriverBundle.of("rdma", "mana.rdma").busy()));
        List<Thread> administrators = new ArrayList<>();
        for (int who = 0; who < 2; who++) {
            // each has functions and bundles of its own, or they would trip over the framework's own rules
            List<TestFunction> own = List.of(functions.get(who));
            List<Bundle> ownBundles = List.of(bundles.get(2 * who), bundles.get(2 * who + 1));
            Random random = new Random(repetition.getCurrentRepetition() * 31L + who);
            administrators.add(Thread.ofPlatform().name("administrator " + who)
                    .start(() -> play(own, ownBundles, random)));
        }
        for (Thread administrator : administrators) {
            administrator.join();
        }
        assertThat(wrong).as(this::story).isEmpty();
        for (TestFunction function : functions) {
            if (!function.plugged()) {
                function.plug();
            }
        }
        for (Bundle bundle : bundles) {
            bundle.start();
        }
        platform.settle();
        for (String address : ADDRESSES) {
            DeviceStatus status = platform.device(address);
            if (!status.unboundByHand() && status.override().isEmpty()) {
                assertThat(status.driver().map(DriverChoice::name)).as("%s", status).contains("ethernet");
            }
        }
        assertThat(wrong).as(this::story).isEmpty();
    }

    private String story() {
        return platform.events().recent().stream().map(event -> event.sequence() + " " + event.sentence())
                .collect(Collectors.joining("\n"));
    }

    private void play(List<TestFunction> functions, List<Bundle> bundles, Random random) {
        for (int step = 0; step < STEPS; step++) {
            TestFunction function = functions.get(random.nextInt(functions.size()));
            Bundle bundle = bundles.get(random.nextInt(bundles.size()));
            try {
                switch (random.nextInt(7)) {
                    case 0 -> toggle(function);
                    case 1, 2 -> toggle(bundle);
                    case 3 -> platform.core().unbind(function.id());
                    case 4 -> platform.core().bind(function.id(), null);
                    case 5 -> platform.core().override(function.id(), new DriverChoice("ethernet",
                            "1." + random.nextInt(3) + ".0"));
                    default -> platform.core().override(function.id(), null);
                }
            } catch (Refusal refusal) {
                assertThat(refusal.getMessage()).isNotBlank();
            } catch (InterruptedException | BundleException | RuntimeException unexpected) {
                wrong.add("step " + step + ": " + unexpected);
                return;
            }
        }
    }

    private static void toggle(TestFunction function) {
        if (function.plugged()) {
            function.unplug();
        } else {
            function.plug();
        }
    }

    private static void toggle(Bundle bundle) throws BundleException {
        if (bundle.getState() == Bundle.ACTIVE) {
            bundle.stop();
        } else {
            bundle.start();
        }
    }
}
