package io.manafold.itests.embedding;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A bundle put together on the spot from classes of this module, which it has as its own. */
final class TestBundle {
    private final Map<String, String> headers = new TreeMap<>();
    private final Map<String, byte[]> entries = new TreeMap<>();

    TestBundle(String symbolicName, String version) {
        headers.put("Bundle-ManifestVersion", "2");
        headers.put("Bundle-SymbolicName", symbolicName);
        headers.put("Bundle-Version", version);
    }

    TestBundle header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** @param activator the class's name; it is not loaded here, and what it is made of may be missing here */
    TestBundle activator(String activator, String... others) {
        headers.put("Bundle-Activator", activator);
        headers.merge("Import-Package", "org.osgi.framework", (before, more) -> before + "," + more);
        add(activator);
        for (String other : others) {
            add(other);
        }
        return this;
    }

    private void add(String type) {
        String path = type.replace('.', '/') + ".class";
        try (InputStream in = TestBundle.class.getClassLoader().getResourceAsStream(path)) {
            entries.put(path, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    TestBundle entry(String path, byte[] content) {
        entries.put(path, content);
        return this;
    }

    byte[] bytes() {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        headers.forEach(manifest.getMainAttributes()::putValue);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                jar.putNextEntry(new JarEntry(entry.getKey()));
                jar.write(entry.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    Path write(Path file) throws IOException {
        return Files.write(file, bytes());
    }
}
