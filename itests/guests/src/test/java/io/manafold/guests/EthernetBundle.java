package io.manafold.guests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The Ethernet driver's bundle, in any version. */
final class EthernetBundle {
    private static final String NAME = "io.manafold.ethernet";

    private EthernetBundle() {
    }

    static Path write(String version, Path file) throws IOException {
        Path built;
        try (var jars = Files.newDirectoryStream(Kit.TOP.resolve("bundles").resolve(NAME).resolve("target"),
                NAME + "-*T.jar")) {
            built = jars.iterator().next();
        }
        try (JarInputStream from = new JarInputStream(Files.newInputStream(built))) {
            Manifest manifest = from.getManifest();
            manifest.getMainAttributes().putValue("Bundle-Version", version);
            try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(file), manifest)) {
                for (JarEntry entry = from.getNextJarEntry(); entry != null; entry = from.getNextJarEntry()) {
                    to.putNextEntry(new JarEntry(entry.getName()));
                    from.transferTo(to);
                }
            }
        }
        return file;
    }
}
