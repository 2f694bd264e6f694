package io.manafold.image.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/** Writes container images in layers, as they are saved. */
final class ImageBytes {
    private final List<byte[]> plain = new ArrayList<>();
    private final List<byte[]> packed = new ArrayList<>();

    ImageBytes layer(ArchiveBytes layer) {
        return layer(layer.raw(new byte[1024]).bytes(), layer.bytes());
    }

    ImageBytes gz(ArchiveBytes layer) {
        byte[] stored = packed(layer);
        return layer(layer.bytes(), stored);
    }

    static byte[] packed(ArchiveBytes layer) {
        ByteArrayOutputStream gz = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(gz)) {
            out.write(layer.raw(new byte[1024]).bytes());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return gz.toByteArray();
    }

    ImageBytes zstd(ArchiveBytes layer) {
        byte[] bytes = layer.raw(new byte[1024]).bytes();
        return layer(bytes, Zstd.raw(bytes));
    }

    ImageBytes layer(byte[] unpacked, byte[] stored) {
        plain.add(unpacked);
        packed.add(stored);
        return this;
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String list(List<String> items) {
        return items.stream().map(item -> '"' + item + '"').collect(Collectors.joining(",", "[", "]"));
    }

    /** The files of an OCI layout by their names: the layers come before what tells of them. */
    Map<String, byte[]> layout() {
        Map<String, byte[]> files = new TreeMap<>();
        String manifest = put(files, utf8("{\"schemaVersion\":2,\"config\":{\"digest\":\"sha256:"
                + put(files, utf8("{\"os\":\"linux\"}")) + "\"},\"layers\":["
                + packed.stream().map(layer -> "{\"digest\":\"sha256:" + put(files, layer) + "\"}")
                        .collect(Collectors.joining(",")) + "]}"));
        String index = put(files, utf8("{\"manifests\":[{\"digest\":\"sha256:" + manifest
                + "\",\"platform\":{\"os\":\"linux\",\"architecture\":\"amd64\"}},{\"digest\":\"sha256:"
                + "0".repeat(64) + "\",\"platform\":{\"os\":\"linux\",\"architecture\":\"arm64\"}},"
                + "{\"digest\":\"sha256:" + put(files, utf8("{}")) + "\",\"platform\":{\"os\":\"unknown\"}}]}"));
        files.put("index.json", utf8("{\"schemaVersion\":2,\"manifests\":[{\"digest\":\"sha256:" + index
                + "\",\"annotations\":{\"org.opencontainers.image.ref.name\":\"one\"}}]}"));
        files.put("oci-layout", utf8("{\"imageLayoutVersion\":\"1.0.0\"}"));
        return files;
    }

    private static String put(Map<String, byte[]> files, byte[] bytes) {
        String digest = sha256(bytes);
        files.put("blobs/sha256/" + digest, bytes);
        return digest;
    }

    /** As {@code docker save} has written them for long: plain layers in folders, in which the second is a link. */
    ArchiveBytes saved() {
        ArchiveBytes archive = new ArchiveBytes();
        List<String> digests = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (byte[] layer : plain) {
            String folder = sha256(utf8("layer " + names.size()));
            digests.add("sha256:" + sha256(layer));
            names.add(folder + "/layer.tar");
            if (digests.indexOf(digests.getLast()) < names.size() - 1) {
                archive.link(names.getLast(), "../" + names.get(digests.indexOf(digests.getLast())));
            } else {
                archive.tar(names.getLast(), '0', "", layer.length, layer);
            }
        }
        byte[] configuration = utf8("{\"rootfs\":{\"type\":\"layers\",\"diff_ids\":" + list(digests) + "}}");
        String name = sha256(configuration) + ".json";
        return archive.tar(name, '0', "", configuration.length, configuration)
                .tar("manifest.json", "[{\"Config\":\"" + name + "\",\"RepoTags\":[\"one:latest\"],\"Layers\":"
                + list(names) + "}]").raw(new byte[1024]);
    }

    static ArchiveBytes tar(Map<String, byte[]> files) {
        ArchiveBytes archive = new ArchiveBytes();
        files.forEach((name, bytes) -> archive.tar(name, '0', "", bytes.length, bytes));
        return archive.raw(new byte[1024]);
    }
}
