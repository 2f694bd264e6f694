package io.manafold.itests.embedding;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.felix.feature.impl.FeatureServiceImpl;
import org.osgi.service.feature.Feature;

/** The feature files of the project. */
final class Features {
    static final Path ROOT = Path.of(System.getProperty("manafold.root"));

    private Features() {
    }

    static List<String> names() throws IOException {
        try (var files = Files.list(ROOT.resolve("features"))) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".json"))
                    .map(name -> name.substring(0, name.length() - ".json".length())).sorted().toList();
        }
    }

    static Feature read(String name) throws IOException {
        try (Reader reader = Files.newBufferedReader(ROOT.resolve("features").resolve(name + ".json"))) {
            return new FeatureServiceImpl().readFeature(reader);
        }
    }

    static List<String> bundles(Feature feature) {
        return feature.getBundles().stream().map(bundle -> bundle.getID().toString()).toList();
    }
}
