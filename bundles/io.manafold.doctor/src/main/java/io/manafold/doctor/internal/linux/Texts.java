package io.manafold.doctor.internal.linux;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.refusal.Refusal;
import java.util.stream.Stream;

/**
 * Texts of an image: one that cannot be read says nothing. They are looked at line by line, and lines that are longer
 * than any that a person writes are left out: a search takes its time by the length of a line.
 */
public final class Texts {
    private static final int LONGEST_LINE = 4096;

    private Texts() {
    }

    public static String of(Evidence image, String path) {
        try {
            return image.text(path).orElse("");
        } catch (Refusal e) {
            return "";
        }
    }

    public static Stream<String> lines(Evidence image, String path) {
        return lines(of(image, path));
    }

    public static Stream<String> lines(String text) {
        return text.lines().filter(line -> line.length() <= LONGEST_LINE);
    }
}
