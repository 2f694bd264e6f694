package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.refusal.Refusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Container images: what lies over what, what is taken away, and what is not what it is called. */
@Timeout(300)
class LayeredImageTest {
    /** Short ones, so that there is time for many; a million take some five minutes. */
    private static final int INPUTS = Math.min(Hostile.INPUTS * 10, 1_000_000);

    @TempDir
    private Path folder;

    private Evidence read(ArchiveBytes archive) throws IOException, InterruptedException {
        return new Reader().read(Files.write(folder.resolve("image.tar"), archive.bytes()));
    }

    private static Evidence of(byte[] archive) throws IOException {
        Deadline deadline = new Deadline();
        RawTree files = Reader.archive(new ByteArrayInputStream(archive), deadline, PathFilter.ROOT);
        return new TreeEvidence("test", ImageLayers.are(files)
                ? Reader.layers(new ByteArrayInputStream(archive), files, deadline) : files);
    }

    private static ImageBytes three() {
        return new ImageBytes()
                .layer(new ArchiveBytes().tar("etc/", '5', "", 0, new byte[0]).tar("etc/kept", "1").tar("etc/over", "1")
                .tar("etc/gone", "1").tar("etc/netplan/a.yaml", "1").tar("etc/folder/a", "1")
                .link("lib", "usr/lib").tar("usr/lib/modules/6.1/config", "1").tar("etc/udev/hidden", "1"))
                .gz(new ArchiveBytes().tar("etc/.wh.gone", "").tar("etc/over", "2").tar("etc/netplan/b.yaml", "2")
                .tar("etc/netplan/.wh..wh..opq", "").tar("lib/modules/6.1/config-2", "2").tar("etc/folder", "file")
                .tar("etc/.wh..wh.plnk", ""))
                .zstd(new ArchiveBytes().tar("etc/gone/again", "3").tar(".wh.none", "").tar("etc/udev/.wh.hidden", "")
                .tar("etc/udev/hidden", "3").tar("boot/initrd.img-1", "no archive"));
    }

    private static void isMerged(Evidence evidence) {
        assertThat(evidence.kind()).isEqualTo(Evidence.Kind.IMAGE);
        assertThat(evidence.names("/etc")).containsExactly("folder", "gone", "kept", "netplan", "over", "udev");
        assertThat(evidence.names("/etc/netplan")).containsExactly("b.yaml");
        assertThat(Map.of("/etc/kept", "1", "/etc/over", "2", "/etc/folder", "file", "/etc/gone/again", "3",
                "/etc/udev/hidden", "3", "/usr/lib/modules/6.1/config-2", "2", "/lib/modules/6.1/config",
                "1")).allSatisfy((path, text) -> assertThat(evidence.text(path)).as(path).contains(text));
        assertThatThrownBy(() -> evidence.archive("/boot/initrd.img-1")).isInstanceOf(Refusal.class)
                .hasMessageContaining("neither a tar");
    }

    @Test
    void layersLieOverEachOther() throws Exception {
        Map<String, byte[]> layout = three().layout();
        isMerged(read(ImageBytes.tar(layout)));
        isMerged(read(three().saved()));
        for (Map.Entry<String, byte[]> file : layout.entrySet()) {
            Path at = folder.resolve("layout").resolve(file.getKey());
            Files.createDirectories(at.getParent());
            Files.write(at, file.getValue());
        }
        isMerged(new Reader().read(folder.resolve("layout")));
    }

    /** Layers that are the same are one file, and links to it. */
    @Test
    void aLayerMayBeThereTwice() throws Exception {
        ImageBytes image = new ImageBytes().layer(new ArchiveBytes().tar("etc/a", "1"))
                .layer(new ArchiveBytes().tar("etc/.wh.a", "")).layer(new ArchiveBytes().tar("etc/a", "1"));
        assertThat(read(image.saved()).text("/etc/a")).contains("1");
        assertThat(read(ImageBytes.tar(image.layout())).text("/etc/a")).contains("1");
    }

