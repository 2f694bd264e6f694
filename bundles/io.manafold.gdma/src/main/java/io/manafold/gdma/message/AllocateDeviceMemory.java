package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Reserves memory of the device. */
public record AllocateDeviceMemory(long length, int alignment, int flags)
        implements Request<AllocateDeviceMemory.Result> {
    public static AllocateDeviceMemory decode(Message message) {
        message.require(Command.ALLOCATE_DEVICE_MEMORY.requestSize(), Command.ALLOCATE_DEVICE_MEMORY);
        return new AllocateDeviceMemory(message.i64(0x28), message.i32(0x30), message.i32(0x34));
    }

    @Override
    public Command command() {
        return Command.ALLOCATE_DEVICE_MEMORY;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, length).put32(0x30, alignment).put32(0x34, flags);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The memory reserved. */
    public record Result(long handle) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i64(0x20));
        }

        @Override
        public void encode(Message message) {
            message.put64(0x20, handle);
        }
    }
}
