package io.manafold.dropin.internal;

/** Makes foreign text fit to stand in a sentence: one line, no control characters, not too long. */
final class Wording {
    private static final int LONGEST = 240;

    private Wording() {
    }

    static String plain(String foreign) {
        if (foreign == null || foreign.isBlank()) {
            return "no reason given";
        }
        StringBuilder plain = new StringBuilder();
        boolean gap = false;
        for (int at = 0; at < foreign.length() && plain.length() < LONGEST; at++) {
            char c = foreign.charAt(at);
            if (Character.isWhitespace(c)) {
                gap = plain.length() > 0;
            } else {
                if (gap) {
                    plain.append(' ');
                    gap = false;
                }
                boolean shown = !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT
                        && !Character.isSurrogate(c);
                plain.append(shown ? c : '?');
            }
        }
        if (plain.length() >= LONGEST) {
            plain.append('…');
        }
        return plain.toString();
    }

    /** The innermost reason that says something, with its kind. */
    static String reason(Throwable thrown) {
        Throwable told = thrown;
        for (int depth = 0; told.getCause() != null && depth < 16; depth++) {
            told = told.getCause();
        }
        String kind = told.getClass().getSimpleName();
        return told.getMessage() == null ? kind : kind + ": " + plain(told.getMessage());
    }
}
