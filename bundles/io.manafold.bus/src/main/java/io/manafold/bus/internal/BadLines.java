package io.manafold.bus.internal;

import java.util.List;

/** What is told of lines that cannot be read. */
final class BadLines {
    private static final int NAMED = 10;

    private BadLines() {
    }

    /** Puts a copy of the file aside, as the lines go with the next change. */
    static String sentence(AtomicFile file, List<String> numbers, String form) {
        String named = String.join(", ", numbers.subList(0, Math.min(NAMED, numbers.size())))
                + (numbers.size() > NAMED ? " and " + (numbers.size() - NAMED) + " more" : "");
        boolean one = numbers.size() == 1;
        return file.path() + ": " + (one ? "line " : "lines ") + named + (one ? " is not " : " are not ") + form
                + " and " + (one ? "is" : "are") + " left out; all others hold, and " + file.copyAside();
    }
}
