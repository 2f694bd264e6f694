package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.testkit.base.Allocation;
import org.junit.jupiter.api.Test;

/** Nothing on the way of a frame allocates. */
class AllocationTest {
    private static final int PAGE = RawMemory.PAGE;

    private long sink;

    @Test
    void lookingUpAndTouchingAllocatesNothing() throws Exception {
        long[] pointers = new long[4];
        long[] lengths = new long[4];
        byte[] array = new byte[300];
        try (DmaBlock block = new DmaBlock("test", 16 * PAGE);
                DmaTable table = new DmaTable();
                Reader reader = Readers.open("test")) {
            for (int i = 0; i < 8; i++) {
                table.map(0x10_0000 + i * PAGE, PAGE, block.fd(), 2 * i * PAGE, true);
            }
            assertThat(Allocation.leastOf(() -> {
                reader.enter();
                long at = 0x10_0000 + (sink & 7) * PAGE;
                long pointer = table.pointer(at, 256, true);
                sink += pointer == 0 ? 1 : RawMemory.get32(pointer);
                RawMemory.putRelease64(pointer, RawMemory.getAcquire64(pointer) + 1);
                RawMemory.putBig16(pointer + 9, RawMemory.getBig16(pointer + 17));
                RawMemory.copy(pointer, pointer + 300, 200);
                RawMemory.copy(pointer, pointer + 600, 1500);
                RawMemory.copy(pointer, array, 3, 290);
                RawMemory.copy(array, 3, pointer, 290);
                RawMemory.clear(pointer, 60);
                sink += table.runs(0x10_0800, 3 * PAGE, true, pointers, lengths);
                sink += table.left(at + 5, false);
                table.read(0x10_0ff0, array, 0, 32);
                table.write(0x10_0ff0, array, 0, 32);
                sink += table.pointer(0, 1, false);
                reader.leave();
            })).isZero();
        }
    }
}
