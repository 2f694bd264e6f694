package org.example.embedder;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.osgi.service.feature.FeatureService;
import org.osgi.service.feature.ID;

/** Which bundles a feature of the repository folder is made of. */
final class FeatureFile {
    private static final String GROUP = "io.manafold";
    private static final String FEATURES = "io.manafold.features";

    private FeatureFile() {
    }

    /** The files of a feature's bundles, in its order. */
    static List<Path> bundles(Path repository, String version, String name) throws IOException {
        FeatureService service = ServiceLoader.load(FeatureService.class).findFirst().orElseThrow();
        Path file = artifact(repository, GROUP, FEATURES, version).resolve(
                "%s-%s-%s.osgifeature".formatted(FEATURES, version, name));
        try (Reader reader = Files.newBufferedReader(file)) {
            return service.readFeature(reader).getBundles().stream().map(bundle -> jar(repository, bundle.getID()))
                    .toList();
        }
    }

    /** Bundles lie as Maven has them. */
    private static Path jar(Path repository, ID id) {
        return artifact(repository, id.getGroupId(), id.getArtifactId(), id.getVersion())
                .resolve(id.getArtifactId() + "-" + id.getVersion() + ".jar");
    }

    private static Path artifact(Path repository, String group, String artifact, String version) {
        return repository.resolve(group.replace('.', '/')).resolve(artifact).resolve(version);
    }
}
