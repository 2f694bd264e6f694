package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Packets of a pool have their pages before the first of them is used, here and where the function reaches them. */
class PopulateTest {
    private static final long AT_ONCE = 64L << 20;

    private final SharedBlocks memory = new SharedBlocks(16, 1L << 30);
    private final PacketPools pools = new PacketPools(memory);

    private PacketPool pool(int packets) {
        return pools.make(new PacketPlan("test", packets, 0, PacketPlan.DEFAULT_ROOM));
    }

    private static long bytes(int packets) {
        return (long) packets * PacketPool.stride(PacketPlan.DEFAULT_ROOM);
    }

    @Test
    void packetsOfAPoolHaveTheirPages() throws IOException {
        try (PacketPool pool = pool(1000)) {
            assertThat(resident(pool.block().segment().address())).isBetween(bytes(1000), bytes(1000) + 8192);
        }
    }

    @Test
    void aPoolThatIsLargerThanWhatTheMachineMayHaveGetsThemAsItIsUsed() throws IOException {
        try (PacketPool pool = pool(100_000)) {
            assertThat(bytes(100_000)).isGreaterThan(3 * AT_ONCE);
            assertThat(resident(pool.block().segment().address())).isBetween(AT_ONCE, AT_ONCE + (4 << 20));
        }
    }

    @Test
    void aFunctionReachesABlockWithoutWaiting() throws IOException {
        try (DmaTable table = new DmaTable(); FunctionMemory function = new FunctionMemory("one", table);
                MemoryBlock block = memory.make("block", 1 << 20);
                LentBlock lent = function.borrower("test").lend(block)) {
            long at = table.pointer(lent.piece().dma(), 1 << 20, true);
            assertThat(at).isNotEqualTo(block.segment().address());
            assertThat(resident(at)).isEqualTo(1 << 20);
        }
    }

    /** Bytes in place of the mapping that an address is in, as the kernel counts them. */
    private static long resident(long address) throws IOException {
        boolean within = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                String[] ends = line.split(" ", 2)[0].split("-");
                within = Long.parseUnsignedLong(ends[0], 16) <= address
                        && address < Long.parseUnsignedLong(ends[1], 16);
            } else if (within && line.startsWith("Rss:")) {
                return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IllegalStateException("nothing is mapped at 0x" + Long.toHexString(address));
    }
}
