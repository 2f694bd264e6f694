package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** An adapter that is removed while its function is being taken off the bus, or put back, is gone for good. */
@Timeout(120)
class FunctionRegistrationTest {
    private final Bench bench = new Bench("ending");
    private final FunctionRegistration registration = new FunctionRegistration(context(), bench.function, null);
    private volatile boolean present;
    /** What the bus waits for before a function comes, or goes. */
    private volatile CountDownLatch coming = new CountDownLatch(0);
    private volatile CountDownLatch going = new CountDownLatch(0);
    private final CountDownLatch reached = new CountDownLatch(1);

    @AfterEach
    void close() {
        bench.close();
    }

    private BundleContext context() {
        ServiceRegistration<?> registered = (ServiceRegistration<?>) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {ServiceRegistration.class}, (_, _, _) -> {
                    if (!present) {
                        throw new IllegalStateException("unregistered already");
                    }
                    present = false;
                    await(going);
                    return null;
                });
        return (BundleContext) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {BundleContext.class}, (_, _, _) -> {
                    await(coming);
                    present = true;
                    return registered;
                });
    }

    private void await(CountDownLatch latch) throws InterruptedException {
        if (latch.getCount() > 0) {
            reached.countDown();
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whatEndsWhileItsDriverLeavesIsNotRevokedButGone() throws Exception {
        registration.begin();
        going = new CountDownLatch(1);
        CompletableFuture<Void> revoking = CompletableFuture.runAsync(registration::revoke);
        reached.await();
        registration.end();
        bench.function.close();
        going.countDown();
        revoking.get(60, TimeUnit.SECONDS);
        assertThat(registration.isRevoked()).isFalse();
        assertThatThrownBy(() -> registration.restore(1)).isInstanceOf(Refusal.class);
        assertThat(present).isFalse();
    }

    @Test
    void whatEndsWhileItIsResetDoesNotComeBack() throws Exception {
        registration.begin();
        registration.revoke();
        CountDownLatch busy = new CountDownLatch(1);
        bench.function.control().execute(() -> {
            try {
                await(busy);
            } catch (InterruptedException ended) {
                throw new AssertionError(ended);
            }
        });
        reached.await();
        CompletableFuture<Void> restoring = CompletableFuture.runAsync(() -> assertIsNotRestored(7));
        while (registration.serial() != 7) {
            Thread.onSpinWait();
        }
        registration.end();
        busy.countDown();
        restoring.get(60, TimeUnit.SECONDS);
        assertThat(present).isFalse();
        assertThat(bench.function.isGone()).isTrue();
    }

    @Test
    void whatEndsWhileItIsRegisteredIsTakenOffAgain() throws Exception {
        registration.begin();
        registration.revoke();
        coming = new CountDownLatch(1);
        CompletableFuture<Void> restoring = CompletableFuture.runAsync(() -> assertIsNotRestored(1));
        reached.await();
        registration.end();
        coming.countDown();
        restoring.get(60, TimeUnit.SECONDS);
        assertThat(present).isFalse();
        assertThat(bench.function.isGone()).isTrue();
    }

    private void assertIsNotRestored(int serial) {
        assertThatThrownBy(() -> registration.restore(serial)).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).isEqualTo(Errno.ENODEV));
    }

    @Test
    void whatIsRevokedAndRestoredIsThere() {
        registration.begin();
        registration.revoke();
        assertThat(registration.isRevoked()).isTrue();
        registration.restore(2);
        assertThat(present).isTrue();
        assertThat(bench.function.isGone()).isFalse();
        registration.end();
        assertThat(present).isFalse();
    }
}