    @Test
    void whatIsNotWhatItIsCalledIsRefused() {
        Map<String, byte[]> layout = three().layout();
        assertThat(layout.keySet().stream().filter(name -> name.startsWith("blobs/")
                && !new String(layout.get(name), StandardCharsets.UTF_8).equals("{}")
                && !new String(layout.get(name), StandardCharsets.UTF_8).equals("{\"os\":\"linux\"}")).toList())
                .hasSizeGreaterThan(4).allSatisfy(name -> {
                    byte[] bytes = layout.get(name).clone();
                    // a space at its end changes neither a document nor what is read of a layer
                    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
                    longer[bytes.length] = ' ';
                    Map<String, byte[]> changed = new TreeMap<>(layout);
                    changed.put(name, longer);
                    assertThatThrownBy(() -> read(ImageBytes.tar(changed))).isInstanceOf(Refusal.class)
                            .hasMessageContaining("is not what it is called");
                });
    }

    @Test
    void linksOfLayersLeadNowhereOutside() throws Exception {
        ArchiveBytes archive = new ArchiveBytes().tar("0".repeat(64) + ".json", "{}")
                .link("a/layer.tar", "../../../etc/passwd")
                .tar("manifest.json", "[{\"Config\":\"c\",\"Layers\":[\"a/../../x\"]}]");
        assertThatThrownBy(() -> read(archive)).isInstanceOf(Refusal.class);
        Evidence evidence = read(ImageBytes.tar(new ImageBytes()
                .layer(new ArchiveBytes().link("etc", "../../../..").link("usr/lib/udev", "/../out"))
                .layer(new ArchiveBytes().tar("etc/here", "x").tar("usr/lib/udev/rules.d/in", "2")
                        .tar("../../etc/up", "x"))
                .layout()));
        assertThat(evidence.text("/out/rules.d/in")).contains("2");
        assertThat(evidence.text("/here")).contains("x");
        assertThat(evidence.text("/etc/up")).isEmpty();
    }

    /** A linked folder on the way to a layer, with the digest of what lies there. */
    @Test
    void aLinkedFolderLeadsNowhereOutside() throws Exception {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        byte[] secret = new ArchiveBytes().tar("etc/secret", "x").raw(new byte[1024]).bytes();
        Files.write(outside.resolve("layer.tar"), secret);
        Path image = Files.createDirectories(folder.resolve("image"));
        Files.createSymbolicLink(image.resolve("way"), outside);
        Files.writeString(image.resolve("c.json"), "{\"rootfs\":{\"diff_ids\":[\"sha256:" + ImageBytes.sha256(secret)
                + "\"]}}");
        Files.writeString(image.resolve("manifest.json"),
                "[{\"Config\":\"c.json\",\"Layers\":[\"way/layer.tar\"]}]");
        assertThatThrownBy(() -> new Reader().read(image)).isInstanceOf(Refusal.class)
                .hasMessageContaining("'way/layer.tar' is not in it");
    }

    @Test
    void whatIsNoImageIsASentence() {
        Map<String, byte[]> several = three().layout();
        several.putAll(new ImageBytes().layer(new ArchiveBytes().tar("etc/a", "1")).layout());
        several.put("index.json", new String(several.get("index.json"), StandardCharsets.UTF_8).replace("[{", "[{},{")
                .getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> read(ImageBytes.tar(several))).hasMessageContaining("has none of its manifests");
        Map<String, byte[]> without = three().layout();
        without.keySet().removeIf(name -> without.get(name)[0] == 0x28);
        assertThatThrownBy(() -> read(ImageBytes.tar(without))).hasMessageContaining("is not in it");
        assertThatThrownBy(() -> read(new ArchiveBytes().tar("manifest.json", "[".repeat(100_000))))
                .isInstanceOf(Refusal.class).hasMessageContaining("not the JSON of an image");
        assertThatThrownBy(() -> read(new ArchiveBytes().tar("manifest.json", "{}"))).isInstanceOf(Refusal.class)
                .hasMessageContaining("none of its manifests");
        byte[] xz = {(byte) 0xfd, '7', 'z', 'X', 'Z', 0, 0, 0};
        assertThatThrownBy(() -> read(ImageBytes.tar(new ImageBytes().layer(xz, xz).layout())))
                .hasMessageContaining("which layers are not");
    }

