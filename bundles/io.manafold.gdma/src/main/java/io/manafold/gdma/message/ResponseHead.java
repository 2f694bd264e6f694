package io.manafold.gdma.message;

import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Status;

/**
 * The first 32 bytes of a response.
 *
 * @param length the whole response in bytes
 * @param status a value of {@link Status}
 */
public record ResponseHead(int command, int version, int messageId, int length, DeviceId device, int activity,
        int status) {
    public static final int SIZE = 32;

    /**
     * The head that answers a request: everything that is echoed is, the version is the lower of what is expected and
     * what is implemented, the length is what the driver expects.
     */
    public static ResponseHead to(RequestHead request, int implementedVersion, int status) {
        return new ResponseHead(request.command(), Math.min(request.responseVersion(), implementedVersion),
                request.messageId(), request.responseLength(), request.device(), request.activity(), status);
    }

    /** Reads it; refused if the message is shorter. */
    public static ResponseHead decode(Message message) {
        message.require(SIZE, "response head");
        return new ResponseHead(message.i32(0x04), message.u16(0x08), message.u16(0x0a), message.i32(0x0c),
                DeviceId.of(message.i32(0x10)), message.i32(0x14), message.i32(0x18));
    }

    public void encode(Message message) {
        message.put32(0x00, 0).put32(0x04, command).put16(0x08, version).put16(0x0a, messageId).put32(0x0c, length)
                .put32(0x10, device.word()).put32(0x14, activity).put32(0x18, status).put32(0x1c, 0);
    }
}
