package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Ends a reliable connected queue pair and frees its regions; the answer means that no memory is touched. */
public record DestroyRcQp(long adapter, long queuePair) implements Request<Done> {
    public static DestroyRcQp decode(Message message) {
        message.require(Command.DESTROY_RC_QP.requestSize(), Command.DESTROY_RC_QP);
        return new DestroyRcQp(message.i64(0x28), message.i64(0x30));
    }

    @Override
    public Command command() {
        return Command.DESTROY_RC_QP;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, adapter).put64(0x30, queuePair);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
