package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page for embedders names what there is. */
class PageTest {
    private final String page = Files.readString(Features.ROOT.resolve("docs/embedding.md"));

    PageTest() throws IOException {
    }

    @Test
    void itNamesEveryFeatureAndEveryBundleOfCore() throws IOException {
        for (String feature : Features.names()) {
            assertThat(page).contains("features/" + feature + ".json");
        }
        for (String id : Features.bundles(Features.read("core"))) {
            assertThat(page).contains("`" + id.split(":")[1] + "`");
        }
    }

    @Test
    void itNamesTheFrameworksThatTheTestsRunOn() throws IOException {
        Jars jars = new Jars();
        assertThat(page).contains("Felix " + version(jars.only("org.apache.felix", "org.apache.felix.framework")))
                .contains("Equinox " + version(jars.only("org.eclipse.platform", "org.eclipse.osgi")));
    }

    private static String version(Path jar) {
        return jar.getFileName().toString().replaceAll(".*-([\\d.]+)\\.jar", "$1");
    }
}
