package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Ends the vPort of a physical function. */
public record DeregisterHwPort(long vport) implements Request<Done> {
    public static DeregisterHwPort decode(Message message) {
        message.require(Command.DEREGISTER_HW_PORT.requestSize(), Command.DEREGISTER_HW_PORT);
        return new DeregisterHwPort(message.i64(0x28));
    }

    @Override
    public Command command() {
        return Command.DEREGISTER_HW_PORT;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
