package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Tells who the driver is and which versions it speaks.
 *
 * @param flags1 of {@link io.manafold.gdma.Feature}
 * @param os 0x10 for Linux, 0x20 for Windows, 0x30 for others
 * @param system the system's name
 * @param release of the system
 * @param build of the system
 */
public record VerifyVersion(long lowest, long highest, long flags1, long flags2, long flags3, long flags4,
        long driverVersion, int os, int major, int minor, int patch, int platform, String system, String release,
        String build, String note) implements Request<VerifyVersion.Result> {
    public static final int LINUX = 0x10;
    public static final int WINDOWS = 0x20;
    public static final int OTHER = 0x30;

    private static final int TEXT = 128;

    public static VerifyVersion decode(Message message) {
        message.require(Command.VERIFY_VERSION.requestSize(), Command.VERIFY_VERSION);
        return new VerifyVersion(message.i64(0x28), message.i64(0x30), message.i64(0x38), message.i64(0x40),
                message.i64(0x48), message.i64(0x50), message.i64(0x58), message.i32(0x60), message.i32(0x68),
                message.i32(0x6c), message.i32(0x70), message.i32(0x74), message.text(0x80, TEXT),
                message.text(0x100, TEXT), message.text(0x180, TEXT), message.text(0x200, TEXT));
    }

    @Override
    public Command command() {
        return Command.VERIFY_VERSION;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, lowest).put64(0x30, highest).put64(0x38, flags1).put64(0x40, flags2).put64(0x48, flags3)
                .put64(0x50, flags4).put64(0x58, driverVersion).put32(0x60, os).put32(0x68, major).put32(0x6c, minor)
                .put32(0x70, patch).put32(0x74, platform).putText(0x80, TEXT, system).putText(0x100, TEXT, release)
                .putText(0x180, TEXT, build).putText(0x200, TEXT, note);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The version chosen and what the device can, flags of {@link io.manafold.gdma.Feature}. */
    public record Result(long version, long flags1, long flags2, long flags3, long flags4) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i64(0x20), message.i64(0x28), message.i64(0x30), message.i64(0x38),
                    message.i64(0x40));
        }

        @Override
        public void encode(Message message) {
            message.put64(0x20, version).put64(0x28, flags1).put64(0x30, flags2).put64(0x38, flags3)
                    .put64(0x40, flags4);
        }
    }
}
