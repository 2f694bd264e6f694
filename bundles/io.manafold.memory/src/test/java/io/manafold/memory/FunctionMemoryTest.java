package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several drivers lend one function memory, and each takes its own away. */
class FunctionMemoryTest {
    private final DmaTable table = new DmaTable();
    private final SharedBlocks source = new SharedBlocks(8, 1L << 33);
    private final FunctionMemory memory = new FunctionMemory("7870:00:00.0", table);

    @AfterEach
    void close() {
        memory.close();
        assertThat(table.ranges()).isZero();
        table.close();
    }

    @Test
    void eachBorrowerHasAddressesOfItsOwn() {
        MemoryBorrower first = memory.borrower("ethernet");
        MemoryBorrower second = memory.borrower("mana.eth.0");
        DmaPiece here = first.whole().allocate(4096);
        DmaPiece there = second.whole().allocate(4096);
        DmaPiece paged = second.pages(ReceiveMapping.PAGE).allocate(4096);
        assertThat(here.dma()).isNotEqualTo(there.dma()).isNotEqualTo(paged.dma());
        assertThat(table.pointer(here.dma(), 8, true)).isNotZero();
        assertThat(table.pointer(paged.dma(), 8, true)).as("not entered yet").isZero();
        assertThat(first.pages(ReceiveMapping.ARENA)).isSameAs(first.whole());
        assertThat(memory.pagesInUse()).isEqualTo(3);
        RawMemory.put64(there.pointer(), 42);
        second.close();
        assertThat(table.pointer(there.dma(), 8, true)).as("taken from the function at once").isZero();
        assertThat(RawMemory.get64(there.pointer())).as("and still there for the holder of a piece").isEqualTo(42);
        assertThat(table.pointer(here.dma(), 8, true)).as("the other goes on").isNotZero();
        assertThat(memory.pagesInUse()).isEqualTo(3);
        second.whole().free(there);
        second.pages(ReceiveMapping.PAGE).free(paged);
        first.whole().free(here);
        assertThat(memory.pagesInUse()).isZero();
    }

    /** As when a driver did not leave in time and the core has given the function to the next one. */
    @Test
    void whatADriverHasThatWasGivenUpIsPassedOver() {
        DmaPiece here = memory.borrower("left behind").whole().allocate(4096);
        MemoryBlock block = source.make("block", 1 << 20);
        try (FunctionMemory next = new FunctionMemory("7870:00:00.0", table)) {
            MemoryBorrower borrower = next.borrower("ethernet");
            DmaPiece there = borrower.whole().allocate(4096);
            assertThat(there.dma()).isNotEqualTo(here.dma());
            assertThat(table.pointer(there.dma(), 8, true)).isNotZero();
            LentBlock lent = borrower.lend(block);
            assertThat(table.pointer(lent.piece().dma(), 8, true)).isNotZero();
            borrower.whole().free(there);
        }
        assertThat(table.pointer(here.dma(), 8, true)).as("the other's").isNotZero();
        block.close();
        memory.close();
    }

    @Test
    void addressesAreUsedAgain() {
        long address = 0;
        for (int i = 0; i < 100; i++) {
            try (MemoryBorrower one = memory.borrower("one after the other")) {
                DmaPiece piece = one.whole().allocate(4096);
                assertThat(address == 0 || piece.dma() == address).isTrue();
                address = piece.dma();
                one.whole().free(piece);
            }
        }
    }

    @Test
    void aBlockOfThreeGibibytesIsLentToTwoFunctionsAtOnce() {
        DmaTable otherTable = new DmaTable();
        try (FunctionMemory other = new FunctionMemory("7870:00:01.0", otherTable);
                MemoryBlock block = source.make("three", 3L << 30)) {
            LentBlock here = memory.borrower("mana.rdma.0").lend(block);
            LentBlock there = other.borrower("mana.rdma.1").lend(block);
            assertThat(block.holders()).isEqualTo(Map.of("maker", 1, "mana.rdma.0 of 7870:00:00.0", 1,
                    "mana.rdma.1 of 7870:00:01.0", 1));
            long end = (3L << 30) - 8;
            assertThat(here.piece().bytes()).isEqualTo(3L << 30);
            block.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, end, 42);
            assertThat(RawMemory.get64(table.pointer(here.piece().dma() + end, 8, true))).isEqualTo(42);
            assertThat(RawMemory.get64(otherTable.pointer(there.piece().dma() + end, 8, true))).isEqualTo(42);
            here.close();
            here.close();
            assertThat(table.pointer(here.piece().dma(), 8, false)).isZero();
            assertThat(otherTable.pointer(there.piece().dma(), 8, false)).isNotZero();
        }
        assertThat(source.blocks()).isEmpty();
        otherTable.close();
    }

    @Test
    void addressesThatTheFunctionMayStillUseAreThoseOfNoOtherBlock() {
        MemoryBlock block = source.make("left", 8192);
        MemoryBorrower borrower = memory.borrower("mana.eth.0");
        LentBlock lent = borrower.lend(block);
        long address = lent.piece().dma();
        lent.retire();
        lent.close();
        assertThat(block.holders()).containsOnlyKeys("maker");
        assertThat(table.pointer(address, 8, false)).isZero();
        assertThat(borrower.lend(block).piece().dma()).isNotEqualTo(address);
        borrower.close();
        assertThat(memory.borrower("mana.eth.0").lend(block).piece().dma()).as("the next driver").isEqualTo(address);
        block.close();
    }

    @Test
    void aBorrowerThatEndsTakesItsBlocksAlong() {
        MemoryBlock block = source.make("left", 8192);
        MemoryBorrower borrower = memory.borrower("mana.eth.0");
        LentBlock lent = borrower.lend(block);
        DmaPiece piece = lent.piece();
        assertThat(borrower.blocks()).isEqualTo(1);
        block.close();
        assertThat(source.blocks()).as("the borrower holds it").hasSize(1);
        borrower.close();
        assertThat(source.blocks()).isEmpty();
        assertThat(table.pointer(piece.dma(), 8, false)).isZero();
        assertThatThrownBy(() -> borrower.lend(source.make("late", 4096))).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(Errno.ENODEV));
        assertThatThrownBy(borrower::whole).isInstanceOf(Refusal.class);
    }
}
