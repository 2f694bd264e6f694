package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Ends a queue pair for datagrams and frees its regions. */
public record DestroyUdQp(long adapter, long queuePair) implements Request<Done> {
    public static DestroyUdQp decode(Message message) {
        message.require(Command.DESTROY_UD_QP.requestSize(), Command.DESTROY_UD_QP);
        return new DestroyUdQp(message.i64(0x28), message.i64(0x30));
    }

    @Override
    public Command command() {
        return Command.DESTROY_UD_QP;
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
