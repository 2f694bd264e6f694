package io.manafold.gdma.message;

import io.manafold.api.net.MacAddress;
import io.manafold.gdma.Command;

/**
 * Asks what a vPort is like.
 *
 * @param index from 0
 */
public record QueryVportConfig(int index) implements Request<QueryVportConfig.Result> {
    public static QueryVportConfig decode(Message message) {
        message.require(Command.QUERY_VPORT_CONFIG.requestSize(), Command.QUERY_VPORT_CONFIG);
        return new QueryVportConfig(message.i32(0x28));
    }

    @Override
    public Command command() {
        return Command.QUERY_VPORT_CONFIG;
    }

    @Override
    public void encode(Message message) {
        message.put32(0x28, index);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /**
     * The vPort.
     *
     * @param indirection entries of the indirection table, the same for ever
     * @param vport the handle that other commands name it by
     */
    public record Result(int sendQueues, int receiveQueues, int indirection, MacAddress mac, long vport)
            implements Response {
        public static Result decode(Message message) {
            return new Result(message.i32(0x20), message.i32(0x24), message.i32(0x28), message.mac(0x30),
                    message.i64(0x38));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, sendQueues).put32(0x24, receiveQueues).put32(0x28, indirection).putMac(0x30, mac)
                    .put64(0x38, vport);
        }
    }
}
