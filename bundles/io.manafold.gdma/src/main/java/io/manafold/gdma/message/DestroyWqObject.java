package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Ends a work queue and its completion queue and frees their regions. */
public record DestroyWqObject(int type, long object) implements Request<Done> {
    public static DestroyWqObject decode(Message message) {
        message.require(Command.DESTROY_WQ_OBJECT.requestSize(), Command.DESTROY_WQ_OBJECT);
        return new DestroyWqObject(message.i32(0x28), message.i64(0x30));
    }

    @Override
    public Command command() {
        return Command.DESTROY_WQ_OBJECT;
    }

    @Override
    public void encode(Message message) {
        message.put32(0x28, type).put64(0x30, object);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
