package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Reserves ids that follow each other.
 *
 * @param type what of, 27 for doorbell pages
 * @param hint where to begin looking
 */
public record AllocateResourceRange(int type, int count, int alignment, int hint)
        implements Request<AllocateResourceRange.Result> {
    public static AllocateResourceRange decode(Message message) {
        message.require(Command.ALLOCATE_RESOURCE_RANGE.requestSize(), Command.ALLOCATE_RESOURCE_RANGE);
        return new AllocateResourceRange(message.i32(0x28), message.i32(0x2c), message.i32(0x30), message.i32(0x34));
    }

    @Override
    public Command command() {
        return Command.ALLOCATE_RESOURCE_RANGE;
    }

    @Override
    public void encode(Message message) {
        message.put32(0x28, type).put32(0x2c, count).put32(0x30, alignment).put32(0x34, hint);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The first of the ids. */
    public record Result(int first) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i32(0x20));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, first);
        }
    }
}
