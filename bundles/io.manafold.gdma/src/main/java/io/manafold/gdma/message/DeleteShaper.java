package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Takes a shaper away: a queue goes on below the vPort and without limits. */
public record DeleteShaper(long vport, int scope, int id) implements Request<Done> {
    public static DeleteShaper decode(Message message) {
        message.require(Command.DELETE_SHAPER.requestSize(), Command.DELETE_SHAPER);
        return new DeleteShaper(message.i64(0x28), message.i32(0x30), message.i32(0x34));
    }

    @Override
    public Command command() {
        return Command.DELETE_SHAPER;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport).put32(0x30, scope).put32(0x34, id);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
