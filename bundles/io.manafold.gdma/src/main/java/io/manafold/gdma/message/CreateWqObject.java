package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Makes a work queue and its completion queue over two regions, which then belong to them.
 *
 * @param type send or receive of {@link io.manafold.gdma.QueueType}
 */
public record CreateWqObject(long vport, int type, long workRegion, long completionRegion, int workBytes,
        int completionBytes, int moderation, int parentEventQueue) implements Request<CreateWqObject.Result> {
    public static CreateWqObject decode(Message message) {
        message.require(Command.CREATE_WQ_OBJECT.requestSize(), Command.CREATE_WQ_OBJECT);
        return new CreateWqObject(message.i64(0x28), message.i32(0x30), message.i64(0x38), message.i64(0x40),
                message.i32(0x48), message.i32(0x4c), message.i32(0x50), message.i32(0x54));
    }

    @Override
    public Command command() {
        return Command.CREATE_WQ_OBJECT;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport).put32(0x30, type).put64(0x38, workRegion).put64(0x40, completionRegion)
                .put32(0x48, workBytes).put32(0x4c, completionBytes).put32(0x50, moderation)
                .put32(0x54, parentEventQueue);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The ids of both queues and the handle for the two together. */
    public record Result(int workQueue, int completionQueue, long object) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i32(0x20), message.i32(0x24), message.i64(0x28));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, workQueue).put32(0x24, completionQueue).put64(0x28, object);
        }
    }
}
