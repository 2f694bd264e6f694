package io.manafold.itests.net;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The bundle of a real driver, in any version. */
public final class DriverJar {
    private DriverJar() {
    }

    /** @param driver {@code ethernet}, {@code rdma} */
    public static InputStream version(String driver, String version) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InputStream file = Files.newInputStream(Path.of(System.getProperty("manafold." + driver)));
                JarInputStream from = new JarInputStream(file)) {
            Manifest manifest = from.getManifest();
            manifest.getMainAttributes().putValue("Bundle-Version", version);
            try (JarOutputStream to = new JarOutputStream(bytes, manifest)) {
                for (JarEntry entry = from.getNextJarEntry(); entry != null; entry = from.getNextJarEntry()) {
                    to.putNextEntry(new JarEntry(entry.getName()));
                    from.transferTo(to);
                }
            }
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
