package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Frees a region that belongs to no queue. */
public record DestroyDmaRegion(long region) implements Request<Done> {
    public static DestroyDmaRegion decode(Message message) {
        message.require(Command.DESTROY_DMA_REGION.requestSize(), Command.DESTROY_DMA_REGION);
        return new DestroyDmaRegion(message.i64(0x28));
    }

    @Override
    public Command command() {
        return Command.DESTROY_DMA_REGION;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, region);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
