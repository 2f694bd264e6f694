package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Makes a shaper what it shall be, whether it was there before or not. */
public record SetShaper(long vport, ShaperValues values) implements Request<Done> {
    public static SetShaper decode(Message message) {
        message.require(Command.SET_SHAPER.requestSize(), Command.SET_SHAPER);
        return new SetShaper(message.i64(0x28), ShaperValues.decode(message, 0x30));
    }

    @Override
    public Command command() {
        return Command.SET_SHAPER;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport);
        values.encode(message, 0x30);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
