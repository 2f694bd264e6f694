package io.manafold.vfio.internal.protocol;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.stream.JsonParser;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The first message of a session: which version both sides speak and what they can do. */
final class Greeting {
    private static final int MOST_TEXT = 4096;
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
        multipleWrites = offersMultipleWrites(text(request));
        byte[] text = multipleWrites ? CAPABILITIES_WITH_MULTI : CAPABILITIES;
        answer.body(4 + text.length);
        answer.putInt(0, 0);
        answer.put(4, text);
    }

    private static String text(Request request) {
        int length = request.bodySize() - 4;
        if (length == 0) {
            return "{}";
        }
        if (length > MOST_TEXT || request.get(request.bodySize() - 1) != 0) {
            throw new Refusal(Errno.EINVAL, "the capabilities in VERSION " + (length > MOST_TEXT
                    ? "have " + length + " bytes; " + MOST_TEXT + " are allowed" : "do not end with a zero byte"));
        }
        byte[] text = new byte[length - 1];
        request.get(4, text);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
        } catch (CharacterCodingException garbled) {
            throw new Refusal(Errno.EINVAL, "the capabilities in VERSION are not UTF-8");
        }
    }

    private static boolean offersMultipleWrites(String text) {
        boolean offered = false;
        int depth = 0;
        String key = "";
        String section = "";
        try (JsonParser parser = Json.createParser(new StringReader(text))) {
            if (!parser.hasNext() || parser.next() != JsonParser.Event.START_OBJECT) {
                throw new Refusal(Errno.EINVAL, "the capabilities in VERSION are not a JSON object");
            }
            while (parser.hasNext()) {
                switch (parser.next()) {
                    case START_OBJECT, START_ARRAY -> {
                        section = depth++ == 0 ? key : section;
                    }
                    case END_OBJECT, END_ARRAY -> depth--;
                    case KEY_NAME -> key = parser.getString();
                    case VALUE_TRUE -> offered |=
                            depth == 1 && section.equals("capabilities") && key.equals("write_multiple");
                    default -> {
                    }
                }
            }
        } catch (JsonException malformed) {
            throw new Refusal(Errno.EINVAL, "the capabilities in VERSION are not JSON");
        }
        return offered;
    }
}
