package io.manafold.pmd.internal.words;

import io.manafold.api.refusal.Refusal;

/**
 * Part of a name of a type of messages: of the regular expressions that users of poll-mode drivers write those that
 * can be looked for in one go through the name, whatever they are. A bit for each place in it says whether what is
 * before that place has been found.
 */
final class TypeExpression {
    /** So that its places, and the one behind it, are the bits of a long. */
    private static final int MOST = 60;
    private static final String RULE = "here an expression for types of messages is of characters that stand for "
            + "themselves, '.' for any one, '*' for any number of the one before it, '^' at the beginning, '$' at the "
            + "end, and '\\' before one of these that stands for itself.";
    private static final String SPECIAL = "[](){}|+?*^$";

    private final StringBuilder characters = new StringBuilder();
    private final boolean fromStart;
    private final boolean toEnd;
    private long any;
    private long repeated;

    /** @throws Refusal {@code EINVAL} for one that says more, and one that is too long */
    TypeExpression(String text) {
        if (text.length() > MOST) {
            throw wrong("'" + text.substring(0, MOST) + "…' is longer than " + MOST
                    + " characters; name fewer.");
        }
        fromStart = text.startsWith("^");
        boolean ends = false;
        for (int at = fromStart ? 1 : 0; at < text.length(); at++) {
            char next = text.charAt(at);
            if (next == '$' && at == text.length() - 1) {
                ends = true;
            } else if (next == '*' && !characters.isEmpty() && !isRepeated(characters.length() - 1)) {
                repeated |= 1L << characters.length() - 1;
            } else {
                if (next == '.') {
                    any |= 1L << characters.length();
                } else if (next == '\\' && at + 1 < text.length() && isOther(text.charAt(at + 1))) {
                    next = text.charAt(++at);
                } else if (next == '\\' || SPECIAL.indexOf(next) >= 0 || Character.isISOControl(next)) {
                    throw wrong("'" + text + "' has '" + next + "' as character "
                            + (at + 1) + ", and " + RULE);
                }
                characters.append(next);
            }
        }
        toEnd = ends;
    }

    private static boolean isOther(char character) {
        return character == '.' || character == '\\' || SPECIAL.indexOf(character) >= 0;
    }

    private static Refusal wrong(String why) {
        return Typed.wrong("Unable to set log level: " + why);
    }

    private boolean isRepeated(int place) {
        return (repeated >> place & 1) != 0;
    }

    /** Whether it is found in the name of a type. */
    boolean isIn(String type) {
        long found = behindRepeated(1);
        for (int at = 0; at <= type.length(); at++) {
            if (!fromStart) {
                found |= behindRepeated(1);
            }
            if ((found >> characters.length() & 1) != 0 && (!toEnd || at == type.length())) {
                return true;
            }
            found = at < type.length() ? behindRepeated(after(found, type.charAt(at))) : 0;
        }
        return false;
    }

    private long after(long found, char next) {
        long then = 0;
        for (int place = 0; place < characters.length(); place++) {
            boolean fits = (any >> place & 1) != 0 || characters.charAt(place) == next;
            if (fits && (found >> place & 1) != 0) {
                then |= isRepeated(place) ? 1L << place : 2L << place;
            }
        }
        return then;
    }

    /** What may be there any number of times may be there no time. */
    private long behindRepeated(long found) {
        long all = found;
        for (int place = 0; place < characters.length(); place++) {
            if (isRepeated(place) && (all >> place & 1) != 0) {
                all |= 2L << place;
            }
        }
        return all;
    }
}
