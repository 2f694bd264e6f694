package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Gives the device named in the head back. */
public record DeregisterDevice() implements Request<Done> {
    public static DeregisterDevice decode(Message message) {
        message.require(Command.DEREGISTER_DEVICE.requestSize(), Command.DEREGISTER_DEVICE);
        return new DeregisterDevice();
    }

    @Override
    public Command command() {
        return Command.DEREGISTER_DEVICE;
    }

    @Override
    public void encode(Message message) {
        // the head says it all
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
