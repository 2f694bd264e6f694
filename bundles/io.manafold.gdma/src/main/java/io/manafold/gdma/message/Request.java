package io.manafold.gdma.message;

import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The body of a request. Each class that implements it also has a static {@code decode(Message)} for the device's side,
 * which refuses a message too short for its fields with {@code EPROTO} and leaves the meaning of values to the device.
 *
 * @param <R> its response; {@link Done} for a head alone
 */
@ProviderType
public interface Request<R extends Response> {
    Command command();

    /** The whole message in bytes, head included. */
    default int size() {
        return command().requestSize();
    }

    /** Writes the body behind the head into a message of {@link #size} zero bytes. */
    void encode(Message message);

    /** Reads the body of the response; the driver's side has checked its head. */
    R answer(Message message);

    /** The whole message, head included. */
    default Message write(Message message, int messageId, DeviceId device, int activity) {
        message.clear(size());
        RequestHead.of(command(), size(), messageId, device, activity).encode(message);
        encode(message);
        return message;
    }
}
