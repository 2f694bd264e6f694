package io.manafold.gdma.message;

import io.manafold.api.net.MacAddress;
import io.manafold.gdma.Command;

/**
 * Adds the address of a station to those that an adapter has, or removes it.
 *
 * @param operation {@link #ADD} or {@link #REMOVE}
 */
public record ConfigureRdmaMac(long adapter, int operation, MacAddress mac) implements Request<Done> {
    public static final int ADD = 1;
    public static final int REMOVE = 2;

    public static ConfigureRdmaMac decode(Message message) {
        message.require(Command.CONFIGURE_RDMA_MAC.requestSize(), Command.CONFIGURE_RDMA_MAC);
        return new ConfigureRdmaMac(message.i64(0x28), message.i32(0x30), message.reversedMac(0x34));
    }

    @Override
    public Command command() {
        return Command.CONFIGURE_RDMA_MAC;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, adapter).put32(0x30, operation).putReversedMac(0x34, mac);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
