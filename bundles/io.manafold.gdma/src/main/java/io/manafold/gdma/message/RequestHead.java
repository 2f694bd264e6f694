package io.manafold.gdma.message;

import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;

/**
 * The first 40 bytes of a request.
 *
 * @param length the whole request in bytes as its sender counts it
 * @param responseCommand the command that the response shall name
 * @param responseLength how many bytes of response its sender has room for
 * @param activity a number that is echoed
 */
public record RequestHead(int command, int version, int messageId, int length, int responseCommand,
        int responseVersion, int responseMessageId, int responseLength, DeviceId device, int activity) {
    public static final int SIZE = 40;

    /** The head of a request as drivers send it. */
    public static RequestHead of(Command command, int length, int messageId, DeviceId device, int activity) {
        return new RequestHead(command.code(), command.requestVersion(), messageId, length, command.code(),
                command.responseVersion(), messageId, command.responseSize(), device, activity);
    }

    /** Reads it; refused if the message is shorter. */
    public static RequestHead decode(Message message) {
        message.require(SIZE, "request head");
        return new RequestHead(message.i32(0x04), message.u16(0x08), message.u16(0x0a), message.i32(0x0c),
                message.i32(0x14), message.u16(0x18), message.u16(0x1a), message.i32(0x1c),
                DeviceId.of(message.i32(0x20)), message.i32(0x24));
    }

    public void encode(Message message) {
        message.put32(0x00, 0).put32(0x04, command).put16(0x08, version).put16(0x0a, messageId).put32(0x0c, length)
                .put32(0x10, 0).put32(0x14, responseCommand).put16(0x18, responseVersion)
                .put16(0x1a, responseMessageId).put32(0x1c, responseLength).put32(0x20, device.word())
                .put32(0x24, activity);
    }

    /** The command in words. */
    public String label() {
        return Command.label(command);
    }
}
