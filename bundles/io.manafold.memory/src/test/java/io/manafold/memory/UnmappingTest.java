package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Memfd;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What happens to memory, and to those who hold pointers to it, when it is taken away. */
class UnmappingTest {
    private static final int PAGE = RawMemory.PAGE;

    @Test
    void whoIsInsideFindsZeroesAndIsWaitedFor() throws Exception {
        try (DmaBlock block = new DmaBlock("inside", PAGE);
                DmaTable table = new DmaTable();
                Reader reader = Readers.open("inside")) {
            RawMemory.put64(block.address(), 7);
            table.map(0x1000, PAGE, block.fd(), 0, true);
            reader.enter();
            long pointer = table.pointer(0x1000, 8, true);
            assertThat(RawMemory.get64(pointer)).isEqualTo(7);

            CompletableFuture<Void> gone = table.unmap(0x1000, PAGE).toCompletableFuture();
            assertThat(table.pointer(0x1000, 8, false)).isZero();
            assertThat(RawMemory.get64(pointer)).isZero();
            RawMemory.put64(pointer, 9);
            assertThat(RawMemory.get64(block.address())).isEqualTo(7);
            assertThat(Mappings.hold(pointer)).isTrue();

            reader.leave();
            assertThat(gone).succeedsWithin(60, TimeUnit.SECONDS);
            assertThat(Mappings.hold(pointer)).isFalse();
        }
    }

