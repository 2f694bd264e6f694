package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Makes the adapter that all other commands of the RDMA device name.
 *
 * @param eventQueue gets the events of failed queue pairs
 * @param features {@link #ERROR_COMPLETIONS} or 0
 */
public record CreateRdmaAdapter(int eventQueue, long features) implements Request<CreateRdmaAdapter.Result> {
    /** Of the features: errors are told of by completions. */
    public static final long ERROR_COMPLETIONS = 1 << 1;

    public static CreateRdmaAdapter decode(Message message) {
        message.require(Command.CREATE_RDMA_ADAPTER.requestSize(), Command.CREATE_RDMA_ADAPTER);
        return new CreateRdmaAdapter(message.i32(0x28), message.i64(0x30));
    }

    @Override
    public Command command() {
        return Command.CREATE_RDMA_ADAPTER;
    }

    @Override
    public void encode(Message message) {
        message.put32(0x28, eventQueue).put64(0x30, features);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The new adapter. */
    public record Result(long adapter) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i64(0x20));
        }

        @Override
        public void encode(Message message) {
            message.put64(0x20, adapter);
        }
    }
}
