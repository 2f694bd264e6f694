package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Makes a reliable connected queue pair over up to five regions, which then belong to it.
 *
 * @param sendCompletions also gets what ends reads
 * @param sendRequester the ring of sends, writes and reads, and behind it the {@link io.manafold.gdma.RollbackTrailer}
 * @param sendResponder scratch of the device
 * @param memoryManagement 0 without such a queue
 * @param receiveRequester the ring of what reads land in
 * @param receiveResponder the ring of receives
 * @param flags {@link #NO_MEMORY_MANAGEMENT} or 0
 * @param page the doorbell page on which its queues are rung
 */
public record CreateRcQp(long adapter, long protectionDomain, long sendCompletions, long receiveCompletions,
        long sendRequester, long sendResponder, long memoryManagement, long receiveRequester, long receiveResponder,
        long flags, int page, int sends, int receives, int sendPieces, int receivePieces)
        implements Request<CreateRcQp.Result> {
    /** Of the flags: there is no queue for memory management. */
    public static final long NO_MEMORY_MANAGEMENT = 2;

    public static CreateRcQp decode(Message message) {
        message.require(Command.CREATE_RC_QP.requestSize(), Command.CREATE_RC_QP);
        return new CreateRcQp(message.i64(0x28), message.i64(0x30), message.i64(0x38), message.i64(0x40),
                message.i64(0x48), message.i64(0x50), message.i64(0x58), message.i64(0x60), message.i64(0x68),
                message.i64(0x80), message.i32(0x88), message.i32(0x8c), message.i32(0x90), message.i32(0x94),
                message.i32(0x98));
    }

    @Override
    public Command command() {
        return Command.CREATE_RC_QP;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, adapter).put64(0x30, protectionDomain).put64(0x38, sendCompletions)
                .put64(0x40, receiveCompletions).put64(0x48, sendRequester).put64(0x50, sendResponder)
                .put64(0x58, memoryManagement).put64(0x60, receiveRequester).put64(0x68, receiveResponder)
                .put64(0x80, flags).put32(0x88, page).put32(0x8c, sends).put32(0x90, receives).put32(0x94, sendPieces)
                .put32(0x98, receivePieces);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The new queue pair and the ids of its queues; its number is the id of the receive responder. */
    public record Result(long handle, int sendRequester, int sendResponder, int memoryManagement,
            int receiveRequester, int receiveResponder) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i64(0x20), message.i32(0x28), message.i32(0x2c), message.i32(0x30),
                    message.i32(0x34), message.i32(0x38));
        }

        @Override
        public void encode(Message message) {
            message.put64(0x20, handle).put32(0x28, sendRequester).put32(0x2c, sendResponder)
                    .put32(0x30, memoryManagement).put32(0x34, receiveRequester).put32(0x38, receiveResponder);
        }
    }
}
