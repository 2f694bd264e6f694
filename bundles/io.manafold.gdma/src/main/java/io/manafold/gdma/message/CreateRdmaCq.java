package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Makes a completion queue over a region, which then belongs to it; the region's length says how many entries it has.
 *
 * @param eventQueue is told of completions if a driver asks for it
 * @param page the doorbell page on which the queue is rung
 */
public record CreateRdmaCq(long adapter, long region, int eventQueue, int page)
        implements Request<CreateRdmaCq.Result> {
    public static CreateRdmaCq decode(Message message) {
        message.require(Command.CREATE_RDMA_CQ.requestSize(), Command.CREATE_RDMA_CQ);
        return new CreateRdmaCq(message.i64(0x28), message.i64(0x30), message.i32(0x38), message.i32(0x3c));
    }

    @Override
    public Command command() {
        return Command.CREATE_RDMA_CQ;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, adapter).put64(0x30, region).put32(0x38, eventQueue).put32(0x3c, page);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The new queue; its id is what events and doorbells name. */
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
