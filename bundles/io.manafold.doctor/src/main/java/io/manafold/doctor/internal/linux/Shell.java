package io.manafold.doctor.internal.linux;

import java.util.regex.Pattern;

/** Names of strangers in commands that a reader is to paste: each is one word there, whatever stands in it. */
public final class Shell {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]{1,1024}");
    /** Commands are cut where no reader goes on, and one that is cut inside of quotes would go on in the next line. */
    private static final int LONGEST = 1024;
    private static final String UNFIT = "'a name that no command can have'";

    private Shell() {
    }

    /** A name as one word of a command, in quotes where a shell would read something into it. */
    public static String word(String name) {
        if (PLAIN.matcher(name).matches()) {
            return name;
        }
        return name.length() > LONGEST || name.chars().anyMatch(Character::isISOControl) ? UNFIT
                : "'" + name.replace("'", "'\\''") + "'";
    }

    /** One line of what is to be pasted: what would end it is no part of it, be it a command or a remark. */
    public static String line(String text) {
        return text.chars().anyMatch(Shell::ends) ? text.codePoints().map(c -> ends(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString() : text;
    }

    private static boolean ends(int c) {
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
    }
}
