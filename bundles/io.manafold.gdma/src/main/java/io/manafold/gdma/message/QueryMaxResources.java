package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Asks how many queues, doorbell pages, keys and interrupts the function has. */
public record QueryMaxResources() implements Request<QueryMaxResources.Result> {
    public static QueryMaxResources decode(Message message) {
        message.require(Command.QUERY_MAX_RESOURCES.requestSize(), Command.QUERY_MAX_RESOURCES);
        return new QueryMaxResources();
    }

    @Override
    public Command command() {
        return Command.QUERY_MAX_RESOURCES;
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
     * What there is at most.
     *
     * @param vectors with the one of the hardware channel
     */
    public record Result(int sendQueues, int receiveQueues, int completionQueues, int eventQueues, int doorbellPages,
            int memoryKeys, int moderations, int moderatedQueues, int vectors) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i32(0x24), message.i32(0x28), message.i32(0x2c), message.i32(0x30),
                    message.i32(0x34), message.i32(0x38), message.i32(0x3c), message.i32(0x40), message.i32(0x44));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x24, sendQueues).put32(0x28, receiveQueues).put32(0x2c, completionQueues)
                    .put32(0x30, eventQueues).put32(0x34, doorbellPages).put32(0x38, memoryKeys)
                    .put32(0x3c, moderations).put32(0x40, moderatedQueues).put32(0x44, vectors);
        }
    }
}
