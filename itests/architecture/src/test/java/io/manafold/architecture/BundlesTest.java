package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What each bundle of the product says of itself, and that nothing in it tells when or on which JDK it was built. */
class BundlesTest {
    private static final LocalDateTime BUILT = LocalDateTime.of(2026, 11, 1, 0, 0);
    /** Headers that builders add of their own accord. */
    private static final Set<String> OF_THE_BUILD = Set.of("Bnd-LastModified", "Build-Jdk", "Build-Jdk-Spec",
            "Built-By", "Created-By", "Tool");

    private static List<Room> rooms() {
        List<Room> rooms = Room.all().stream().filter(Room::isOfProduct).toList();
        assertThat(rooms).hasSizeGreaterThan(55);
        return rooms;
    }

    @Test
    void eachNamesItsVendorItsCommitAndItsPage() throws IOException {
        Set<String> commits = new TreeSet<>();
        for (Room room : rooms()) {
            try (JarFile jar = new JarFile(room.built())) {
                Attributes headers = jar.getManifest().getMainAttributes();
                assertThat(headers.getValue("Bundle-Vendor")).as(room.name()).isEqualTo("Manafold");
                commits.add(String.valueOf(headers.getValue("Bundle-SCM")));
                String page = headers.getValue("Bundle-DocURL");
                assertThat(page).as("Bundle-DocURL of %s", room.name()).isNotNull();
                JarEntry entry = jar.getJarEntry(page);
                assertThat(entry).as("%s in %s, as Bundle-DocURL says", page, room.name()).isNotNull();
                try (InputStream in = jar.getInputStream(entry)) {
                    // an API's is the page for those who write against it
                    assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).as("the page of %s", room.name())
                            .isEqualTo(Files.readString(Files.exists(room.page()) ? room.page()
                                    : Path.of("../../docs/embedding.md")));
                }
            }
        }
        assertThat(commits).as("Bundle-SCM of one build").singleElement().asString().matches("tag=([0-9a-f]{40}|HEAD)");
    }

    @Test
    void noneTellsWhenOrOnWhichJdkItWasBuilt() throws IOException {
        List<String> told = new ArrayList<>();
        for (Room room : rooms()) {
            try (JarFile jar = new JarFile(room.built())) {
                jar.getManifest().getMainAttributes().keySet().stream().map(String::valueOf)
                        .filter(OF_THE_BUILD::contains).forEach(one -> told.add(room.name() + ": " + one));
                jar.stream().filter(entry -> entry.getName().endsWith("/pom.properties")
                        || !entry.getTimeLocal().equals(BUILT)).map(ZipEntry::getName)
                        .forEach(one -> told.add(room.name() + ": " + one));
            }
        }
        assertThat(told).isEmpty();
    }

    /** What is exported has them in an order that Maven's own JDK decides. */
    @Test
    void theLinesOfTheProductsSettingsAreInOrder() throws IOException {
        for (String product : List.of("manafold.jar", "equinox.jar")) {
            try (JarFile jar = new JarFile(Room.TOP.resolve("bndrun/target").resolve(product).toFile());
                    InputStream in = jar.getInputStream(jar.getJarEntry("launcher.properties"))) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).lines()).as(product)
                        .hasSizeGreaterThan(10).isSorted();
                assertThat(jar.stream()).as(product).hasSizeGreaterThan(80).allSatisfy(entry ->
                        assertThat(entry.getMethod()).as(entry.getName()).isEqualTo(ZipEntry.STORED));
                assertThat(jar.stream().map(ZipEntry::getTimeLocal).distinct()).as(product).hasSize(1);
            }
        }
    }

    /** It named 33 before bundles said what they bring, and the resolver knows the rest. */
    @Test
    void theCompositionNamesAtMostHalfOfWhatItDid() {
        String platform = Room.text(Room.TOP.resolve("bndrun/platform.bnd"));
        String required = platform.replaceAll("(?s).*\n-runrequires: (.*?)\n\n.*", "$1");
        assertThat(required.split(",\\\\\n")).hasSizeBetween(10, 33 / 2);
    }

    /** A reader of a stream finds the manifest of a bundle only there. */
    @Test
    void theManifestComesFirst() throws IOException {
        for (Room room : rooms()) {
            try (JarInputStream in = new JarInputStream(Files.newInputStream(room.built().toPath()))) {
                assertThat(in.getManifest()).as(room.name()).isNotNull();
            }
        }
    }
}