    @Test
    void whoNeverLeavesHoldsNobodyUp() throws Exception {
        try (DmaBlock block = new DmaBlock("stuck", PAGE);
                DmaTable table = new DmaTable();
                Reader reader = Readers.open("stuck")) {
            table.map(0x1000, PAGE, block.fd(), 0, true);
            reader.enter();
            long pointer = table.pointer(0x1000, 8, true);

            assertThat(table.unmap(0x1000, PAGE)).succeedsWithin(60, TimeUnit.SECONDS);
            assertThat(reader.inside()).isTrue();
            assertThat(Mappings.hold(pointer)).isTrue();
            assertThat(RawMemory.get64(pointer)).isZero();

            reader.leave();
            CompletableFuture<Void> later = Readers.passed().toCompletableFuture();
            assertThat(later).succeedsWithin(60, TimeUnit.SECONDS);
            while (Mappings.hold(pointer)) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aBlockThatIsGivenBackStaysForThoseWhoMappedIt() throws Exception {
        try (DmaTable table = new DmaTable(); Reader reader = Readers.open("block")) {
            DmaBlock block = new DmaBlock("givenback", PAGE);
            RawMemory.put64(block.address(), 7);
            table.map(0x1000, PAGE, block.fd(), 0, true);
            reader.enter();
            block.close();
            block.close();
            assertThat(RawMemory.get64(block.address())).isZero();
            assertThat(RawMemory.get64(table.pointer(0x1000, 8, false))).isEqualTo(7);
            assertThat(Mappings.of("givenback")).isEqualTo(1);
            reader.leave();
        }
        assertThat(Mappings.of("givenback")).isZero();
    }

    @Test
    void nothingIsLeaked() throws Exception {
        String[] before = new File("/proc/self/fd").list();
        for (int round = 0; round < 50; round++) {
            try (DmaBlock block = new DmaBlock("leaked", 4 * PAGE); DmaTable table = new DmaTable()) {
                table.map(0x1000, PAGE, block.fd(), 0, true);
                table.map(0x4000, 2 * PAGE, block.fd(), 0, true);
                assertThatThrownBy(() -> table.map(0x5000, PAGE, block.fd(), 0, true)).isInstanceOf(Refusal.class);
                assertThatThrownBy(() -> table.map(0x8000, PAGE, block.fd(), 4 * PAGE, true))
                        .isInstanceOf(Refusal.class);
                table.unmap(0x4000, 2 * PAGE);
            }
            assertThatThrownBy(() -> new DmaBlock("leaked", Long.MAX_VALUE / 2)).isInstanceOf(Refusal.class);
        }
        assertThat(Mappings.of("leaked")).isZero();
        assertThat(new File("/proc/self/fd").list()).hasSameSizeAs(before);
    }

    @Test
    void ofTwoWhoMapTheSameRangeOneIsRefused() throws Exception {
        try (DmaBlock block = new DmaBlock("contested", PAGE); DmaTable table = new DmaTable()) {
            for (int round = 0; round < 300; round++) {
                AtomicInteger refused = new AtomicInteger();
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    threads.add(Thread.ofPlatform().start(() -> {
                        try {
                            table.map(0x1000, PAGE, block.fd(), 0, true);
                        } catch (Refusal refusal) {
                            refused.addAndGet(refusal.errno() == Errno.EEXIST ? 1 : 100);
                        }
                    }));
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                assertThat(refused).hasValue(1);
                table.unmap(0x1000, PAGE);
            }
        }
    }

    /** A touch of addresses that were given back too early would end the virtual machine, and with it this test. */
    @Test
    void readersSurviveMemoryThatComesAndGoes() throws Exception {
        try (DmaBlock block = new DmaBlock("busy", 16 * PAGE); DmaTable table = new DmaTable()) {
            for (int at = 0; at < 16 * PAGE; at += 8) {
                RawMemory.put64(block.address() + at, 0x5a5a5a5a00000000L + (at & -PAGE));
            }
            AtomicInteger over = new AtomicInteger();
            AtomicLong found = new AtomicLong();
            AtomicLong strange = new AtomicLong();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int seed = i;
                threads.add(Thread.ofPlatform().start(() -> {
                    Random random = new Random(seed);
                    try (Reader reader = Readers.open("busy " + seed)) {
                        while (over.get() == 0) {
                            reader.enter();
                            for (int look = 0; look < 16; look++) {
                                int page = random.nextInt(16);
                                long pointer = table.pointer(0x10_0000 + page * PAGE, PAGE, false);
                                if (pointer != 0) {
                                    found.incrementAndGet();
                                    long seen = RawMemory.get64(pointer + 8 * random.nextInt(512));
                                    boolean right = seen == 0 || seen == 0x5a5a5a5a00000000L + page * PAGE;
                                    strange.addAndGet(right ? 0 : 1);
                                }
                            }
                            reader.leave();
                        }
                    }
                }));
            }
            Random random = new Random(99);
            boolean[] mapped = new boolean[16];
            int steps = 0;
            while (steps < 3000 || found.get() < 1000) {
                int page = random.nextInt(16);
                if (mapped[page]) {
                    table.unmap(0x10_0000 + page * PAGE, PAGE);
                } else {
                    table.map(0x10_0000 + page * PAGE, PAGE, block.fd(), page * PAGE, random.nextBoolean());
                }
                mapped[page] = !mapped[page];
                steps++;
            }
            over.set(1);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(strange).hasValue(0);
        }
        CompletableFuture<Void> all = Readers.passed().toCompletableFuture();
        assertThat(all).succeedsWithin(60, TimeUnit.SECONDS);
    }

    @Test
    void theKernelTellsWhatCanBeReached() throws Exception {
        try (Memfd file = Memfd.create("asked", 4 * PAGE); DmaTable table = new DmaTable()) {
            table.map(0, 4 * PAGE, file.descriptor().number(), 0, true);
            table.map(0x10000, PAGE, file.descriptor().number(), 0, false);
            long pointer = table.pointer(0, 4 * PAGE, true);
            assertThat(RawMemory.readable(pointer, 4 * PAGE)).isTrue();
            assertThat(RawMemory.writable(pointer, 4 * PAGE)).isTrue();
            assertThat(RawMemory.writable(table.pointer(0x10000, PAGE, false), PAGE)).isFalse();
            assertThat(RawMemory.readable(table.pointer(0x10000, PAGE, false), PAGE)).isTrue();

            file.truncate(2 * PAGE);
            assertThat(RawMemory.readable(pointer, 2 * PAGE)).isTrue();
            assertThat(RawMemory.readable(pointer + PAGE, PAGE + 1)).isFalse();
            assertThat(RawMemory.readable(pointer + 2 * PAGE - 1, 1)).isTrue();
            assertThat(RawMemory.readable(pointer + 2 * PAGE - 1, 2)).isFalse();
            assertThat(RawMemory.writable(pointer + 3 * PAGE, 1)).isFalse();
            assertThat(RawMemory.readable(pointer, 0)).isTrue();
            assertThat(RawMemory.readable(pointer, -1)).isFalse();
            for (long[] range : new long[][] {{0, 2 * PAGE, 1}, {PAGE, PAGE + 1, 0}, {2 * PAGE - 1, 1, 1},
                {2 * PAGE - 1, 2, 0}}) {
                assertThat(Kernel.readableByWriting(pointer + range[0], range[1])).isEqualTo(range[2] == 1);
            }

            file.truncate(4 * PAGE);
            assertThat(RawMemory.readable(pointer, 4 * PAGE)).isTrue();
            // a file that has become too short for what is asked is refused when it is mapped
            file.truncate(PAGE);
            assertThatThrownBy(() -> table.map(0x20000, 2 * PAGE, file.descriptor().number(), 0, true))
                    .hasMessageContaining("the file ends at 4096");
        }
    }
}
