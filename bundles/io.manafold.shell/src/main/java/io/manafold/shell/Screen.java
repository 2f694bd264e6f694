package io.manafold.shell;

import java.io.PrintStream;

/** A terminal on which each text takes the place of the one before, for what is looked at again and again. */
public final class Screen {
    /** The first place, what is right of a line, and what is below (ECMA-48). */
    private static final String HOME = "\u001b[H";
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String REST = "\u001b[J";
    private static final String ALL = HOME + "\u001b[2J";

    private boolean begun;

    /** @param text whole lines */
    public void show(PrintStream out, String text) {
        out.print((begun ? HOME : ALL) + text.replace("\n", REST_OF_LINE + "\n") + REST);
        out.flush();
        begun = true;
    }
}
