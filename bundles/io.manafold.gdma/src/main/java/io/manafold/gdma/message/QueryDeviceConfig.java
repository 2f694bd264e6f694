package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Tells what the driver can and asks what the device is like. */
public record QueryDeviceConfig(long flags1, long flags2, long flags3, long flags4, int major, int minor, int micro)
        implements Request<QueryDeviceConfig.Result> {
    public static QueryDeviceConfig decode(Message message) {
        message.require(Command.QUERY_DEVICE_CONFIG.requestSize(), Command.QUERY_DEVICE_CONFIG);
        return new QueryDeviceConfig(message.i64(0x28), message.i64(0x30), message.i64(0x38), message.i64(0x40),
                message.i32(0x48), message.i32(0x4c), message.i32(0x50));
    }

    @Override
    public Command command() {
        return Command.QUERY_DEVICE_CONFIG;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, flags1).put64(0x30, flags2).put64(0x38, flags3).put64(0x40, flags4).put32(0x48, major)
                .put32(0x4c, minor).put32(0x50, micro);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /**
     * The device in numbers.
     *
     * @param frame the longest frame with its Ethernet header, 0 for 1514
     */
    public record Result(long flags1, long flags2, long flags3, long flags4, int vports, int bareMetal,
            int eventQueues, int frame) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i64(0x20), message.i64(0x28), message.i64(0x30), message.i64(0x38),
                    message.u16(0x40), message.u8(0x42), message.i32(0x44), message.u16(0x48));
        }

        @Override
        public void encode(Message message) {
            message.put64(0x20, flags1).put64(0x28, flags2).put64(0x30, flags3).put64(0x38, flags4)
                    .put16(0x40, vports).put8(0x42, bareMetal).put32(0x44, eventQueues).put16(0x48, frame);
        }
    }
}
