package io.manafold.vfio.internal.protocol;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import jakarta.json.JsonException;
import jakarta.json.spi.JsonProvider;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a side says it can do, in the JSON of its VERSION message. What it says nothing of has the protocol's preset.
 *
 * @param descriptors how many come with a message at most
 * @param transfer how many bytes an access moves at most
 * @param multipleWrites whether several writes may come in one message
 */
public record Capabilities(long descriptors, long transfer, boolean multipleWrites) {
    private static final int MOST_TEXT = 4096;
    private static final long PRESET_DESCRIPTORS = 1;
    /** Asked for once: each call of {@code Json} looks through all JARs for an implementation. */
    private static final JsonParserFactory PARSERS = JsonProvider.provider().createParserFactory(Map.of());

    /**
     * Reads them.
     *
     * @param bytes the text with its zero byte, or nothing
     * @throws Refusal {@code EINVAL} for what is not such a text
     */
    public static Capabilities read(byte[] bytes) {
        if (bytes.length == 0) {
            return new Capabilities(PRESET_DESCRIPTORS, VfioUser.MAX_TRANSFER, false);
        }
        if (bytes.length > MOST_TEXT || bytes[bytes.length - 1] != 0) {
            throw new Refusal(Errno.EINVAL, "the capabilities in VERSION " + (bytes.length > MOST_TEXT
                    ? "have " + bytes.length + " bytes; " + MOST_TEXT + " are allowed"
                    : "do not end with a zero byte"));
        }
        try {
            return parse(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, bytes.length - 1))
                    .toString());
        } catch (CharacterCodingException garbled) {
            throw new Refusal(Errno.EINVAL, "the capabilities in VERSION are not UTF-8");
        }
    }

    private static Capabilities parse(String text) {
        long descriptors = PRESET_DESCRIPTORS;
        long transfer = VfioUser.MAX_TRANSFER;
        boolean multiple = false;
        int depth = 0;
        String key = "";
        String section = "";
        try (JsonParser parser = PARSERS.createParser(new StringReader(text))) {
            if (!parser.hasNext() || parser.next() != JsonParser.Event.START_OBJECT) {
                throw new Refusal(Errno.EINVAL, "the capabilities in VERSION are not a JSON object");
            }
            while (parser.hasNext()) {
                JsonParser.Event event = parser.next();
                boolean ours = depth == 1 && section.equals("capabilities");
                switch (event) {
                    case START_OBJECT, START_ARRAY -> section = depth++ == 0 ? key : section;
                    case END_OBJECT, END_ARRAY -> depth--;
                    case KEY_NAME -> key = parser.getString();
                    case VALUE_TRUE -> multiple |= ours && key.equals("write_multiple");
                    case VALUE_NUMBER -> {
                        if (ours && key.equals("max_msg_fds")) {
                            descriptors = parser.getLong();
                        } else if (ours && key.equals("max_data_xfer_size")) {
                            transfer = parser.getLong();
                        }
                    }
                    default -> {
                    }
                }
            }
        } catch (JsonException malformed) {
            throw new Refusal(Errno.EINVAL, "the capabilities in VERSION are not JSON");
        }
        return new Capabilities(descriptors, transfer, multiple);
    }
}
