package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Ends a protection domain. */
public record DestroyPd(long handle) implements Request<Done> {
    public static DestroyPd decode(Message message) {
        message.require(Command.DESTROY_PD.requestSize(), Command.DESTROY_PD);
        return new DestroyPd(message.i64(0x28));
    }

    @Override
    public Command command() {
        return Command.DESTROY_PD;
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
