package io.manafold.gdma.message;

import io.manafold.gdma.Command;
import io.manafold.gdma.Gid;

/**
 * Adds an address to the set of those that an adapter has, or removes it.
 *
 * @param operation {@link #ADD} or {@link #REMOVE}
 * @param family {@link Gid#IPV4} or {@link Gid#IPV6}
 */
public record ConfigureRdmaGid(long adapter, int operation, int family, Gid gid) implements Request<Done> {
    public static final int ADD = 1;
    public static final int REMOVE = 2;

    public static ConfigureRdmaGid decode(Message message) {
        message.require(Command.CONFIGURE_RDMA_GID.requestSize(), Command.CONFIGURE_RDMA_GID);
        return new ConfigureRdmaGid(message.i64(0x28), message.i32(0x30), message.i32(0x34),
                message.reversedGid(0x38));
    }

    @Override
    public Command command() {
        return Command.CONFIGURE_RDMA_GID;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, adapter).put32(0x30, operation).put32(0x34, family).putReversedGid(0x38, gid);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
