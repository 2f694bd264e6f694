package io.manafold.gdma.message;

import io.manafold.gdma.Command;
import java.util.Arrays;

/** More pages of a region whose list did not fit one message. */
public record AddDmaRegionPages(long region, long[] pages) implements Request<Done> {
    /** How many addresses one message takes. */
    public static final int MAX_PAGES = 505;

    private static final int LIST = 0x38;

    public static AddDmaRegionPages decode(Message message) {
        message.require(Command.ADD_DMA_REGION_PAGES.requestSize(), Command.ADD_DMA_REGION_PAGES);
        return new AddDmaRegionPages(message.i64(0x28), message.longs(LIST, message.i32(0x30)));
    }

    @Override
    public Command command() {
        return Command.ADD_DMA_REGION_PAGES;
    }

    @Override
    public int size() {
        return LIST + (pages.length << 3);
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, region).put32(0x30, pages.length).put(LIST, pages);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddDmaRegionPages that && region == that.region && Arrays.equals(pages, that.pages);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(region) * 31 + Arrays.hashCode(pages);
    }

    @Override
    public String toString() {
        return "AddDmaRegionPages[region=" + region + ", pages=" + pages.length + "]";
    }
}
