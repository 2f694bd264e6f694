package io.manafold.vfio.internal;

import static io.manafold.vfio.internal.Server.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.Bar;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciId;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Memfd;
import io.manafold.vfio.internal.borrow.BorrowedFunction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A function lent over a socket and borrowed at its other end is as it was. */
@Timeout(300)
class BorrowTest {
    static final PciAddress PLACE = PciAddress.parse("7871:00:00.0");
    static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final CountDownLatch gone = new CountDownLatch(1);
    private Server server;
    private BorrowedFunction borrowed;

    @BeforeEach
    void borrow() throws IOException {
        server = new Server(folder);
        borrowed = BorrowedFunction.borrow("one", PLACE, server.path, PATIENCE, gone::countDown);
    }

    @AfterEach
    void giveBack() {
        borrowed.close();
        server.close();
    }

    @Test
    void whatItIsIsTold() {
        assertThat(borrowed.identity()).isEqualTo(new PciId(0x1414, 0xba, 0, 0, 0x020000, 0));
        assertThat(borrowed.address()).isEqualTo(PLACE);
        assertThat(borrowed.configSize()).isEqualTo(4096);
        assertThat(borrowed.bars()).hasSize(2).extracting(Bar::index).containsExactly(0, 2);
        assertThat(borrowed.bars()).extracting(Bar::size).containsExactly(1L << 21, 1L << 16);
        assertThat(borrowed.bars()).allMatch(Bar::is64Bit).noneMatch(Bar::isPrefetchable);
        assertThat(borrowed.interrupts().count()).isEqualTo(FakeFunction.VECTORS);
        assertThat(server.function.resets).hasValue(1);
    }

    @Test
    void configurationSpaceIsReadAndWritten() {
        assertThat(borrowed.readConfig(0, 4)).isEqualTo(0x00ba1414);
        assertThat(borrowed.readConfig(2, 2)).isEqualTo(0xba);
        assertThat(borrowed.readConfig(0x34, 1)).isEqualTo(0x40);
        borrowed.writeConfig(4, 2, 0xf106);
        assertThat(server.function.readConfig(4, 2)).isEqualTo(0xf106);
        assertThat(borrowed.readConfig(4, 2)).isEqualTo(0xf106);
        assertThat(borrowed.readConfig(4096, 4)).isEqualTo(-1);
        assertThat(borrowed.readConfig(1, 2)).isEqualTo(0xffff);
    }

