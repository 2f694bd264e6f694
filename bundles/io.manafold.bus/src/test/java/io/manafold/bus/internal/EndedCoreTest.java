package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A driver core that has ended: orders by a caller that has kept its service, and a driver that is leaving. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class EndedCoreTest {
    private static final String ONE = "7870:00:00.0";
    private static final int NIC = 0x00ba;

    @TempDir
    Path folder;

    @Test
    void theyAreRefusedAndWaitForNothing() throws Exception {
        FakeCore core = new FakeCore(folder);
        core.plug(ONE, NIC);
        core.load("first", NIC, _ -> _ -> { });
        core.await(ONE, device -> device.state() == DeviceState.BOUND);
        core.close();
        DriverChoice driver = new DriverChoice("first", null);
        for (ThrowingCallable order : List.<ThrowingCallable>of(() -> core.bus.bind(ONE, driver),
                () -> core.bus.unbind(ONE), () -> core.bus.override(ONE, null), () -> core.bus.suspend(ONE),
                () -> core.bus.resume(ONE))) {
            assertThatThrownBy(order).isInstanceOfSatisfying(Refusal.class,
                    refused -> assertThat(refused.errno()).isEqualTo(Errno.ENODEV));
        }
    }

    /** The driver is still being removed when the core ends, and when it was unregistered. */
    @Test
    void aDriverThatLeavesWhileTheCoreEndsWaitsForNothingAnyMore() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        FakeCore core = new FakeCore(folder);
        core.plug(ONE, NIC);
        FakeCore.Departure driver = core.load("first", NIC, _ -> _ -> release.await());
        core.await(ONE, device -> device.state() == DeviceState.BOUND);
        CompletableFuture<Void> gone = driver.begin();
        core.closeHurriedly();
        gone.get(5, TimeUnit.SECONDS);
        release.countDown();
    }
}
