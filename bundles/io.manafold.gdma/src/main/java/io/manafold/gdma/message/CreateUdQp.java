package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Makes a queue pair for datagrams over two regions, which then belong to it.
 *
 * @param type {@link #MANAGEMENT} or {@link #DATAGRAM}
 * @param page the doorbell page on which its queues are rung
 */
public record CreateUdQp(long adapter, long protectionDomain, long sendCompletions, long receiveCompletions,
        long sendRegion, long receiveRegion, int type, int page, int sends, int receives, int sendPieces,
        int receivePieces) implements Request<CreateUdQp.Result> {
    /** The type of the queue pair for management datagrams, number 1. */
    public static final int MANAGEMENT = 1;
    public static final int DATAGRAM = 4;

    public static CreateUdQp decode(Message message) {
        message.require(Command.CREATE_UD_QP.requestSize(), Command.CREATE_UD_QP);
        return new CreateUdQp(message.i64(0x28), message.i64(0x30), message.i64(0x38), message.i64(0x40),
                message.i64(0x48), message.i64(0x50), message.i32(0x58), message.i32(0x5c), message.i32(0x60),
                message.i32(0x64), message.i32(0x68), message.i32(0x6c));
    }

    @Override
    public Command command() {
        return Command.CREATE_UD_QP;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, adapter).put64(0x30, protectionDomain).put64(0x38, sendCompletions)
                .put64(0x40, receiveCompletions).put64(0x48, sendRegion).put64(0x50, receiveRegion).put32(0x58, type)
                .put32(0x5c, page).put32(0x60, sends).put32(0x64, receives).put32(0x68, sendPieces)
                .put32(0x6c, receivePieces);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The new queue pair; its number is the id of its receive queue. */
    public record Result(long handle, int sendQueue, int receiveQueue) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i64(0x20), message.i32(0x28), message.i32(0x2c));
        }

        @Override
        public void encode(Message message) {
            message.put64(0x20, handle).put32(0x28, sendQueue).put32(0x2c, receiveQueue);
        }
    }
}
