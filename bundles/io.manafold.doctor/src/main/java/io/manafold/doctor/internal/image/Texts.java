package io.manafold.doctor.internal.image;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.refusal.Refusal;
import java.util.stream.Stream;

/** Texts of an image: one that cannot be read says nothing. */
final class Texts {
    private static final int LONGEST_LINE = 4096;

    private Texts() {
    }

    static String of(Evidence image, String path) {
        try {
            return image.text(path).orElse("");
        } catch (Refusal e) {
            return "";
        }
    }

    static Stream<String> lines(Evidence image, String path) {
        return of(image, path).lines().filter(line -> line.length() <= LONGEST_LINE);
    }
}
