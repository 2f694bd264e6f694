package io.manafold.streams;

/** Ways that data takes, as numbers that are kept with each transfer, and their words. */
public final class Paths {
    public static final int COPIED = 0;
    public static final int ZERO_COPY = 1;
    public static final int AREA = 2;
    private static final String[] WORDS = {"copied", "zero-copy", "area"};

    private Paths() {
    }

    static String word(int path) {
        return WORDS[path];
    }
}
