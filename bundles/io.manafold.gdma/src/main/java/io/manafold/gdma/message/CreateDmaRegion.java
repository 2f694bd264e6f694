package io.manafold.gdma.message;

import io.manafold.gdma.Command;
import java.util.Arrays;

/**
 * Describes memory by its pages, for a queue to be made over it.
 *
 * @param length bytes
 * @param offset of the first byte in the first page
 * @param pageCode binary logarithm of a page's size in units of 4096
 * @param totalPages how many pages there are in all; those missing here follow in {@link AddDmaRegionPages}
 * @param pages byte addresses
 */
public record CreateDmaRegion(long length, int offset, int pageCode, int totalPages, long[] pages)
        implements Request<CreateDmaRegion.Result> {
    /** How many addresses one message takes. */
    public static final int MAX_PAGES = 504;

    private static final int LIST = 0x40;

    public static CreateDmaRegion decode(Message message) {
        message.require(Command.CREATE_DMA_REGION.requestSize(), Command.CREATE_DMA_REGION);
        return new CreateDmaRegion(message.i64(0x28), message.i32(0x30), message.i32(0x34), message.i32(0x38),
                message.longs(LIST, message.i32(0x3c)));
    }

    @Override
    public Command command() {
        return Command.CREATE_DMA_REGION;
    }

    @Override
    public int size() {
        return LIST + (pages.length << 3);
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, length).put32(0x30, offset).put32(0x34, pageCode).put32(0x38, totalPages)
                .put32(0x3c, pages.length).put(LIST, pages);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CreateDmaRegion that && length == that.length && offset == that.offset
                && pageCode == that.pageCode && totalPages == that.totalPages && Arrays.equals(pages, that.pages);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(length) * 31 + Arrays.hashCode(pages);
    }

    @Override
    public String toString() {
        return "CreateDmaRegion[length=" + length + ", offset=" + offset + ", pageCode=" + pageCode + ", pages="
                + pages.length + " of " + totalPages + "]";
    }

    /**
     * The new region.
     *
     * @param region never 0
     */
    public record Result(long region) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i64(0x20));
        }

        @Override
        public void encode(Message message) {
            message.put64(0x20, region);
        }
    }
}
