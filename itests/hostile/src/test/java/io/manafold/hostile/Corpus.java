package io.manafold.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The kept inputs of a kind: one file each, in a folder of the sources. */
record Corpus(Path folder) {
    static Corpus of(Kind kind) {
        return new Corpus(Path.of("src/test/corpus", kind.name().toLowerCase(Locale.ROOT)).toAbsolutePath());
    }

    List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList();
        }
    }

    /** Writes the inputs of sound users anew: run by hand when they say something new. */
    public static void main(String[] none) throws Exception {
        for (Kind kind : Kind.values()) {
            Path folder = Files.createDirectories(of(kind).folder());
            try (Taker taker = kind.open()) {
                List<byte[]> seeds = taker.seeds();
                for (int i = 0; i < seeds.size(); i++) {
                    Files.write(folder.resolve("seed-%02d".formatted(i)), seeds.get(i));
                }
            }
        }
        System.exit(0);
    }
}
