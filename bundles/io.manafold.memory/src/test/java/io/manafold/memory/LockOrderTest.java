package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.testkit.base.Allocation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class LockOrderTest {
    private final List<String> told = new ArrayList<>();
    private final LockOrder order = new LockOrder(told::add);
    private final CheckedLock port = new CheckedLock("port", order);
    private final CheckedLock host = new CheckedLock("host", order);

    private static void nested(ReentrantLock first, ReentrantLock second) {
        first.lock();
        try {
            second.lock();
            second.unlock();
        } finally {
            first.unlock();
        }
    }

    private static void on(String thread, Runnable code) throws InterruptedException {
        Thread started = Thread.ofPlatform().name(thread).start(code);
        started.join();
    }

    @Test
    void twoLocksTakenInBothOrdersAreNamedOnce() throws InterruptedException {
        on("configures", () -> nested(port, host));
        assertThat(order.inversions()).isEmpty();
        on("detaches", LockOrderTest.this::hostFirst);
        on("detaches again", LockOrderTest.this::hostFirst);
        on("configures again", () -> nested(port, host));
        assertThat(order.inversions()).singleElement().asString()
                .contains("'port' before 'host' by the thread configures").contains("LockOrderTest.nested(")
                .contains("'host' before 'port' by the thread detaches").contains("LockOrderTest.hostFirst(")
                .endsWith("Take them in one order, or give the first back before the second is taken.");
        assertThat(told).isEqualTo(order.inversions());
    }

    private void hostFirst() {
        nested(host, port);
    }

    @Test
    void allLocksOfANameHaveOneOrder() {
        nested(port, host);
        nested(new CheckedLock("host", order), new CheckedLock("port", order));
        assertThat(order.inversions()).hasSize(1);
    }

    @Test
    void twoOfOneNameAreTwo() {
        CheckedLock other = new CheckedLock("port", order);
        CheckedLock third = new CheckedLock("port", order);
        nested(port, other);
        nested(other, third);
        assertThat(order.inversions()).isEmpty();
        nested(other, port);
        assertThat(order.inversions()).hasSize(1);
    }

    @Test
    void locksThatComeAndGoDoNotEndTheCheck() {
        for (int i = 0; i < 10_000; i++) {
            nested(new CheckedLock("queue", order), new CheckedLock("queue", order));
        }
        CheckedLock other = new CheckedLock("queue", order);
        CheckedLock third = new CheckedLock("queue", order);
        nested(other, third);
        nested(third, other);
        nested(port, host);
        nested(host, port);
        assertThat(order.inversions()).hasSize(2);
    }

    @Test
    void whatDoesNotWaitOrIsHeldAlreadyIsNoOrder() throws InterruptedException {
        nested(port, host);
        host.lock();
        assertThat(port.tryLock()).isTrue();
        assertThat(port.tryLock(1, TimeUnit.SECONDS)).isTrue();
        port.lock();
        nested(host, host);
        port.unlock();
        port.unlock();
        port.unlock();
        host.unlock();
        assertThat(port.isLocked()).isFalse();
        assertThat(order.inversions()).isEmpty();
        // and nothing is held any more
        nested(port, host);
        host.lock();
        host.unlock();
        port.lock();
        port.unlock();
        assertThat(order.inversions()).isEmpty();
    }

    @Test
    void whatWasTakenWithoutWaitingIsHeld() {
        nested(port, host);
        assertThat(host.tryLock()).isTrue();
        port.lock();
        port.unlock();
        host.unlock();
        assertThat(order.inversions()).hasSize(1);
    }

    @Test
    void conditionsWork() throws InterruptedException {
        Condition changed = port.newCondition();
        port.lock();
        assertThat(changed.await(1, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(port.isHeldByCurrentThread()).isTrue();
        port.unlock();
        assertThat(port.isLocked()).isFalse();
    }

    @Test
    void aKnownOrderAllocatesNothing() throws Exception {
        assertThat(Allocation.leastOf(() -> nested(port, host))).isZero();
    }

    /** A process that takes two locks in both orders and would end well. */
    static final class Inversion {
        static void main() {
            nested(Locks.named("port"), Locks.named("host"));
            nested(Locks.named("host"), Locks.named("port"));
            System.out.println("inversions: " + Locks.inversions().size());
        }
    }

    private static Process inversion(String mode) throws IOException {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), "-Dmanafold.locks=" + mode, Inversion.class.getName())
                .redirectErrorStream(true).start();
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void noProcessOfATestOutlivesAnInversion() throws Exception {
        Process halted = inversion(System.getProperty("manafold.locks"));
        assertThat(output(halted)).contains("Two locks are taken in both orders", "'port' before 'host'",
                "The process ends here").doesNotContain("inversions: ");
        assertThat(halted.waitFor()).isEqualTo(70);
        Process checked = inversion("check");
        assertThat(output(checked)).contains("inversions: 1");
        assertThat(checked.waitFor()).isZero();
    }

    @Test
    void theLocksOfTestsAreChecked() {
        assertThat(Locks.areChecked()).isTrue();
        assertThat(Locks.named("a name")).isInstanceOf(CheckedLock.class);
    }
}
