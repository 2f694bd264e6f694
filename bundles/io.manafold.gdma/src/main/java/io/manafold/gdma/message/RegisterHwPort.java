package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Makes a vPort for a physical function. */
public record RegisterHwPort(int attached, boolean defaultVport, boolean allEtherTypes)
        implements Request<RegisterHwPort.Result> {
    public static RegisterHwPort decode(Message message) {
        message.require(Command.REGISTER_HW_PORT.requestSize(), Command.REGISTER_HW_PORT);
        return new RegisterHwPort(message.u16(0x28), message.u8(0x2a) != 0, message.u8(0x2c) != 0);
    }

    @Override
    public Command command() {
        return Command.REGISTER_HW_PORT;
    }

    @Override
    public void encode(Message message) {
        message.put16(0x28, attached).put8(0x2a, defaultVport ? 1 : 0).put8(0x2c, allEtherTypes ? 1 : 0);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The new vPort. */
    public record Result(long vport) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i64(0x20));
        }

        @Override
        public void encode(Message message) {
            message.put64(0x20, vport);
        }
    }
}