    @Test
    void writesArriveInOrderAndBeforeTheNextRead() {
        Bar registers = borrowed.bars().getFirst();
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            registers.write64(0x1000 + 8 * (i % 100), i);
            written.add("8@%x=%x".formatted(0x1000 + 8 * (i % 100), i));
        }
        registers.write32(0x2004, -2);
        written.add("4@2004=fffffffe");
        assertThat(registers.read64(0x2000)).isEqualTo(0xffff_fffe_0000_0000L);
        assertThat(registers.read32(0x2004)).isEqualTo(-2);
        assertThat(server.function.registers.writes).containsExactlyElementsOf(written);
        registers.write64(registers.size(), 1);
        registers.write32(2, 1);
        assertThat(registers.read64(registers.size() - 4)).isEqualTo(-1);
        assertThat(borrowed.departure()).isNull();
    }

    @Test
    void manyThreadsWriteAtOnce() throws InterruptedException {
        Bar registers = borrowed.bars().getFirst();
        int threads = 4;
        int each = 3000;
        List<Thread> writers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            long offset = 0x100 + 8 * t;
            writers.add(Thread.ofPlatform().start(() -> {
                for (int i = 1; i <= each; i++) {
                    registers.write64(offset, i);
                    if (i % 500 == 0) {
                        assertThat(registers.read64(offset)).isEqualTo(i);
                    }
                }
            }));
        }
        for (Thread writer : writers) {
            writer.join();
        }
        for (int t = 0; t < threads; t++) {
            assertThat(registers.read64(0x100 + 8 * t)).isEqualTo(each);
            String prefix = "8@%x=".formatted(0x100 + 8 * t);
            List<String> mine = server.function.registers.writes.stream().filter(one -> one.startsWith(prefix))
                    .toList();
            assertThat(mine).hasSize(each);
            for (int i = 0; i < each; i++) {
                assertThat(mine.get(i)).isEqualTo(prefix + Integer.toHexString(i + 1));
            }
        }
    }

    @Test
    void memoryIsLentAsFiles() throws IOException {
        try (Memfd file = Memfd.create("lent", 1 << 20)) {
            int number = file.descriptor().number();
            borrowed.dma().map(0x1_0000_0000L, 1 << 20, number, 0, true);
            assertThat(server.function.memory.ranges()).isEqualTo(1);
            assertThat(server.function.memory.pointer(0x1_0000_0000L, 1 << 20, true)).isNotZero();
            assertThat(borrowed.dma().ranges()).isEqualTo(1);
            assertThat(borrowed.dma().bytes()).isEqualTo(1 << 20);
            assertRefused(Errno.EEXIST, () -> borrowed.dma().map(0x1_0000_1000L, 4096, number, 0, true));
            assertRefused(Errno.EINVAL, () -> borrowed.dma().map(0x1000, 4097, number, 0, true));
            assertRefused(Errno.EINVAL, () -> borrowed.dma().map(0x1000, 4096, number, 1 << 20, true));
            assertRefused(Errno.ENOENT, () -> borrowed.dma().unmap(0x1000, 4096));
            borrowed.dma().map(0x1000, 4096, number, 4096, false);
            assertThat(server.function.memory.pointer(0x1000, 1, true)).isZero();
            assertThat(server.function.memory.pointer(0x1000, 1, false)).isNotZero();
            borrowed.dma().unmap(0x1_0000_0000L, 1 << 20).toCompletableFuture().join();
            assertThat(server.function.memory.ranges()).isEqualTo(1);
            borrowed.dma().clear().toCompletableFuture().join();
            assertThat(server.function.memory.ranges()).isZero();
            assertThat(borrowed.dma().ranges()).isZero();
        }
        assertThat(borrowed.departure()).isNull();
    }

    private static void assertRefused(Errno errno, Runnable step) {
        assertThatThrownBy(step::run).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(errno));
    }

    @Test
    void interruptsArriveOnceAndAreKept() {
        AtomicInteger seen = new AtomicInteger();
        server.function.interrupts.raise(3);
        borrowed.interrupts().target(3, seen::incrementAndGet);
        eventually("the signal from before", () -> seen.get() == 1);
        server.function.interrupts.raise(3);
        eventually("a signal", () -> seen.get() == 2);
        AtomicInteger other = new AtomicInteger();
        borrowed.interrupts().target(16, other::incrementAndGet);
        server.function.interrupts.raise(16);
        eventually("a signal of another", () -> other.get() == 1);
        borrowed.interrupts().clear(3);
        server.function.interrupts.raise(3);
        server.function.interrupts.raise(16);
        eventually("all signals", () -> other.get() == 2);
        assertThat(seen).hasValue(2);
        borrowed.interrupts().target(3, seen::incrementAndGet);
        eventually("the signal that was kept", () -> seen.get() == 3);
    }

    @Test
    void resetsGoThrough() {
        borrowed.reset();
        assertThat(server.function.resets).hasValue(2);
    }

    @Test
    void onlyOneBorrowsAtATime() {
        assertThatThrownBy(() -> BorrowedFunction.borrow("two", PLACE, server.path, PATIENCE, () -> { }))
                .isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EBUSY))
                .hasMessageContaining("another borrower has the function");
        assertThat(borrowed.readConfig(0, 2)).isEqualTo(0x1414);
    }

    @Test
    void whenItIsUnpluggedItReadsAsNothing() throws InterruptedException {
        AtomicInteger seen = new AtomicInteger();
        borrowed.interrupts().target(0, seen::incrementAndGet);
        server.close();
        assertThat(gone.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(borrowed.departure()).isEqualTo("it left");
        Bar registers = borrowed.bars().getFirst();
        assertThat(registers.read32(0)).isEqualTo(-1);
        assertThat(registers.read64(0)).isEqualTo(-1);
        assertThat(borrowed.readConfig(0, 2)).isEqualTo(0xffff);
        registers.write64(8, 1);
        borrowed.writeConfig(4, 2, 6);
        borrowed.reset();
        borrowed.interrupts().clear(0);
        borrowed.interrupts().target(1, seen::incrementAndGet);
        borrowed.dma().unmap(0x1000, 4096).toCompletableFuture().join();
        borrowed.dma().clear().toCompletableFuture().join();
        assertRefused(Errno.ENODEV, () -> borrowed.dma().map(0x1000, 4096, 0, 0, true));
    }

    @Test
    void itIsReturnedAsItWas() throws IOException {
        try (Memfd file = Memfd.create("lent", 4096)) {
            borrowed.dma().map(0x1000, 4096, file.descriptor().number(), 0, true);
        }
        borrowed.interrupts().target(0, () -> { });
        borrowed.close();
        eventually("all is taken away", server::isClean);
        assertThat(gone.getCount()).isZero();
        assertThat(borrowed.departure()).isEqualTo("it was returned");
        try (BorrowedFunction again = BorrowedFunction.borrow("again", PLACE, server.path, PATIENCE, () -> { })) {
            assertThat(again.readConfig(0, 2)).isEqualTo(0x1414);
        }
    }

    @Test
    void nobodyLendsWhereNobodyWaits() {
        assertThatThrownBy(() -> BorrowedFunction.borrow("none", PLACE, folder.resolve("none.sock"), PATIENCE,
                () -> { })).isInstanceOf(Refusal.class).hasMessageContaining("Nothing can be borrowed at ");
    }
}
