package io.manafold.gdma.message;

import io.manafold.gdma.Command;
import io.manafold.gdma.Limits;
import io.manafold.gdma.Status;
import org.osgi.annotation.versioning.ProviderType;

/** The body of a response. */
@ProviderType
public interface Response {
    /** Writes the body behind the head into a zeroed message, as far as the message reaches. */
    void encode(Message message);

    /**
     * The whole response to a request. It has the length that the driver has room for: what it knows of newer fields it
     * sees as zero, what it does not know of is cut.
     *
     * @param body {@code null} for a head alone, as every refusal is
     */
    static Message write(Message message, RequestHead request, int status, Response body) {
        Command command = Command.of(request.command());
        int implemented = command == null ? 1 : command.responseVersion();
        int full = command == null ? ResponseHead.SIZE : command.responseSize();
        int expected = Math.clamp(Integer.toUnsignedLong(request.responseLength()), ResponseHead.SIZE, Limits.MESSAGE);
        message.clear(Math.max(full, expected));
        ResponseHead.to(request, Math.max(1, implemented), status).encode(message);
        if (body != null && (status == Status.SUCCESS || status == Status.MORE_ENTRIES)) {
            body.encode(message);
        }
        return message.resize(expected);
    }
}
