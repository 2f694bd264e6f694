package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DriverChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Drivers that a lab names for functions, which is no setting of an administrator. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class OverriddenForNowTest {
    private static final String ONE = "7870:00:00.0";
    private static final int NIC = 0x00ba;
    private static final DriverChoice LAB = new DriverChoice("labs", null);
    private static final DriverChoice ADMIN = new DriverChoice("admins", null);

    @TempDir
    Path folder;

    private FakeCore core;
    private FakeCore.Departure one;

    @BeforeEach
    void start() throws Exception {
        core = new FakeCore(folder);
        one = core.plug(ONE, NIC);
        core.load("ethernet", NIC, _ -> _ -> { });
        core.await(ONE, device -> device.state() == DeviceState.BOUND);
        core.load("labs", 0, _ -> _ -> { });
        core.load("admins", 0, _ -> _ -> { });
        core.settle();
    }

    @AfterEach
    void end() {
        core.close();
    }

    private String kept() throws IOException {
        Path file = folder.resolve("devices");
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private void awaitDriver(String name) throws Exception {
        core.await(ONE, device -> device.driver().map(driver -> driver.name().equals(name)).orElse(name.isEmpty()));
    }

    @Test
    void itHoldsAndIsNotKept() throws Exception {
        core.bus.overrideForNow(ONE, LAB);
        awaitDriver("labs");
        assertThat(kept()).isEmpty();
        core.bus.overrideForNow(ONE, null);
        core.settle();
        core.bus.overrideForNow(ONE, LAB);
        one.inTime();
        core.bus.overrideForNow(ONE, null);
        core.plug(ONE, NIC);
        awaitDriver("ethernet");
        assertThat(kept()).isEmpty();
    }

    @Test
    void whatAnAdministratorSetBeforeHoldsAgainAfterwards() throws Exception {
        core.bus.override(ONE, ADMIN);
        core.bus.overrideForNow(ONE, LAB);
        awaitDriver("labs");
        assertThat(kept()).isEqualTo(ONE + " override admins\n");
        core.bus.overrideForNow(ONE, null);
        awaitDriver("admins");
        assertThat(kept()).isEqualTo(ONE + " override admins\n");
    }

    @Test
    void whatAnAdministratorSaysMeanwhileHolds() throws Exception {
        core.bus.overrideForNow(ONE, LAB);
        core.bus.override(ONE, ADMIN);
        awaitDriver("admins");
        core.bus.overrideForNow(ONE, null);
        core.settle();
        awaitDriver("admins");
        core.bus.unbind(ONE);
        core.bus.overrideForNow(ONE, LAB);
        awaitDriver("");
        assertThat(kept()).isEqualTo(ONE + " unbound\n" + ONE + " override admins\n");
        core.bus.bind(ONE, null);
        awaitDriver("labs");
    }
}
