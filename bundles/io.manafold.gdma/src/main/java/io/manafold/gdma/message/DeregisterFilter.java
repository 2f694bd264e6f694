package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Ends a filter. */
public record DeregisterFilter(long filter) implements Request<Done> {
    public static DeregisterFilter decode(Message message) {
        message.require(Command.DEREGISTER_FILTER.requestSize(), Command.DEREGISTER_FILTER);
        return new DeregisterFilter(message.i64(0x28));
    }

    @Override
    public Command command() {
        return Command.DEREGISTER_FILTER;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, filter);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
