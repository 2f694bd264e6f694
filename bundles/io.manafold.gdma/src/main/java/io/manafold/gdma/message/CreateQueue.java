package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Makes a queue over a region, which then belongs to it.
 *
 * @param type a value of {@link io.manafold.gdma.QueueType}
 * @param bytes of the queue
 * @param throttle binary logarithm of how many events one interrupt may stand for
 */
public record CreateQueue(int type, int protectionDomain, int doorbellPage, long region, int bytes, int throttle,
        int vector, int moderation, int parentEventQueue, boolean dropOnOverrun, boolean errorOnOverflow,
        boolean chained, boolean hardwareDoorbell) implements Request<CreateQueue.Result> {
    public static CreateQueue decode(Message message) {
        message.require(Command.CREATE_QUEUE.requestSize(), Command.CREATE_QUEUE);
        return new CreateQueue(message.i32(0x28), message.i32(0x30), message.i32(0x34), message.i64(0x38),
                message.i32(0x44), message.i32(0x48), message.i32(0x4c), message.i32(0x50), message.i32(0x54),
                message.u8(0x58) != 0, message.u8(0x59) != 0, message.u8(0x5a) != 0, message.u8(0x5b) != 0);
    }

    @Override
    public Command command() {
        return Command.CREATE_QUEUE;
    }

    @Override
    public void encode(Message message) {
        message.put32(0x28, type).put32(0x30, protectionDomain).put32(0x34, doorbellPage).put64(0x38, region)
                .put32(0x44, bytes).put32(0x48, throttle).put32(0x4c, vector).put32(0x50, moderation)
                .put32(0x54, parentEventQueue).put8(0x58, dropOnOverrun ? 1 : 0).put8(0x59, errorOnOverflow ? 1 : 0)
                .put8(0x5a, chained ? 1 : 0).put8(0x5b, hardwareDoorbell ? 1 : 0);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The id of the new queue. */
    public record Result(int queue) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i32(0x20));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, queue);
        }
    }
}
