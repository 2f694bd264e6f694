package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Asks for a completion behind everything that a receive queue has got so far. */
public record FenceRq(long object) implements Request<Done> {
    public static FenceRq decode(Message message) {
        message.require(Command.FENCE_RQ.requestSize(), Command.FENCE_RQ);
        return new FenceRq(message.i64(0x28));
    }

    @Override
    public Command command() {
        return Command.FENCE_RQ;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, object);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
