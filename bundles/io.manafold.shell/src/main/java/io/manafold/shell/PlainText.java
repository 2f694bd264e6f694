package io.manafold.shell;

/** Makes text from outside safe to show: nothing in it can move the cursor, change colours or fake another line. */
public final class PlainText {
    private PlainText() {
    }

    /** The text with every control character written out, as {@code \n} or <code>&#92;u001b</code>. */
    public static String oneLine(String text) {
        return escape(text, false);
    }

    /** As {@link #oneLine}, but line breaks and tabs stay what they are. */
    public static String lines(String text) {
        return escape(text, true);
    }

    private static String escape(String text, boolean keepLines) {
        StringBuilder safe = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean harmless = !isControl(c) || keepLines && (c == '\n' || c == '\t');
            if (harmless && safe == null) {
                continue;
            }
            if (safe == null) {
                safe = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (harmless) {
                safe.append(c);
            } else {
                safe.append(switch (c) {
                    case '\n' -> "\\n";
                    case '\r' -> "\\r";
                    case '\t' -> "\\t";
                    default -> "\\u%04x".formatted((int) c);
                });
            }
        }
        return safe == null ? text : safe.toString();
    }

    /** Also what turns the writing direction round or breaks lines behind a terminal's back. */
    private static boolean isControl(char c) {
        return c < 0x20 || c >= 0x7f && c <= 0x9f || c == 0x061c || c >= 0x200e && c <= 0x200f
                || c >= 0x2028 && c <= 0x202e || c >= 0x2066 && c <= 0x2069 || c == 0xfeff;
    }
}
