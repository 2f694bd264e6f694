package io.manafold.commands.lab.internal;

import java.util.List;
import java.util.regex.Pattern;

/** The line that starts a virtual machine, written so that a shell reads it as it is meant. */
final class QemuLine {
    static final String PROGRAM = "qemu-system-x86_64";
    private static final int WIDTH = 80;
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private QemuLine() {
    }

    /** On several lines, each but the last with a backslash at its end; an option stays with its value. */
    static String of(List<String> arguments) {
        StringBuilder text = new StringBuilder();
        StringBuilder line = new StringBuilder(PROGRAM);
        for (int i = 0; i < arguments.size(); i++) {
            StringBuilder group = new StringBuilder(quote(arguments.get(i)));
            while (i + 1 < arguments.size() && !arguments.get(i + 1).startsWith("-")) {
                group.append(' ').append(quote(arguments.get(++i)));
            }
            if (line.length() + 1 + group.length() + " \\".length() > WIDTH) {
                text.append(line).append(" \\\n");
                line.setLength(0);
                line.append("   ");
            }
            line.append(' ').append(group);
        }
        return text.append(line).toString();
    }

    /** The same on one line. */
    static String single(List<String> arguments) {
        StringBuilder line = new StringBuilder(PROGRAM);
        arguments.forEach(argument -> line.append(' ').append(quote(argument)));
        return line.toString();
    }

    /** The word as a shell has to read it. */
    static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
