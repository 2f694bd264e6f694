package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Gives reserved ids back. */
public record DestroyResourceRange(int type, int count, int first) implements Request<Done> {
    public static DestroyResourceRange decode(Message message) {
        message.require(Command.DESTROY_RESOURCE_RANGE.requestSize(), Command.DESTROY_RESOURCE_RANGE);
        return new DestroyResourceRange(message.i32(0x28), message.i32(0x2c), message.i32(0x30));
    }

    @Override
    public Command command() {
        return Command.DESTROY_RESOURCE_RANGE;
    }

    @Override
    public void encode(Message message) {
        message.put32(0x28, type).put32(0x2c, count).put32(0x30, first);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
