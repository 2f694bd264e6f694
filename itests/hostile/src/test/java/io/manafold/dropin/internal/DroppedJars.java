package io.manafold.dropin.internal;

import io.manafold.hostile.Taker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Files in the folder of drivers: each has an identity or is declined in words. */
public final class DroppedJars implements Taker {
    private final Path jar = Files.createTempFile("dropped", ".jar");
    private final Inspector inspector = new Inspector();

    public DroppedJars() throws IOException {
    }

    @Override
    public void take(byte[] input) throws IOException {
        Files.write(jar, input);
        try {
            Identity identity = inspector.inspect(jar);
            if (identity.symbolicName().isEmpty()) {
                throw new AssertionError("a bundle without a name");
            }
        } catch (Declined declined) {
            String reason = declined.getMessage();
            if (reason.isBlank() || Taker.says("Exception", reason, input)
                    || reason.chars().anyMatch(Character::isISOControl)) {
                throw new AssertionError(reason, declined);
            }
        }
    }

    @Override
    public List<byte[]> seeds() throws IOException {
        String manifest = """
                Manifest-Version: 1.0
                Bundle-ManifestVersion: 2
                Bundle-SymbolicName: org.example.driver;singleton:=true
                Bundle-Version: 1.2.3.beta
                Import-Package: org.osgi.framework
                """;
        return List.of(jar(ZipEntry.STORED, manifest), jar(ZipEntry.DEFLATED, manifest),
                jar(ZipEntry.STORED, manifest + "Fragment-Host: io.manafold.bus\n"),
                jar(ZipEntry.STORED, "Manifest-Version: 1.0\n"));
    }

    /** Entries that are stored can be changed where they stand; their sums are those of before. */
    private static byte[] jar(int method, String manifest) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            add(zip, method, "META-INF/MANIFEST.MF", manifest.getBytes(StandardCharsets.UTF_8));
            add(zip, method, "org/example/words.txt", "some words\n".getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static void add(ZipOutputStream zip, int method, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(method);
        entry.setTime(0);
        if (method == ZipEntry.STORED) {
            CRC32 sum = new CRC32();
            sum.update(content);
            entry.setSize(content.length);
            entry.setCrc(sum.getValue());
        }
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(jar);
    }
}
