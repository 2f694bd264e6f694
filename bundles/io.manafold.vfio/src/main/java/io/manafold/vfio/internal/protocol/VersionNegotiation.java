package io.manafold.vfio.internal.protocol;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.charset.StandardCharsets;

/** The first message of a session: which version both sides speak and what they can do. */
final class VersionNegotiation {
    private static final byte[] CAPABILITIES = capabilities(false);
    private static final byte[] CAPABILITIES_WITH_MULTI = capabilities(true);

    private boolean multipleWrites;

    private static byte[] capabilities(boolean multi) {
        // the other side warns of keys it does not know, and takes no answer longer than its question
        return ("{\"capabilities\":{\"max_msg_fds\":" + VfioUser.MAX_DESCRIPTORS + ",\"max_data_xfer_size\":"
                + VfioUser.MAX_TRANSFER + (multi ? ",\"write_multiple\":true" : "") + "}}\0")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether both sides can put several writes into one message. */
    boolean multipleWrites() {
        return multipleWrites;
    }

    void answer(Request request, Answer answer) {
        request.withoutDescriptors();
        int major = request.getInt(0) & 0xffff;
        if (major != 0) {
            throw new Refusal(Errno.EINVAL, "the other side speaks vfio-user " + major + "."
                    + (request.getInt(0) >>> 16) + "; version 0 is spoken here");
        }
        byte[] offered = new byte[request.bodySize() - 4];
        request.get(4, offered);
        multipleWrites = Capabilities.read(offered).multipleWrites();
        byte[] text = multipleWrites ? CAPABILITIES_WITH_MULTI : CAPABILITIES;
        answer.body(4 + text.length);
        answer.putInt(0, 0);
        answer.put(4, text);
    }
}
