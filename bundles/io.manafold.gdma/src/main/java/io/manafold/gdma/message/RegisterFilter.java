package io.manafold.gdma.message;

import io.manafold.api.net.MacAddress;
import io.manafold.gdma.Command;

/** Has frames to an address delivered to a vPort. */
public record RegisterFilter(long vport, MacAddress mac) implements Request<RegisterFilter.Result> {
    public static RegisterFilter decode(Message message) {
        message.require(Command.REGISTER_FILTER.requestSize(), Command.REGISTER_FILTER);
        return new RegisterFilter(message.i64(0x28), message.mac(0x30));
    }

    @Override
    public Command command() {
        return Command.REGISTER_FILTER;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport).putMac(0x30, mac);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The new filter. */
    public record Result(long filter) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i64(0x20));
        }

        @Override
        public void encode(Message message) {
            message.put64(0x20, filter);
        }
    }
}
