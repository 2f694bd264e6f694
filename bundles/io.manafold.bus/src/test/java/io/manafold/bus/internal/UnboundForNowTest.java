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

/** Devices that a lab wants free, which is no setting of an administrator. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class UnboundForNowTest {
    private static final String ONE = "7870:00:00.0";
    private static final int NIC = 0x00ba;

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
    }

    @AfterEach
    void end() {
        core.close();
    }

    private String kept() throws IOException {
        Path file = folder.resolve("devices");
        return Files.exists(file) ? Files.readString(file) : "";
    }

    @Test
    void theDeviceStaysFreeAndTheNextStartKnowsNothingOfIt() throws Exception {
        core.bus.unbindForNow(ONE);
        assertThat(core.await(ONE, device -> device.driver().isEmpty()).unboundByHand()).isTrue();
        one.begin().get(10, TimeUnit.SECONDS);
        core.plug(ONE, NIC);
        core.settle();
        assertThat(core.await(ONE, device -> true).driver()).as("when it comes again").isEmpty();
        core.bus.override(ONE, null);
        assertThat(core.await(ONE, device -> true).driver()).isEmpty();
        core.close();
        assertThat(kept()).isEmpty();
    }

    @Test
    void whatAnAdministratorUnboundStaysUnbound() throws Exception {
        core.bus.unbind(ONE);
        core.bus.unbindForNow(ONE);
        assertThat(kept()).isEqualTo(ONE + " unbound\n");
        core.bus.bind(ONE, new DriverChoice("ethernet", null));
        core.bus.unbindForNow(ONE);
        assertThat(kept()).isEmpty();
        core.bus.unbind(ONE);
        assertThat(kept()).isEqualTo(ONE + " unbound\n");
    }
}
