package io.manafold.netshaper.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.netshaper.internal.tree.ShapedDevice;
import io.manafold.testkit.MemorySettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device may go before what was kept for it has been told to its driver. */
@Timeout(60)
class LeavingDeviceTest {
    @Test
    void aCommandThatWaitsForTheBeginningIsToldThatTheDeviceHasGone() {
        ShapedDevice device = new ShapedDevice(new FakeOps("eth0", 2, 1), new MemorySettings(), Runnable::run,
                _ -> { });
        CompletableFuture<Object> told = new CompletableFuture<>();
        Thread command = Thread.ofPlatform().start(
                () -> told.completeAsync(() -> device.locked(_ -> null), Runnable::run));
        while (command.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        device.leave();
        CompletionException wrong = catchThrowableOfType(CompletionException.class, told::join);
        assertThat(wrong.getCause()).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(Errno.ENODEV));
    }
}
