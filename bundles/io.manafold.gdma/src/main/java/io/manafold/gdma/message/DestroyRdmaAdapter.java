package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Ends an adapter. */
public record DestroyRdmaAdapter(long adapter) implements Request<Done> {
    public static DestroyRdmaAdapter decode(Message message) {
        message.require(Command.DESTROY_RDMA_ADAPTER.requestSize(), Command.DESTROY_RDMA_ADAPTER);
        return new DestroyRdmaAdapter(message.i64(0x28));
    }

    @Override
    public Command command() {
        return Command.DESTROY_RDMA_ADAPTER;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, adapter);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
