package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DeviceState;
import io.manafold.api.device.PciId;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a bundle throws and what it says of its device is its own code: the thread that thinks runs none of it. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DriversThatThrowTest {
    private static final String FIRST = "7870:00:00.0";
    private static final String SECOND = "7871:00:00.0";
    private static final int NIC = 0x00ba;
    private static final int DISK = 0x00a9;

    @TempDir
    Path folder;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private FakeCore core;

    @BeforeEach
    void start() {
        core = new FakeCore(folder);
    }

    @AfterEach
    void end() {
        over.countDown();
        core.close();
    }

    /** Says nothing before the end of the test. */
    private final class Silent extends Exception {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            asked.countDown();
            try {
                over.await();
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
            return "at last";
        }
    }

    /** Throws whatever it is asked. */
    private static final class Wild extends Exception {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("no trace");
        }

        @Override
        public Throwable getCause() {
            throw new IllegalStateException("no cause");
        }
    }

    @Test
    void anExceptionThatKeepsItsMessageBackHoldsUpItsOwnDeviceOnly() throws Exception {
        core.load("ethernet", NIC, _ -> {
            throw new Silent();
        });
        core.load("disk", DISK, _ -> _ -> { });
        core.plug(FIRST, NIC);
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        core.plug(SECOND, DISK);
        core.await(SECOND, device -> device.state() == DeviceState.BOUND);
    }

    @Test
    void anExceptionThatThrowsItselfIsAReason() throws Exception {
        FakeCore.Departure driver = core.load("ethernet", NIC, _ -> {
            throw new Wild();
        });
        core.plug(FIRST, NIC);
        core.settle();
        assertThat(core.await(FIRST, device -> device.state() == DeviceState.FAILED).reason().orElseThrow())
                .contains("refused it: " + Wild.class.getName());
        driver.inTime();
        core.await(FIRST, device -> device.state() == DeviceState.FREE);
    }

    @Test
    void aRemovalThatThrowsSoIsOneAllTheSame() throws Exception {
        FakeCore.Departure driver = core.load("ethernet", NIC, _ -> _ -> {
            throw new Wild();
        });
        core.plug(FIRST, NIC);
        core.await(FIRST, device -> device.state() == DeviceState.BOUND);
        driver.inTime();
        core.await(FIRST, device -> device.state() == DeviceState.FREE);
    }

    @Test
    void aDeviceThatCannotSayWhatItIsIsLeftOutAndHoldsNoDriver() throws Exception {
        core.plug("0", () -> {
            throw new IllegalStateException("I know not");
        });
        core.plug(SECOND, DISK);
        core.settle();
        FakeCore.Departure driver = core.load("disk", DISK, _ -> _ -> { });
        core.await(SECOND, device -> device.state() == DeviceState.BOUND);
        driver.inTime();
        core.await(SECOND, device -> device.state() == DeviceState.FREE);
        assertThat(core.events.recent()).extracting(DeviceEvent::sentence)
                .anyMatch(sentence -> sentence.endsWith("is left out: IllegalStateException: I know not"));
    }

    @Test
    void aDeviceThatKnowsWhatItIsNoLongerIsStillTheSame() throws Exception {
        CountDownLatch met = new CountDownLatch(1);
        core.plug("0", () -> {
            if (met.getCount() == 0) {
                throw new IllegalStateException("I know not any more");
            }
            met.countDown();
            return new PciId(0x1414, DISK, 0, 0, 0x020000, 0);
        });
        core.plug(SECOND, DISK);
        core.settle();
        FakeCore.Departure driver = core.load("disk", DISK, _ -> _ -> { });
        core.await("0", device -> device.state() == DeviceState.BOUND);
        core.await(SECOND, device -> device.state() == DeviceState.BOUND);
        driver.inTime();
    }
}
