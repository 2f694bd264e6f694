package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Ends a memory region. */
public record DestroyMr(long handle) implements Request<Done> {
    public static DestroyMr decode(Message message) {
        message.require(Command.DESTROY_MR.requestSize(), Command.DESTROY_MR);
        return new DestroyMr(message.i64(0x28));
    }

    @Override
    public Command command() {
        return Command.DESTROY_MR;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, handle);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
