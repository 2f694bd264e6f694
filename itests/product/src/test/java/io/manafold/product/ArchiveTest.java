package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is taken home: an archive that is unpacked somewhere, and needs a JDK and nothing else. */
@Timeout(300)
class ArchiveTest {
    private static final Path MADE = Run.TOP.resolve("release/target");
    private static final Pattern COMMAND = Pattern.compile("(?m)^### ([a-z_0-9]+)$");

    @TempDir
    Path folder;

    private Path place;
    private Path home;
    private Path program;
    private List<Path> files;

    /** So that the folder can be removed. */
    @AfterEach
    void unlock() {
        Run.of("chmod", "-R", "u+w", place.toString()).end().done();
    }

    private static Path only(Path in, String glob) throws IOException {
        try (Stream<Path> all = Files.list(in)) {
            List<Path> found = all.filter(one -> one.getFileName().toString().matches(glob)).toList();
            assertThat(found).as("%s in %s", glob, in).hasSize(1);
            return found.getFirst();
        }
    }

    @BeforeEach
    void unpack() throws IOException {
        // a folder of a person, and one nothing is written to
        Path person = Files.createDirectory(folder.resolve("täglich neu"));
        home = Files.createDirectory(folder.resolve("home"));
        Run.of("tar", "-xzf", only(MADE, "manafold-.*[.]tar[.]gz").toString(), "-C", person.toString()).end().done();
        place = only(person, "manafold-.*");
        program = place.resolve("bin/manafold");
        Run.of("chmod", "-R", "a-w", place.toString()).end().done();
        try (Stream<Path> all = Files.walk(place)) {
            files = all.sorted().toList();
        }
    }

    /** Without interfaces where that can be asked for: nothing is fetched. */
    private Run.Plan started(String... words) {
        Stream<String> alone = Run.of("unshare", "-n", "true").fed("").status() == 0 ? Stream.of("unshare", "-n")
                : Stream.of();
        String[] all = Stream.of(alone, Stream.of(program.toString()), Stream.of(words)).flatMap(Function.identity())
                .toArray(String[]::new);
        return Run.of(all).with("HOME", home.toString()).with("XDG_CACHE_HOME", home.resolve("cache").toString())
                .with("MANAFOLD_BUILD", "");
    }

    @Test
    void itRunsWhereItWasUnpackedAndWritesNothingThere() throws IOException {
        Run.Ended first = started("-c", "drivers --json; ping -c 1 -I mana0 10.77.0.2").end().done();
        assertThat(first.out()).contains("\"name\": \"ethernet\"", "1 packets transmitted, 1 received");
        assertThat(first.err()).isEqualTo("manafold: preparing fast starts, once ...\n");
        assertThat(started("-c", "drivers").end().done().err()).isEmpty();
        assertThat(only(home.resolve("cache/manafold"), ".*[.]aot")).isNotEmptyFile();
        assertThat(started("--help").end().done().out()).isEqualTo(Files.readString(place.resolve("lib/usage.txt")));
        try (Stream<Path> all = Files.walk(place)) {
            assertThat(all.sorted().toList()).isEqualTo(files);
        }
        // without a folder to prepare in it is slower, and that is all
        assertThat(started("-c", "drivers").with("XDG_CACHE_HOME", "/proc/none").end().done().err()).isEmpty();
    }

    @Test
    void aPartOfItIsToldFromTheWhole() throws IOException {
        Path jar = place.resolve("lib/manafold.jar");
        Run.of("chmod", "-R", "u+w", place.toString()).end().done();
        Files.write(jar, new byte[1000]);
        started("-c", "drivers").end().refused(1, "was not unpacked whole", "Unpack it again.");
        Files.delete(jar);
        started("-c", "drivers").end().refused(1, "was not unpacked whole", "Unpack it again.");
    }

    @Test
    void itsChecksumIsReadByOthers() {
        Run.of("sh", "-c", "cd '" + MADE + "' && sha256sum -c manafold-*.tar.gz.sha256").end().done();
    }

    /** The page of the manual and the completion know every command. */
    @Test
    void itsPagesAndCompletionComeFromTheCommands() throws IOException {
        String commands = Files.readString(Run.TOP.resolve("docs/commands.md"));
        String page = Files.readString(place.resolve("share/man/man7/manafold-commands.7"));
        String zsh = Files.readString(place.resolve("share/zsh/site-functions/_manafold"));
        int count = 0;
        for (Matcher command = COMMAND.matcher(commands); command.find(); count++) {
            assertThat(page).contains("\n.SS " + command.group(1) + "\n");
            assertThat(zsh).containsPattern("[( ]" + command.group(1) + "[ )]");
        }
        assertThat(count).isGreaterThan(40);
        assertThat(Files.readString(place.resolve("share/man/man1/manafold.1"))).contains("\\-\\-headless");
        assertThat(completed("manafold", "-c", "pkt")).isEqualTo("pktgen");
        assertThat(completed("manafold", "--head")).isEqualTo("--headless");
        assertThat(completed("manafold", "--lab", place + "/RE")).isEqualTo(place + "/README.md");
    }

    private String completed(String... words) {
        String typed = "'" + String.join("' '", words) + "'";
        return Run.of("bash", "-c", ". '" + place.resolve("share/bash-completion/completions/manafold")
                + "'; compopt() { :; }; COMP_WORDS=(" + typed + "); COMP_CWORD=" + (words.length - 1)
                + "; _manafold; printf '%s' \"${COMPREPLY[@]}\"").end().done().out();
    }
}
