package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Gives memory of the device back. */
public record DestroyDeviceMemory(long handle) implements Request<Done> {
    public static DestroyDeviceMemory decode(Message message) {
        message.require(Command.DESTROY_DEVICE_MEMORY.requestSize(), Command.DESTROY_DEVICE_MEMORY);
        return new DestroyDeviceMemory(message.i64(0x28));
    }

    @Override
    public Command command() {
        return Command.DESTROY_DEVICE_MEMORY;
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
