package io.manafold.dropin.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.Version;

class InspectorTest {
    private final Inspector inspector = new Inspector();
    @TempDir
    private Path folder;

    private Identity inspect(byte[] jar) throws IOException, Declined {
        return inspector.inspect(Files.write(folder.resolve("x.jar"), jar));
    }

    private void declines(byte[] jar, String part) {
        assertThatThrownBy(() -> inspect(jar)).isInstanceOf(Declined.class).hasMessageContaining(part);
    }

    @Test
    void aBundleIsKnownByNameAndVersion() throws Exception {
        assertThat(inspect(Jars.bundle("some.driver;singleton:=true", "1.2.3.beta")))
                .isEqualTo(new Identity("some.driver", new Version(1, 2, 3, "beta")));
    }

    @Test
    void aBundleWithoutVersionHasVersionZero() throws Exception {
        assertThat(inspect(Jars.withManifest(
                "Manifest-Version: 1.0\nBundle-ManifestVersion: 2\nBundle-SymbolicName: a\n\n")).version())
                .isEqualTo(Version.emptyVersion);
    }

    @Test
    void aPlainJarIsDeclined() {
        declines(Jars.withManifest("Manifest-Version: 1.0\n\n"), "no Bundle-SymbolicName");
        declines(Jars.withManifest("Manifest-Version: 1.0\nBundle-SymbolicName: a\n\n"), "Bundle-ManifestVersion: 2");
        declines(Jars.zip(Map.of("a.txt", new byte[3])), "no META-INF/MANIFEST.MF");
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.manafold.api.net", "a.b,io.manafold.api.net;version=1.0",
        "io.manafold.api.net;version=\"1.0\"", "a;x=\",\", io.manafold.api.net;resolution:=optional",
        "io.manafold.api.net;bundle-version=\"[1,2)\""})
    void anImportOfOursWithoutAnUpperEndIsDeclined(String imports) {
        declines(Jars.withManifest(new String(Jars.manifest("a", "1", "Import-Package: " + imports + "\n"),
                StandardCharsets.UTF_8)), "it imports io.manafold.api.net and does not say up to which version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "io.manafold.api.net;version=\"[1.0,2)\"",
        "a.b,io.manafold.api.net;version = \"(1,2]\",c",
        "\"", ",,", ";", "io.manafold.api.net;version=\"[1,2)\";resolution:=optional,org.osgi.framework;version=1.8"})
    void otherImportsAreLeftToTheFramework(String imports) throws Exception {
        assertThat(inspect(Jars.withManifest(new String(Jars.manifest("a", "1", "Import-Package: " + imports + "\n"),
                StandardCharsets.UTF_8))).symbolicName()).isEqualTo("a");
    }

    @Test
    void aNameOfManyPartsIsDeclinedByItsLength() throws Exception {
        declines(Jars.bundle("n.".repeat(60_000).replaceAll("(.{60})", "$1\n ") + "n", "1"), "120001 characters");
        assertThat(inspect(Jars.bundle("n".repeat(255), "1")).symbolicName()).hasSize(255);
        declines(Jars.bundle("n".repeat(256), "1"), "256 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a..b", ".a", "ä", "a/../b", "\u001b[31m"})
    void aSymbolicNameOutsideTheRuleIsDeclined(String name) {
        declines(Jars.bundle(name, "1"), "is not a Bundle-SymbolicName");
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", "1.2.3.4.5", "1..2", "-1", "99999999999999999999"})
    void aVersionOutsideTheRuleIsDeclined(String version) {
        declines(Jars.bundle("a", version), "is not a Bundle-Version");
    }

    @Test
    void aFragmentIsDeclinedAndItsHostNamed() {
        declines(Jars.zip(Map.of("META-INF/MANIFEST.MF",
                Jars.manifest("a", "1", "Fragment-Host: system.bundle; extension:=framework\n"))),
                "a fragment of system.bundle");
    }

    @ParameterizedTest
    @CsvSource({"../../etc/passwd", "/etc/passwd", "a/../../b", "..\\b", "a\u0007b"})
    void anEntryThatPointsOutOfTheJarIsDeclined(String name) {
        declines(Jars.zip(Map.of("META-INF/MANIFEST.MF", Jars.manifest("a", "1"), name, new byte[1])),
                "points out of the JAR");
    }

    @Test
    void aHugeManifestIsDeclined() {
        declines(Jars.zip(Map.of("META-INF/MANIFEST.MF",
                Jars.manifest("a", "1", "X: y\n".repeat(110_000)))), "manifest is larger");
    }

    @Test
    void aMalformedManifestIsDeclined() {
        declines(Jars.withManifest("no colon here\n\n"), "manifest is malformed");
    }

    @Test
    void aJarThatUnpacksWithoutEndIsDeclined() {
        Map<String, byte[]> entries = new HashMap<>();
        entries.put("META-INF/MANIFEST.MF", Jars.manifest("a", "1"));
        byte[] zeros = new byte[16 << 20];
        for (int entry = 0; entry < 17; entry++) {
            entries.put("zeros" + entry, zeros);
        }
        declines(Jars.zip(entries), "unpacks to more than 256 MiB");
    }

    @Test
    void aJarOfVeryManyEntriesIsDeclined() {
        Map<String, byte[]> entries = new HashMap<>();
        for (int entry = 0; entry < 20_001; entry++) {
            entries.put("e" + entry, new byte[0]);
        }
        declines(Jars.zip(entries), "20001 entries");
    }

    @Test
    void aDamagedEntryIsFoundThoughTheTableOfContentsIsWhole() {
        byte[] jar = Jars.bundle("a", "1");
        String text = new String(jar, StandardCharsets.ISO_8859_1);
        int content = text.indexOf("some/text.txt") + "some/text.txt".length();
        jar[content + 8] ^= 0x55;
        assertThatThrownBy(() -> inspect(jar)).isInstanceOf(Declined.class).hasMessageContaining("copy it once more");
    }

    @Test
    void everyTruncationEndsInASentence() {
        byte[] whole = Jars.bundle("some.driver", "1.0.0");
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> inspect(part)).as("cut at %d", length).isInstanceOf(Declined.class);
        }
    }

    @Test
    void everyMutationEndsInASentenceOrInABundle() throws IOException {
        byte[] whole = Jars.bundle("some.driver", "1.0.0");
        Random random = new Random(20261101);
        int declined = 0;
        for (int round = 0; round < 6000; round++) {
            byte[] jar = whole.clone();
            int bytes = 1 + random.nextInt(4);
            for (int change = 0; change < bytes; change++) {
                jar[random.nextInt(jar.length)] = (byte) (random.nextBoolean() ? random.nextInt(256) : 0xff);
            }
            try {
                assertThat(inspect(jar).symbolicName()).isNotEmpty();
            } catch (Declined e) {
                declined++;
                assertThat(e.getMessage()).hasSizeLessThan(600).doesNotContain("\n").doesNotContain("\u001b");
            }
        }
        assertThat(declined).isBetween(1000, 5999);
    }
}
