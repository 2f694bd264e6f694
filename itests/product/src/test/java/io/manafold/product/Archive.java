package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What is taken home, unpacked in a folder of a person, with a home of its own. Nothing in it can be written. */
final class Archive implements AutoCloseable {
    static final Path MADE = Run.TOP.resolve("release/target");

    /** Where it was unpacked: bin, lib, share. */
    final Path place;
    final Path home;
    final Path program;

    private Archive(Path place, Path home) {
        this.place = place;
        this.home = home;
        program = place.resolve("bin/manafold");
    }

    static Archive unpacked(Path folder) throws IOException {
        Path person = Files.createDirectory(folder.resolve("täglich neu"));
        Path home = Files.createDirectory(folder.resolve("zu Häusern"));
        Run.of("tar", "-xzf", packed().toString(), "-C", person.toString()).end().done();
        Archive archive = new Archive(only(person, "manafold-.*"), home);
        Run.of("chmod", "-R", "a-w", archive.place.toString()).end().done();
        return archive;
    }

    static Path packed() throws IOException {
        return only(MADE, "manafold-.*[.]tar[.]gz");
    }

    static Path only(Path in, String glob) throws IOException {
        try (Stream<Path> all = Files.list(in)) {
            List<Path> found = all.filter(one -> one.getFileName().toString().matches(glob)).toList();
            assertThat(found).as("%s in %s", glob, in).hasSize(1);
            return found.getFirst();
        }
    }

    /** The program, and what is before it on its line. */
    Run.Plan started(List<String> before, String... words) {
        return environment(Run.of(Stream.of(before.stream(), Stream.of(program.toString()), Stream.of(words))
                .flatMap(each -> each).toArray(String[]::new)));
    }

    Run.Plan started(String... words) {
        return started(List.of(), words);
    }

    /** A home and a cache of its own, and no wish about what is built. */
    Run.Plan environment(Run.Plan plan) {
        return plan.with("HOME", home.toString()).with("XDG_CACHE_HOME", home.resolve("cache").toString())
                .with("MANAFOLD_BUILD", "");
    }

    /** Lets the folder be removed. */
    @Override
    public void close() {
        Run.of("chmod", "-R", "u+w", place.toString()).end().done();
    }
}
