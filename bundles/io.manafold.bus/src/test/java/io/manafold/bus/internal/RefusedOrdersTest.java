package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An order that is refused changes nothing, in memory and on disk, whatever else is ordered meanwhile. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RefusedOrdersTest {
    private static final String ONE = "7870:00:00.0";
    private static final String OTHER = "7871:00:00.0";
    private static final int NIC = 0x00ba;
    private static final DriverChoice SLOW = new DriverChoice("slow", null);

    @TempDir
    Path folder;

    private final CountDownLatch probed = new CountDownLatch(1);
    private final CountDownLatch decided = new CountDownLatch(1);
    private FakeCore core;
    private FakeCore.Departure one;

    @BeforeEach
    void start() throws Exception {
        core = new FakeCore(folder);
        one = core.plug(ONE, NIC);
        core.plug(OTHER, NIC);
        core.load("ethernet", NIC, _ -> _ -> { });
        core.await(ONE, device -> device.state() == DeviceState.BOUND);
        core.await(OTHER, device -> device.state() == DeviceState.BOUND);
        core.load("slow", NIC, probe -> {
            if (probe.device().id().equals(ONE)) {
                probed.countDown();
                decided.await();
            }
            throw new Refusal(Errno.ENODEV, "not this one");
        });
        core.settle();
    }

    @AfterEach
    void end() {
        decided.countDown();
        core.close();
    }

    private String kept() throws IOException {
        return Files.readString(folder.resolve("devices"));
    }

    private interface Order {
        void give() throws InterruptedException;
    }

    /** Asks for what the slow driver is to decide, and waits until that is asked. */
    private CompletableFuture<Void> slowly(Order order) throws InterruptedException {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                order.give();
                answer.complete(null);
            } catch (InterruptedException | RuntimeException refused) {
                answer.completeExceptionally(refused);
            }
        });
        assertThat(probed.await(10, TimeUnit.SECONDS)).isTrue();
        return answer;
    }

    private static void assertRefused(CompletableFuture<Void> answer, Errno errno) {
        assertThatThrownBy(() -> answer.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class).cause()
                .isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.errno()).isEqualTo(errno));
    }

    private void assertStaysUnbound() throws Exception {
        assertThat(core.await(ONE, device -> device.driver().isEmpty()).unboundByHand()).isTrue();
        assertThat(kept()).isEqualTo(ONE + " unbound\n" + OTHER + " unbound\n");
        core.close();
        assertThat(kept()).isEqualTo(ONE + " unbound\n" + OTHER + " unbound\n");
    }

    @Test
    void aDeviceUnboundByHandStaysSoThroughABindThatIsRefused() throws Exception {
        core.bus.unbind(ONE);
        CompletableFuture<Void> answer = slowly(() -> core.bus.bind(ONE, SLOW));
        core.bus.unbind(OTHER);
        decided.countDown();
        assertRefused(answer, Errno.EIO);
        assertStaysUnbound();
    }

    @Test
    void anOverrideStaysThroughAnotherThatIsRefused() throws Exception {
        core.bus.override(ONE, new DriverChoice("ethernet", null));
        CompletableFuture<Void> answer = slowly(() -> core.bus.override(ONE, SLOW));
        core.bus.unbind(OTHER);
        decided.countDown();
        assertRefused(answer, Errno.EIO);
        assertThat(kept()).isEqualTo(ONE + " override ethernet\n" + OTHER + " unbound\n");
        core.close();
        assertThat(kept()).isEqualTo(ONE + " override ethernet\n" + OTHER + " unbound\n");
    }

    @Test
    void whatWasSetComesBackWhenTheDeviceLeavesMeanwhile() throws Exception {
        core.bus.unbind(ONE);
        CompletableFuture<Void> answer = slowly(() -> core.bus.bind(ONE, SLOW));
        core.bus.unbind(OTHER);
        CompletableFuture<Void> gone = one.begin();
        decided.countDown();
        gone.get(10, TimeUnit.SECONDS);
        assertRefused(answer, Errno.ENODEV);
        core.plug(ONE, NIC);
        core.settle();
        assertStaysUnbound();
    }

    @Test
    void anOrderThatIsUnderWayAtTheEndLeavesWhatWasSetBefore() throws Exception {
        core.bus.unbind(ONE);
        slowly(() -> core.bus.bind(ONE, SLOW));
        core.bus.unbind(OTHER);
        assertThat(kept()).isEqualTo(OTHER + " unbound\n");
        decided.countDown();
        core.close();
        assertThat(kept()).isEqualTo(ONE + " unbound\n" + OTHER + " unbound\n");
    }

    /** As a driver that lends functions expects that it gets one that it has lent. */
    @Test
    void whatIsExpectedOutlivesAnOrderThatIsRefusedAtOnce() throws Exception {
        core.load("lender", 0x00bb, _ -> _ -> { });
        core.bus.expect(ONE, new DriverChoice("lender", null));
        core.await(ONE, device -> device.driver().filter(driver -> driver.name().equals("lender")).isPresent());
        DriverChoice nosuch = new DriverChoice("nosuch", null);
        assertThatThrownBy(() -> core.bus.bind(ONE, nosuch)).isInstanceOf(Refusal.class)
                .hasMessageContaining("there is no driver nosuch here");
        assertThatThrownBy(() -> core.bus.override(ONE, nosuch)).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> core.bus.overrideForNow(ONE, nosuch)).isInstanceOf(Refusal.class);
        core.settle();
        assertThat(core.await(ONE, device -> device.state() == DeviceState.BOUND).driver())
                .hasValueSatisfying(driver -> assertThat(driver.name()).isEqualTo("lender"));
        core.bus.expect(ONE, null);
        core.await(ONE, device -> device.driver().filter(driver -> driver.name().equals("ethernet")).isPresent());
    }

    @Test
    void anOrderThatIsRefusedAtOnceWritesNothing() {
        assertThatThrownBy(() -> core.bus.bind("7872:00:00.0", null)).isInstanceOf(Refusal.class);
        assertThat(folder.resolve("devices")).doesNotExist();
        core.close();
        assertThat(folder.resolve("devices")).doesNotExist();
    }
}
