package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Lets a vPort send through a protection domain and a doorbell page. */
public record ConfigureVportTx(long vport, int protectionDomain, int doorbellPage)
        implements Request<ConfigureVportTx.Result> {
    public static ConfigureVportTx decode(Message message) {
        message.require(Command.CONFIGURE_VPORT_TX.requestSize(), Command.CONFIGURE_VPORT_TX);
        return new ConfigureVportTx(message.i64(0x28), message.i32(0x30), message.i32(0x34));
    }

    @Override
    public Command command() {
        return Command.CONFIGURE_VPORT_TX;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport).put32(0x30, protectionDomain).put32(0x34, doorbellPage);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /**
     * How sends name the vPort.
     *
     * @param offset goes into every send request
     */
    public record Result(int offset, boolean shortForm) implements Response {
        public static Result decode(Message message) {
            return new Result(message.u16(0x20), message.u8(0x22) != 0);
        }

        @Override
        public void encode(Message message) {
            message.put16(0x20, offset).put8(0x22, shortForm ? 1 : 0);
        }
    }
}
