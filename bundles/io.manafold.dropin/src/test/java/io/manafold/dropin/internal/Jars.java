package io.manafold.dropin.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Makes JARs for tests, good and bad ones. */
final class Jars {
    private Jars() {
    }

    static byte[] bundle(String symbolicName, String version) {
        return zip(Map.of("META-INF/MANIFEST.MF", manifest(symbolicName, version), "some/text.txt",
                "something to read\n".repeat(40).getBytes(StandardCharsets.UTF_8)));
    }

    static byte[] manifest(String symbolicName, String version, String... more) {
        String text = "Manifest-Version: 1.0\nBundle-ManifestVersion: 2\nBundle-SymbolicName: " + symbolicName
                + "\nBundle-Version: " + version + "\n" + String.join("", more) + "\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] withManifest(String text) {
        return zip(Map.of("META-INF/MANIFEST.MF", text.getBytes(StandardCharsets.UTF_8)));
    }

    static byte[] zip(Map<String, byte[]> entries) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> entry : new TreeMap<>(entries).entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
