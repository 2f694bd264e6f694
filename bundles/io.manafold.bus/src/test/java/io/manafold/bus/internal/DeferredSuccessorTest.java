package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DriverChoice;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A driver that takes the place of another, and asks for patience. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DeferredSuccessorTest {
    private static final String ONE = "7870:00:00.0";
    private static final String OTHER = "7871:00:00.0";
    private static final int NIC = 0x00ba;
    private static final int NEEDED = 0x00bb;

    @TempDir
    Path folder;

    private FakeCore core;
    private FakeCore.Departure first;
    private volatile boolean ready;

    @BeforeEach
    void start() throws Exception {
        core = new FakeCore(folder);
        core.plug(ONE, NIC);
        first = core.load("first", NIC, _ -> _ -> { });
        core.await(ONE, device -> device.state() == DeviceState.BOUND);
    }

    @AfterEach
    void end() {
        core.close();
    }

    private void loadPatient() {
        core.load("patient", NIC, probe -> {
            if (!ready) {
                throw probe.defer(OTHER, "the other is not there yet");
            }
            return _ -> { };
        });
    }

    @Test
    void whoFollowsOneThatHasGoneMayWait() throws Exception {
        first.inTime();
        loadPatient();
        core.await(ONE, device -> device.state() == DeviceState.DEFERRED);
        ready = true;
        core.plug(OTHER, NEEDED);
        assertThat(core.await(ONE, device -> device.state() == DeviceState.BOUND).driver()).get()
                .extracting(DriverChoice::name).isEqualTo("patient");
    }

    /** What the driver has looked for came after that, and before the core heard that the driver waits. */
    @Test
    void whatComesWhileADriverLooksIsNotWaitedForAgain() throws Exception {
        first.inTime();
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch come = new CountDownLatch(1);
        core.load("patient", NIC, probe -> {
            if (!ready) {
                looked.countDown();
                come.await();
                throw probe.defer(OTHER, "the other is not there yet");
            }
            return _ -> { };
        });
        assertThat(looked.await(1, TimeUnit.MINUTES)).isTrue();
        core.load("needed", NEEDED, _ -> _ -> { });
        core.plug(OTHER, NEEDED);
        core.await(OTHER, device -> device.state() == DeviceState.BOUND);
        ready = true;
        come.countDown();
        assertThat(core.await(ONE, device -> device.state() == DeviceState.BOUND).driver()).get()
                .extracting(DriverChoice::name).isEqualTo("patient");
    }

    @Test
    void whoFollowsOneThatIsStillThereGivesWayToIt() throws Exception {
        loadPatient();
        core.settle();
        try {
            core.bus.bind(ONE, new DriverChoice("patient", null));
        } catch (RuntimeException refused) {
            // so it is told
        }
        assertThat(core.await(ONE, device -> device.state() == DeviceState.BOUND).driver()).get()
                .extracting(DriverChoice::name).isEqualTo("first");
    }
}
