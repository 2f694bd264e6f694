package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Linux;
import io.manafold.linux.Memfd;
import io.manafold.linux.SystemCallException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DmaTableTest {
    private static final int PAGE = RawMemory.PAGE;

    private final DmaBlock block = new DmaBlock("test", 16 * PAGE);
    private final DmaTable table = new DmaTable();

    @AfterEach
    void close() {
        table.close();
        block.close();
    }

    @Test
    void whatIsMappedIsTheBlocksMemory() {
        table.map(0x10_0000, 4 * PAGE, block.fd(), 2 * PAGE, true);

        RawMemory.put64(block.address() + 2 * PAGE + 8, 0x1122334455667788L);
        long pointer = table.pointer(0x10_0008, 8, false);
        assertThat(pointer).isNotZero();
        assertThat(RawMemory.get64(pointer)).isEqualTo(0x1122334455667788L);
        RawMemory.put32(table.pointer(0x10_0000 + 4 * PAGE - 4, 4, true), 7);
        assertThat(RawMemory.get32(block.address() + 6 * PAGE - 4)).isEqualTo(7);
        assertThat(table.ranges()).isEqualTo(1);
        assertThat(table.bytes()).isEqualTo(4 * PAGE);
    }

    /** Its owner shortens it and seals it then, all while it is mapped. */
    @Test
    void aFileThatWasSealedTooLateMayVanish() throws Exception {
        AtomicReference<Memfd> next = new AtomicReference<>();
        AtomicInteger sealed = new AtomicInteger();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread owner = Thread.ofPlatform().start(() -> {
            while (!isOver.get()) {
                Memfd file = next.getAndSet(null);
                if (file == null) {
                    Thread.onSpinWait();
                    continue;
                }
                for (int wait = sealed.get() % 400; wait > 0; wait--) {
                    Thread.onSpinWait();
                }
                try {
                    file.truncate(0);
                    file.sealLength();
                } catch (IOException impossible) {
                    throw new UncheckedIOException(impossible);
                } finally {
                    sealed.incrementAndGet();
                }
            }
        });
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        for (int round = 0; System.nanoTime() < until; round++) {
            try (Memfd file = Memfd.create("late", PAGE); DmaTable late = new DmaTable()) {
                next.set(file);
                try {
                    late.map(0, PAGE, file.descriptor().number(), 0, true);
                } catch (Refusal tooShort) {
                    assertThat(tooShort.errno()).isEqualTo(Errno.EINVAL);
                }
                while (sealed.get() <= round) {
                    Thread.onSpinWait();
                }
                assertThat(late.ranges() == 0 || late.mayVanish()).as("round %s", round).isTrue();
            }
        }
        isOver.set(true);
        owner.join();
    }

    /** There need be none in the machine's pool: none is touched. */
    @Test
    void filesOfHugePagesLeaveNoMappingBehind() throws Throwable {
        int file = hugeFile();
        try {
            Linux.truncate(file, 4 << 20);
            Linux.seal(file, 2);
            // what is loaded and made once for all is there then
            table.map(0, PAGE, file, PAGE, true);
            assertThat(table.pointer(0, PAGE, true) & (2 << 20) - 1).isEqualTo(PAGE);
            assertThat(table.mayVanish()).as("there may be no page when it is touched").isTrue();
            table.unmap(0, PAGE).toCompletableFuture().get(20, TimeUnit.SECONDS);
            for (int round = 0; round < 200; round++) {
                table.map(0, PAGE, file, (2 << 20) - PAGE, true);
                table.map(PAGE, 3 << 20, file, 1 << 20, true);
                table.unmap(0, PAGE).toCompletableFuture().get(20, TimeUnit.SECONDS);
                table.unmap(PAGE, 3 << 20).toCompletableFuture().get(20, TimeUnit.SECONDS);
            }
        } finally {
            Linux.close(file);
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (mappingsOf("huge-test") > 0 && System.nanoTime() - end < 0) {
            Thread.sleep(10);
        }
        assertThat(mappingsOf("huge-test")).isZero();
    }

    @SuppressWarnings("restricted")
    private static int hugeFile() throws Throwable {
        MethodHandle create = Linker.nativeLinker().downcallHandle(
                Linker.nativeLinker().defaultLookup().find("memfd_create").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            // closed on exec, to be sealed, of huge pages
            int file = (int) create.invokeExact(arena.allocateFrom("huge-test"), 1 | 2 | 4);
            assumeTrue(file >= 0, "the kernel has no huge pages");
            return file;
        }
    }

    private static long mappingsOf(String name) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(name)).count();
        }
    }

    @Test
    void thereIsNoPointerToWhatIsNotWhollyInside() {
        table.map(0x10_0000, 4 * PAGE, block.fd(), 0, true);

        assertThat(table.pointer(0x10_0000, 4 * PAGE, true)).isNotZero();
        assertThat(table.pointer(0x10_0000, 4 * PAGE + 1, true)).isZero();
        assertThat(table.pointer(0x0f_ffff, 1, false)).isZero();
        assertThat(table.pointer(0x0f_ffff, 2, false)).isZero();
        assertThat(table.pointer(0x10_0000 + 4 * PAGE, 1, false)).isZero();
        assertThat(table.pointer(0x10_0000 + 4 * PAGE - 1, 2, false)).isZero();
        assertThat(table.pointer(0x10_0000, 0, false)).isZero();
        assertThat(table.pointer(0x10_0000, -1, false)).isZero();
        assertThat(table.pointer(0x10_0001, Long.MAX_VALUE, false)).isZero();
        assertThat(table.pointer(0x10_0001, Long.MIN_VALUE, false)).isZero();
        assertThat(table.pointer(-1, 1, false)).isZero();
        assertThat(table.pointer(-1, 2, false)).isZero();
    }

    @Test
    void theLastPageOfTheAddressSpaceCanBeMapped() {
        table.map(-PAGE, PAGE, block.fd(), 0, true);

        assertThat(table.pointer(-1, 1, true)).isNotZero();
        assertThat(table.pointer(-PAGE, PAGE, true)).isNotZero();
        assertThat(table.pointer(-1, 2, true)).isZero();
        assertThat(table.runs(-1, 2, true, new long[4], new long[4])).isEqualTo(-1);
        assertThat(table.read(-1, new byte[2], 0, 2)).isFalse();
        assertThat(table.pointer(0, 1, true)).isZero();
    }

    @Test
    void readOnlyMemoryHasNoPointerForWriting() {
        table.map(0, PAGE, block.fd(), 0, false);

        assertThat(table.pointer(0, 1, false)).isNotZero();
        assertThat(table.pointer(0, 1, true)).isZero();
        assertThat(table.left(0, true)).isZero();
        assertThat(table.write(0, new byte[1], 0, 1)).isFalse();
    }

    @Test
    void whatCrossesMappingsComesInPieces() {
        table.map(0x5000, PAGE, block.fd(), 8 * PAGE, true);
        table.map(0x6000, 2 * PAGE, block.fd(), 0, true);
        RawMemory.put8(block.address() + 9 * PAGE - 1, 0xaa);
        RawMemory.put8(block.address(), 0xbb);
        long[] pointers = new long[2];
        long[] lengths = new long[2];

        assertThat(table.pointer(0x5fff, 2, false)).isZero();
        assertThat(table.runs(0x5fff, 2, false, pointers, lengths)).isEqualTo(2);
        assertThat(lengths).containsExactly(1, 1);
        assertThat(RawMemory.get8(pointers[0])).isEqualTo(0xaa);
        assertThat(RawMemory.get8(pointers[1])).isEqualTo(0xbb);
        assertThat(table.runs(0x5000, 3 * PAGE, false, pointers, lengths)).isEqualTo(2);
        assertThat(table.runs(0x5000, 3 * PAGE + 1, false, pointers, lengths)).isEqualTo(-1);
        assertThat(table.runs(0x5000, 3 * PAGE, false, new long[1], lengths)).isEqualTo(-1);
        assertThat(table.runs(0x5000, 0, false, pointers, lengths)).isZero();
        assertThat(table.runs(0x5000, -1, false, pointers, lengths)).isEqualTo(-1);

        byte[] copied = new byte[4];
        assertThat(table.read(0x5fff, copied, 1, 2)).isTrue();
        assertThat(copied).containsExactly(0, 0xaa, 0xbb, 0);
        assertThat(table.write(0x5fff, new byte[] {1, 2}, 0, 2)).isTrue();
        assertThat(RawMemory.get8(pointers[0])).isZero();
        assertThat(RawMemory.get8(block.address() + 9 * PAGE - 1)).isEqualTo(1);
        assertThat(RawMemory.get8(block.address())).isEqualTo(2);
    }

    @Test
    void whatCannotBeMappedIsRefused() {
        table.map(0x4000, 2 * PAGE, block.fd(), 0, true);

        refused(Errno.EINVAL, () -> table.map(1, PAGE, block.fd(), 0, true));
        refused(Errno.EINVAL, () -> table.map(0, 1, block.fd(), 0, true));
        refused(Errno.EINVAL, () -> table.map(0, 0, block.fd(), 0, true));
        refused(Errno.EINVAL, () -> table.map(0, -PAGE, block.fd(), 0, true));
        refused(Errno.EINVAL, () -> table.map(0, PAGE, block.fd(), 1, true));
        refused(Errno.EINVAL, () -> table.map(0, PAGE, block.fd(), -PAGE, true));
        refused(Errno.EINVAL, () -> table.map(0, PAGE, block.fd(), Long.MAX_VALUE - PAGE + 1, true));
        refused(Errno.EINVAL, () -> table.map(-PAGE, 2 * PAGE, block.fd(), 0, true));
        refused(Errno.EINVAL, () -> table.map(0x10_0000, 17 * PAGE, block.fd(), 0, true));
        refused(Errno.EEXIST, () -> table.map(0x3000, 2 * PAGE, block.fd(), 0, true));
        refused(Errno.EEXIST, () -> table.map(0x5000, PAGE, block.fd(), 0, true));
        refused(Errno.EEXIST, () -> table.map(0, 16 * PAGE, block.fd(), 0, true));
        refused(Errno.EBADF, () -> table.map(0, PAGE, 1_000_000, 0, true));
        assertThat(table.ranges()).isEqualTo(1);
    }

    @Test
    void whatIsUnmappedIsGoneAtOnce() {
        table.map(0x4000, PAGE, block.fd(), 0, true);
        table.map(0x6000, PAGE, block.fd(), 0, true);
        table.map(0x8000, 2 * PAGE, block.fd(), 0, true);

        refused(Errno.ENOENT, () -> table.unmap(0x5000, PAGE));
        refused(Errno.EINVAL, () -> table.unmap(0x8000, PAGE));
        refused(Errno.EINVAL, () -> table.unmap(0x9000, PAGE));
        refused(Errno.EINVAL, () -> table.unmap(0x4000, 5 * PAGE));
        refused(Errno.EINVAL, () -> table.unmap(0x4000, 1));
        assertThat(table.ranges()).isEqualTo(3);

        assertThat(table.unmap(0x4000, 3 * PAGE)).succeedsWithin(60, TimeUnit.SECONDS);
        assertThat(table.ranges()).isEqualTo(1);
        assertThat(table.pointer(0x4000, 1, false)).isZero();
        assertThat(table.clear()).succeedsWithin(60, TimeUnit.SECONDS);
        assertThat(table.bytes()).isZero();
    }

    @Test
    void aClosedTableLetsNothingIn() {
        table.map(0x4000, PAGE, block.fd(), 0, true);
        table.close();

        assertThat(table.ranges()).isZero();
        refused(Errno.ENODEV, () -> table.map(0x4000, PAGE, block.fd(), 0, true));
    }

    private static void refused(Errno errno, Runnable request) {
        assertThatThrownBy(request::run).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(errno)).hasMessageEndingWith(".");
    }

    @Test
    void whatOthersCanShortenMayVanishForGood() throws SystemCallException {
        table.map(0x10_0000, PAGE, block.fd(), 0, true);
        assertThat(table.mayVanish()).as("with a sealed file").isFalse();

        int file = Linux.memfdCreate("unsealed");
        try {
            Linux.truncate(file, PAGE);
            table.map(0x20_0000, PAGE, file, 0, true);
        } finally {
            Linux.close(file);
        }
        assertThat(table.mayVanish()).isTrue();
        table.unmap(0x20_0000, PAGE);
        assertThat(table.mayVanish()).as("after it is unmapped, since it may be in use").isTrue();
    }
}
