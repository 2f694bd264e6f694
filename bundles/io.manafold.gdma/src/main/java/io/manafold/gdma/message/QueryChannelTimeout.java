package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Asks how long a command may take.
 *
 * @param milliseconds what the driver allows so far
 */
public record QueryChannelTimeout(int milliseconds) implements Request<QueryChannelTimeout.Result> {
    public static QueryChannelTimeout decode(Message message) {
        message.require(Command.QUERY_CHANNEL_TIMEOUT.requestSize(), Command.QUERY_CHANNEL_TIMEOUT);
        return new QueryChannelTimeout(message.i32(0x28));
    }

    @Override
    public Command command() {
        return Command.QUERY_CHANNEL_TIMEOUT;
    }

    @Override
    public void encode(Message message) {
        message.put32(0x28, milliseconds);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /**
     * How long to wait from now on.
     *
     * @param milliseconds never 0: every command would fail at once
     */
    public record Result(int milliseconds) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i32(0x20));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, milliseconds);
        }
    }
}
