package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Limits how fast a vPort sends.
 *
 * @param rate megabits a second
 */
public record SetBandwidthClamp(long vport, int enable, int rate) implements Request<SetBandwidthClamp.Result> {
    public static SetBandwidthClamp decode(Message message) {
        message.require(Command.SET_BANDWIDTH_CLAMP.requestSize(), Command.SET_BANDWIDTH_CLAMP);
        return new SetBandwidthClamp(message.i64(0x28), message.i32(0x30), message.i32(0x34));
    }

    @Override
    public Command command() {
        return Command.SET_BANDWIDTH_CLAMP;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport).put32(0x30, enable).put32(0x34, rate);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** Whether the limit means anything. */
    public record Result(boolean unconfigured) implements Response {
        public static Result decode(Message message) {
            return new Result(message.u8(0x20) != 0);
        }

        @Override
        public void encode(Message message) {
            message.put8(0x20, unconfigured ? 1 : 0);
        }
    }
}
