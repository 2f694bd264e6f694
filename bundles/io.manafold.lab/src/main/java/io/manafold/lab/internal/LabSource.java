package io.manafold.lab.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * A lab as it is written, before anyone has tried to understand it.
 *
 * @param name the lab's name
 * @param origin {@link #BUILT_IN}, or the file it was read from
 */
record LabSource(String name, String origin, String text) {
    static final String BUILT_IN = "built in";
    /** The longest lab file in bytes. */
    static final int LONGEST = 256 * 1024;

    private static final int TITLE = 100;

    /** @throws Refusal if the bytes are too many or not text */
    static LabSource of(String name, String origin, byte[] bytes) {
        if (bytes.length > LONGEST) {
            throw new Refusal(Errno.EINVAL, file(name, origin) + " is longer than " + LONGEST / 1024
                    + " KiB; no lab needs that much: is it the right file?");
        }
        return new LabSource(name, origin, decode(bytes, file(name, origin)));
    }

    private static String decode(byte[] bytes, String file) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            Problems problems = new Problems();
            problems.add(YamlReader.positionAt(text, text.length()), () ->
                    "the byte 0x%02x is not UTF-8 here; save the file as UTF-8.".formatted(bytes[in.position()]));
            throw problems.refusal(file);
        }
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }

    private static String file(String name, String origin) {
        return origin.equals(BUILT_IN) ? "lab " + name : Words.clean(origin, 500);
    }

    /** What the lab is called in a sentence that also gives a line. */
    String file() {
        return file(name, origin);
    }

    /** The first comment line if the file begins with one, otherwise nothing. */
    String title() {
        String first = text.lines().filter(line -> !line.isBlank()).findFirst().orElse("").strip();
        return first.startsWith("#") ? Words.clean(first.replaceFirst("#+", "").strip(), TITLE) : "";
    }
}
