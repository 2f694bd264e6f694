package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Makes a memory region. What the second and third number mean depends on the type.
 *
 * @param type a constant of this class
 * @param source the region of pages, or the handle of device memory
 * @param address the virtual address of the first byte, or the offset in device memory; unused for others
 * @param access bits of the constants of this class
 * @param length for device memory
 */
public record CreateMr(long protectionDomain, int type, long source, long address, int access, long length)
        implements Request<CreateMr.Result> {
    public static final int PHYSICAL = 1;
    public static final int VIRTUAL = 2;
    public static final int ZERO_BASED = 4;
    public static final int DEVICE_MEMORY = 5;
    public static final int WINDOW_1 = 6;
    public static final int WINDOW_2 = 7;

    public static final int LOCAL_READ = 1;
    public static final int LOCAL_WRITE = 1 << 1;
    public static final int REMOTE_READ = 1 << 2;
    public static final int REMOTE_WRITE = 1 << 3;
    public static final int REMOTE_ATOMIC = 1 << 4;
    public static final int BIND_WINDOW = 1 << 5;

    public static CreateMr decode(Message message) {
        message.require(Command.CREATE_MR.requestSize(), Command.CREATE_MR);
        int type = message.i32(0x30);
        boolean zeroBased = type == ZERO_BASED;
        return new CreateMr(message.i64(0x28), type, message.i64(0x38), zeroBased ? 0 : message.i64(0x40),
                message.i32(zeroBased ? 0x40 : 0x48), message.i64(0x50));
    }

    @Override
    public Command command() {
        return Command.CREATE_MR;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, protectionDomain).put32(0x30, type).put64(0x38, source).put64(0x50, length);
        if (type == ZERO_BASED) {
            message.put32(0x40, access);
        } else {
            message.put64(0x40, address).put32(0x48, access);
        }
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The new region and its keys. */
    public record Result(long handle, int localKey, int remoteKey) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i64(0x20), message.i32(0x28), message.i32(0x2c));
        }

        @Override
        public void encode(Message message) {
            message.put64(0x20, handle).put32(0x28, localKey).put32(0x2c, remoteKey);
        }
    }
}
