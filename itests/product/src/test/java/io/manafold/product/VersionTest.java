package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another version for all that is released, by one command. */
@Timeout(120)
class VersionTest {
    private static final String OTHER = "7.8.9-SNAPSHOT";
    /** A project of its own, which is not released. */
    private static final String BENCHMARK = "itests/benchmarks/netty/pom.xml";

    @TempDir
    Path folder;

    private Map<String, String> sources() throws IOException {
        Map<String, String> texts = new TreeMap<>();
        for (String file : Run.of("git", "-C", Run.TOP.toString(), "ls-files").end().done().out().lines().toList()) {
            if (file.matches("(.*/)?(pom\\.xml|README\\.md)|features/.*\\.json|docs/[^/]*\\.md|release/version")) {
                texts.put(file, Files.readString(Run.TOP.resolve(file)));
            }
        }
        assertThat(texts).hasSizeGreaterThan(90).containsKey("release/version");
        return texts;
    }

    private Map<String, String> changed(Map<String, String> texts, String version) throws IOException {
        for (Map.Entry<String, String> text : texts.entrySet()) {
            Path file = folder.resolve(text.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, text.getValue());
        }
        Run.of("sh", folder.resolve("release/version").toString(), version).end().done();
        Map<String, String> changed = new TreeMap<>();
        for (String file : texts.keySet()) {
            changed.put(file, Files.readString(folder.resolve(file)));
        }
        return changed;
    }

    @Test
    void eachPlaceHasItAndNothingElseIsTouched() throws IOException {
        String version = StrangersBuild.version();
        Map<String, String> before = sources();
        Map<String, String> other = changed(before, OTHER);
        other.forEach((file, text) -> assertThat(text.replace(OTHER, version)).as(file).isEqualTo(before.get(file)));
        assertThat(other.get("pom.xml")).contains("<version>" + OTHER);
        assertThat(other.get("features/core.json")).contains("core:" + OTHER + "\"", "bus:" + OTHER + "\"");
        if (version.endsWith("-SNAPSHOT")) {
            List<String> forgotten = other.keySet().stream().filter(file -> other.get(file).contains(version))
                    .toList();
            assertThat(forgotten).as("what still has %s", version).containsOnly(BENCHMARK);
        }
        // that of a release is the version of other things, too
        assertThat(changed(changed(other, "1.0.0"), OTHER)).isEqualTo(other);
    }

    @Test
    void whatIsNoVersionIsRefusedWithASentence() {
        for (String word : new String[] {"1.0", "v1.0.0", "1.0.0.Final"}) {
            Run.Ended ended = Run.of("sh", Run.TOP.resolve("release/version").toString(), word).end();
            assertThat(ended.status()).isEqualTo(2);
            assertThat(ended.err()).contains("'" + word + "' is no version", "release/version 1.0.0");
        }
    }
}
