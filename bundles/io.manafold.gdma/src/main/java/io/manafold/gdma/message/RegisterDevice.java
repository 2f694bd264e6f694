package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Takes the device named in the head into use. */
public record RegisterDevice() implements Request<RegisterDevice.Result> {
    public static RegisterDevice decode(Message message) {
        message.require(Command.REGISTER_DEVICE.requestSize(), Command.REGISTER_DEVICE);
        return new RegisterDevice();
    }

    @Override
    public Command command() {
        return Command.REGISTER_DEVICE;
    }

    @Override
    public void encode(Message message) {
        // the head says it all
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /**
     * What the device works with.
     *
     * @param memoryKey the key under which all memory of the function is reachable
     */
    public record Result(int protectionDomain, int memoryKey, int doorbellPage) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i32(0x20), message.i32(0x24), message.i32(0x28));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, protectionDomain).put32(0x24, memoryKey).put32(0x28, doorbellPage);
        }
    }
}
