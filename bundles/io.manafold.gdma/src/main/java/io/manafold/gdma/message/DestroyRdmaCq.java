package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Ends a completion queue and frees its region. */
public record DestroyRdmaCq(long adapter, long completionQueue) implements Request<Done> {
    public static DestroyRdmaCq decode(Message message) {
        message.require(Command.DESTROY_RDMA_CQ.requestSize(), Command.DESTROY_RDMA_CQ);
        return new DestroyRdmaCq(message.i64(0x28), message.i64(0x30));
    }

    @Override
    public Command command() {
        return Command.DESTROY_RDMA_CQ;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, adapter).put64(0x30, completionQueue);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
