package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What the profile release adds to the repository folder: of each bundle its sources and its Javadoc. */
@EnabledIfSystemProperty(named = "manafold.released", matches = "true", disabledReason = "Maven was not told -Prelease")
class SourcesAndJavadocTest {
    private static final Path OURS = StrangersBuild.RELEASED.resolve("io/manafold");

    private static List<Path> rooms() throws IOException {
        List<Path> rooms = new ArrayList<>();
        for (String parent : List.of("bundles", "gogo-commands")) {
            try (Stream<Path> all = Files.list(Run.TOP.resolve(parent))) {
                all.filter(Files::isDirectory).sorted().forEach(rooms::add);
            }
        }
        assertThat(rooms).hasSizeGreaterThan(55);
        return rooms;
    }

    private static JarFile jar(Path room, String kind) throws IOException {
        return new JarFile(Archive.only(Archive.only(OURS.resolve(room.getFileName()), ".*"), ".*-" + kind + "\\.jar")
                .toFile());
    }

    @Test
    void eachSourceIsThereAsItIs() throws IOException {
        for (Path room : rooms()) {
            Path sources = room.resolve("src/main/java");
            try (JarFile jar = jar(room, "sources"); Stream<Path> all = Files.walk(sources)) {
                for (Path file : all.filter(one -> one.toString().endsWith(".java")).toList()) {
                    String name = sources.relativize(file).toString();
                    assertThat(jar.getEntry(name)).as("%s among the sources of %s", name, room).isNotNull();
                    try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
                        assertThat(in.readAllBytes()).as(name).isEqualTo(Files.readAllBytes(file));
                    }
                }
            }
        }
    }

    @Test
    void eachPackageHasItsJavadoc() throws IOException {
        for (Path room : rooms()) {
            Path sources = room.resolve("src/main/java");
            try (JarFile jar = jar(room, "javadoc"); Stream<Path> all = Files.walk(sources)) {
                assertThat(jar.getEntry("index.html")).as("the first page of %s", room).isNotNull();
                // what is shown of packages with protected and public types alone
                Set<String> shown = new TreeSet<>();
                jar.stream().filter(one -> one.getName().endsWith("/package-summary.html"))
                        .forEach(one -> shown.add(one.getName()));
                for (Path file : all.filter(one -> one.endsWith("package-info.java")).toList()) {
                    assertThat(shown).contains(sources.relativize(file).getParent() + "/package-summary.html");
                }
            }
        }
    }

    /** So that they are the same bytes as well. */
    @Test
    void noneTellsWhenOrOnWhichJdkItWasMade() throws IOException {
        List<String> told = new ArrayList<>();
        for (Path room : rooms()) {
            for (String kind : List.of("sources", "javadoc")) {
                try (JarFile jar = jar(room, kind)) {
                    jar.getManifest().getMainAttributes().keySet().stream().map(String::valueOf)
                            .filter(one -> one.startsWith("Build") || one.startsWith("Created"))
                            .forEach(one -> told.add(room.getFileName() + " " + kind + ": " + one));
                    jar.stream().filter(one -> one.getName().endsWith("pom.properties"))
                            .forEach(one -> told.add(room.getFileName() + " " + kind + ": " + one));
                }
            }
        }
        assertThat(told).isEmpty();
    }
}
