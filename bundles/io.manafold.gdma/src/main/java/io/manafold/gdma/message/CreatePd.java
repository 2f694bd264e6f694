package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Makes a protection domain.
 *
 * @param flags bit 0 allows regions of guest-physical memory
 */
public record CreatePd(int flags) implements Request<CreatePd.Result> {
    public static CreatePd decode(Message message) {
        message.require(Command.CREATE_PD.requestSize(), Command.CREATE_PD);
        return new CreatePd(message.i32(0x28));
    }

    @Override
    public Command command() {
        return Command.CREATE_PD;
    }

    @Override
    public void encode(Message message) {
        message.put32(0x28, flags);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The new protection domain. */
    public record Result(long handle, int id) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i64(0x20), message.i32(0x28));
        }

        @Override
        public void encode(Message message) {
            message.put64(0x20, handle).put32(0x28, id);
        }
    }
}
