package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Asks how fast a vPort is. */
public record QueryLinkConfig(long vport) implements Request<QueryLinkConfig.Result> {
    public static QueryLinkConfig decode(Message message) {
        message.require(Command.QUERY_LINK_CONFIG.requestSize(), Command.QUERY_LINK_CONFIG);
        return new QueryLinkConfig(message.i64(0x28));
    }

    @Override
    public Command command() {
        return Command.QUERY_LINK_CONFIG;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /**
     * The speed of a vPort.
     *
     * @param maximum megabits a second
     * @param current megabits a second
     */
    public record Result(int maximum, boolean unconfigured, int current) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i32(0x20), message.u8(0x24) != 0, message.i32(0x28));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, maximum).put8(0x24, unconfigured ? 1 : 0).put32(0x28, current);
        }
    }
}
