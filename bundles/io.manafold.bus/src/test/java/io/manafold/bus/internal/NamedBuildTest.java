package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A version without a qualifier, and a name without a version, mean the newest build, and no other is taken for it. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class NamedBuildTest {
    private static final String DEVICE = "7870:00:00.0";
    private static final int NIC = 0x00ba;
    private static final String OLD = "1.0.0.202601010000";
    private static final String NEW = "1.0.0.202602020000";
    private static final DriverChoice VERSION = new DriverChoice("ethernet", "1.0.0");

    @TempDir
    Path folder;

    private volatile boolean refuses;
    private volatile boolean otherRefuses;
    private FakeCore core;

    @BeforeEach
    void start() throws Exception {
        core = new FakeCore(folder);
        core.plug(DEVICE, NIC);
        core.load("other", "7.0.0", NIC, _ -> _ -> { });
        awaitDriver("other 7.0.0");
        loadBuilds();
    }

    private void loadBuilds() throws InterruptedException {
        core.load("ethernet", OLD, NIC, _ -> _ -> { });
        core.load("ethernet", NEW, NIC, _ -> {
            if (refuses) {
                throw new Refusal(Errno.ENODEV, "not this one");
            }
            return _ -> { };
        });
        core.settle();
    }

    @AfterEach
    void end() {
        core.close();
    }

    private void awaitDriver(String driver) throws InterruptedException {
        core.await(DEVICE, device -> device.state() == DeviceState.BOUND
                && device.driver().map(DriverChoice::toString).filter(driver::equals).isPresent());
    }

    private String driver() {
        return core.bus.devices().iterator().next().driver().map(DriverChoice::toString).orElse("none");
    }

    @Test
    void aDeviceOfAnOlderBuildGoesToTheNewestOfTheVersion() throws Exception {
        core.bus.bind(DEVICE, new DriverChoice("ethernet", OLD));
        assertThat(driver()).isEqualTo("ethernet " + OLD);
        core.bus.bind(DEVICE, VERSION);
        assertThat(driver()).isEqualTo("ethernet " + NEW);
        assertThatThrownBy(() -> core.bus.bind(DEVICE, VERSION)).isInstanceOf(Refusal.class)
                .hasMessageContaining("bound already, to ethernet " + NEW);
    }

    @Test
    void aNameAloneIsTheNewestVersion() throws Exception {
        core.bus.bind(DEVICE, new DriverChoice("ethernet", OLD));
        core.bus.bind(DEVICE, new DriverChoice("ethernet", null));
        assertThat(driver()).isEqualTo("ethernet " + NEW);
    }

    @Test
    void anOlderBuildIsNotTakenForTheNewestThatRefuses() {
        refuses = true;
        assertThatThrownBy(() -> core.bus.bind(DEVICE, VERSION))
                .isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EIO))
                .hasMessageContaining("could not be bound to ethernet 1.0.0: ethernet " + NEW + " refused it")
                .hasMessageContaining("not this one").hasMessageContaining("it is back with other 7.0.0");
        assertThat(driver()).isEqualTo("other 7.0.0");
    }

    @Test
    void aBuildAskedForBeforeComesBack() throws Exception {
        core.bus.bind(DEVICE, new DriverChoice("ethernet", OLD));
        refuses = true;
        assertThatThrownBy(() -> core.bus.bind(DEVICE, VERSION)).isInstanceOf(Refusal.class)
                .hasMessageContaining(NEW + " refused it").hasMessageContaining("it is back with ethernet " + OLD);
        refuses = false;
        core.settle();
        assertThat(driver()).isEqualTo("ethernet " + OLD);
    }

    /** Without the order nothing would have made the device another driver's: the one at work stays. */
    @Test
    void aDriverOfALowerVersionThatWasAtWorkComesBack() throws Exception {
        core.close();
        core = new FakeCore(folder);
        core.plug(DEVICE, NIC);
        core.load("other", "0.5.0", NIC, _ -> {
            if (otherRefuses) {
                throw new Refusal(Errno.ENODEV, "not again");
            }
            return _ -> { };
        });
        awaitDriver("other 0.5.0");
        loadBuilds();
        refuses = true;
        assertThatThrownBy(() -> core.bus.bind(DEVICE, VERSION)).isInstanceOf(Refusal.class)
                .hasMessageContaining(NEW + " refused it").hasMessageContaining("it is back with other 0.5.0");
        assertThat(driver()).isEqualTo("other 0.5.0");

        otherRefuses = true;
        assertThatThrownBy(() -> core.bus.bind(DEVICE, VERSION)).isInstanceOf(Refusal.class)
                .hasMessageContaining(NEW + " refused it").hasMessageContaining("it has ethernet " + OLD + " now");
    }

    /** A driver that refused before an order need not be asked again when that order is taken back. */
    @Test
    void whatWasRefusedBeforeAnOrderIsStillRefused() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        core.load("other", "7.1.0", NIC, _ -> {
            asked.incrementAndGet();
            throw new Refusal(Errno.ENODEV, "never");
        });
        core.settle();
        awaitDriver("other 7.0.0");
        assertThat(asked.get()).isEqualTo(1);
        refuses = true;
        assertThatThrownBy(() -> core.bus.bind(DEVICE, VERSION)).isInstanceOf(Refusal.class)
                .hasMessageContaining("it is back with other 7.0.0");
        core.settle();
        assertThat(asked.get()).isEqualTo(1);
    }

    @Test
    void anOlderBuildIsNotTakenForTheNewestThatLeavesMeanwhile() throws Exception {
        CountDownLatch probed = new CountDownLatch(1);
        CountDownLatch going = new CountDownLatch(1);
        String latest = "1.0.0.202603030000";
        FakeCore.Departure departure = core.load("ethernet", latest, NIC, _ -> {
            probed.countDown();
            going.await();
            throw new Refusal(Errno.ENODEV, "on its way out");
        });
        core.settle();
        CompletableFuture<Void> answer = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                core.bus.bind(DEVICE, VERSION);
                answer.complete(null);
            } catch (InterruptedException | RuntimeException refused) {
                answer.completeExceptionally(refused);
            }
        });
        assertThat(probed.await(60, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> gone = departure.begin();
        going.countDown();
        gone.get(60, TimeUnit.SECONDS);
        assertThatThrownBy(() -> answer.get(60, TimeUnit.SECONDS)).cause().isInstanceOf(Refusal.class)
                .hasMessageContaining("ethernet " + latest + " left meanwhile")
                .hasMessageContaining("it is back with other 7.0.0");
        assertThat(driver()).isEqualTo("other 7.0.0");
    }

    @Test
    void anOlderBuildIsNotTakenForTheNewestThatDoesNotListTheDevice() throws Exception {
        String latest = "1.0.0.202603030000";
        core.load("ethernet", latest, NIC + 1, _ -> _ -> { });
        core.settle();
        assertThatThrownBy(() -> core.bus.bind(DEVICE, VERSION))
                .isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining("the id table of ethernet " + latest + " does not list " + DEVICE)
                .hasMessageContaining("'override " + DEVICE + " ethernet 1.0.0'")
                .hasMessageContaining("'bind " + DEVICE + " ethernet " + NEW + "'");
        assertThat(driver()).isEqualTo("other 7.0.0");
        core.bus.override(DEVICE, VERSION);
        assertThat(driver()).isEqualTo("ethernet " + latest);
    }

    @Test
    void anOverrideThatTheNewestBuildRefusesPutsBackWhatWasThere() throws Exception {
        core.bus.override(DEVICE, new DriverChoice("other", null));
        refuses = true;
        assertThatThrownBy(() -> core.bus.override(DEVICE, VERSION)).isInstanceOf(Refusal.class)
                .hasMessageContaining(NEW + " refused it").hasMessageContaining("it is back with other 7.0.0");
        assertThat(core.bus.devices().iterator().next().override()).contains(new DriverChoice("other", null));
    }

    @Test
    void aBuildThatComesLaterTakesOver() throws Exception {
        core.bus.bind(DEVICE, VERSION);
        core.load("ethernet", "1.0.0.202603030000", NIC, _ -> _ -> { });
        awaitDriver("ethernet 1.0.0.202603030000");
    }
}
