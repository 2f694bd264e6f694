package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LayersTest {
    private static final Path TOP = Path.of("..", "..");

    private final Layers layers = new Layers();

    @Test
    void everyBundleUsesOnlyWhatIsBelowIt() throws IOException {
        Map<String, Manifest> bundles = bundles();
        Map<String, String> exporters = new HashMap<>();
        bundles.forEach((name, manifest) -> packages(manifest, "Export-Package")
                .forEach(exported -> exporters.put(exported, name)));
        List<String> wrong = new ArrayList<>();
        bundles.forEach((name, manifest) ->
                wrong.addAll(layers.wrongArrows(name, packages(manifest, "Import-Package"), exporters)));
        assertThat(wrong).isEmpty();
    }

    @Test
    void onlyTheVocabularyTheLowerLayersAndTheShellExportAnything() throws IOException {
        bundles().forEach((name, manifest) -> {
            int layer = layers.of(name.substring("io.manafold.".length()));
            if (layer >= 4 && !name.equals("io.manafold.shell") && !name.equals("io.manafold.logging")) {
                assertThat(packages(manifest, "Export-Package")).as("packages that %s exports", name).isEmpty();
            }
        });
    }

    @Test
    void aBundleHasTheNameOfItsFolderAndSaysWhatItIs() throws IOException {
        bundles().forEach((name, manifest) -> {
            assertThat(manifest.getMainAttributes().getValue("Bundle-Name")).as("Bundle-Name of %s", name).isNotBlank();
            assertThat(manifest.getMainAttributes().getValue("Bundle-Description")).as("description of %s", name)
                    .isNotBlank();
        });
    }

    @Test
    void wrongArrowsAreFound() {
        Map<String, String> exporters = Map.of("io.manafold.api.device", "io.manafold.api.device",
                "io.manafold.bus.secrets", "io.manafold.bus", "io.manafold.memory", "io.manafold.memory",
                "io.manafold.shell", "io.manafold.shell", "io.manafold.lab", "io.manafold.lab");
        assertWrong("io.manafold.ethernet", "io.manafold.bus.secrets", "meet as services", exporters);
        assertWrong("io.manafold.lab", "io.manafold.bus.secrets", "meet as services", exporters);
        assertWrong("io.manafold.packet", "io.manafold.memory", "nothing above", exporters);
        assertWrong("io.manafold.api.net", "io.manafold.memory", "only other APIs", exporters);
        assertWrong("io.manafold.commands.net", "io.manafold.lab", "APIs and the shell", exporters);
        assertWrong("io.manafold.bus", "io.manafold.shell", "meet as services", exporters);
        assertThat(layers.wrongArrows("io.manafold.attic", Set.of(), exporters)).singleElement().asString()
                .contains("stands on no layer");
        assertThat(layers.wrongArrows("io.manafold.bus", Set.of("io.manafold.api.device", "io.manafold.memory"),
                exporters)).isEmpty();
        assertThat(layers.wrongArrows("io.manafold.commands.net", Set.of("io.manafold.shell"), exporters)).isEmpty();
    }

    private void assertWrong(String bundle, String imported, String words, Map<String, String> exporters) {
        assertThat(layers.wrongArrows(bundle, Set.of(imported), exporters)).singleElement().asString()
                .contains(bundle).contains(imported).contains(words);
    }

    /** All bundles, by symbolic name; one that was not built fails the test. */
    private static Map<String, Manifest> bundles() throws IOException {
        Map<String, Manifest> bundles = new TreeMap<>();
        for (String group : List.of("bundles", "gogo-commands")) {
            try (Stream<Path> folders = Files.list(TOP.resolve(group))) {
                for (Path folder : folders.filter(path -> Files.exists(path.resolve("pom.xml"))).toList()) {
                    String name = folder.getFileName().toString();
                    bundles.put(name, manifest(folder, name));
                }
            }
        }
        assertThat(bundles).isNotEmpty();
        return bundles;
    }

    private static Manifest manifest(Path folder, String name) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("target"))) {
            List<Path> jars = files.filter(file -> file.getFileName().toString()
                    .matches(".*(?<!-(tests|sources|javadoc))\\.jar"))
                    .toList();
            assertThat(jars).as("JARs in %s/target; build everything first", folder).hasSize(1);
            try (JarFile jar = new JarFile(jars.getFirst().toFile())) {
                assertThat(jar.getManifest().getMainAttributes().getValue("Bundle-SymbolicName")).isEqualTo(name);
                return jar.getManifest();
            }
        }
    }

    private static Set<String> packages(Manifest manifest, String header) {
        String value = manifest.getMainAttributes().getValue(header);
        Set<String> packages = new TreeSet<>();
        if (value != null) {
            // commas inside quotes belong to version ranges and uses clauses
            for (String clause : value.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)")) {
                packages.add(clause.split(";")[0].trim());
            }
        }
        return packages;
    }
}