    /** All layers together are bounded as one archive is. */
    @Test
    void tooManyEntriesAreASentence() {
        ImageBytes image = new ImageBytes();
        for (int i = 0; i < 5; i++) {
            ArchiveBytes layer = new ArchiveBytes();
            for (int j = 0; j < Limits.ENTRIES / 4; j++) {
                layer.tar("etc/.wh." + i + "-" + j, '0', "", 0, new byte[0]);
            }
            image.layer(new byte[0], ImageBytes.packed(layer));
        }
        assertThatThrownBy(() -> read(ImageBytes.tar(image.layout()))).isInstanceOf(Refusal.class)
                .hasMessageContaining("The layers have more than");
    }

    /** Each time, what the layer below had under the same names goes, and its names with it. */
    @Test
    void aLayerThatIsNamedManyTimesTakesNoMoreThanOnce() {
        MemoryTree tree = new MemoryTree();
        long before = ReaderTest.used();
        for (int i = 0; i < 1_000_000; i++) {
            tree.file("/etc/" + i % 100, null);
            tree.remove("/etc/" + i % 100);
        }
        assertThat(ReaderTest.used() - before).isLessThan(8L << 20);
        tree.file("/etc/folder/one", null);
        tree.file("/etc/folder/two/three", null);
        assertThat(tree.names("/etc")).containsExactly("folder");
        tree.empty("/etc/folder");
        assertThat(tree.names("/etc/folder")).isEmpty();
        tree.file("/etc/folder/one", null);
        tree.remove("/etc/folder");
        assertThat(tree.names("/etc")).isEmpty();
        assertThat(tree.kind("/etc/folder/one")).isEqualTo(RawTree.Kind.NOTHING);
    }

    /** Links that lead to each other, over and over, end in time. */
    @Test
    void loopsOfLinksEnd() throws Exception {
        ArchiveBytes links = new ArchiveBytes();
        for (int i = 0; i < 50; i++) {
            links.link("etc/" + i, "/etc/" + (i + 1) % 50 + "/" + "./".repeat(500));
        }
        ArchiveBytes below = new ArchiveBytes();
        for (int i = 0; i < 5_000; i++) {
            below.tar("etc/0/" + i, '0', "", 0, new byte[0]);
        }
        assertThat(read(ImageBytes.tar(new ImageBytes().gz(links).gz(below).layout())).names("/etc")).hasSize(50);
    }

    /** Whatever the bytes are, they are read or refused with a sentence; what is damaged has its digest made right. */
    @Test
    @Timeout(1800)
    void anyByteMayBeWrong() throws IOException {
        Random random = new Random(38);
        byte[] first = new ArchiveBytes().tar("etc/a", "1").link("lib", "usr/lib").tar("etc/x/y", "1").bytes();
        byte[] second = new ArchiveBytes().tar("etc/.wh.a", "").tar("lib/udev/rules.d/b", "2")
                .tar("etc/x/.wh..wh..opq", "").bytes();
        byte[] saved = new ImageBytes().layer(first, first).layer(second, second).saved().bytes();
        int read = 0;
        for (int i = 0; i < INPUTS; i++) {
            byte[] bytes;
            if (i % 4 == 0) {
                bytes = saved.clone();
                Hostile.damage(bytes, random);
                ReaderTest.mend(bytes);
            } else {
                byte[] layer = (random.nextBoolean() ? first : second).clone();
                Hostile.damage(layer, random);
                ReaderTest.mend(layer);
                bytes = new ImageBytes().layer(first, first).layer(layer, layer).saved().bytes();
            }
            try {
                Evidence evidence = of(bytes);
                evidence.names("/etc").forEach(name -> evidence.text("/etc/" + name));
                read++;
            } catch (IOException | Refusal e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
        assertThat(read).isBetween(1, INPUTS - 1);
        assertThat(List.of(of(saved).text("/etc/a"), of(saved).text("/usr/lib/udev/rules.d/b"))).hasToString(
                "[Optional.empty, Optional[2]]");
    }
}
