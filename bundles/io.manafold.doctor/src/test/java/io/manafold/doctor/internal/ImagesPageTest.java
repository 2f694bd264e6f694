package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.doctor.internal.image.ImageAssessment;
import io.manafold.image.internal.ElfBytes;
import io.manafold.image.internal.Reader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of images says what the judge says of each. */
@Timeout(120)
class ImagesPageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "images.md");

    @TempDir
    private Path folder;

    /** What is done to an image that is fit for all. */
    @FunctionalInterface
    private interface Change {
        void on(Path root) throws IOException;
    }

    private static Change file(String path, String text) {
        return root -> GoodImage.write(root, path, text.getBytes());
    }

    private static Map<String, Change> images() {
        Map<String, Change> images = new LinkedHashMap<>();
        images.put("all of it, and the rule of azure-vm-utils, as trixie has it", root -> { });
        images.put("`mana` without `mana_ib`, DPDK without `net_mana`, as bookworm has it",
                root -> GoodImage.without(root, GoodImage.MANA_IB, GoodImage.NET_MANA));
        images.put("the module `mana` taken out", root -> GoodImage.without(root, GoodImage.MANA));
        images.put("`blacklist mana`", file("/etc/modprobe.d/off.conf", "blacklist mana\n"));
        images.put("`blacklist mana_ib`", file("/etc/modprobe.d/off.conf", "blacklist mana_ib\n"));
        images.put("netplan that matches `hv_netvsc` alone", file("/etc/netplan/50.yaml",
                "match:\n  driver: hv_netvsc\n  dhcp4: true\n"));
        images.put("netplan that matches `mana`", file("/etc/netplan/50.yaml",
                "match:\n  driver: mana\n  dhcp4: true\n"));
        images.put("NetworkManager without the rule, which takes the virtual function",
                root -> GoodImage.without(root, GoodImage.UNMANAGED));
        images.put("a module that calls MANA by erdma's number", root -> GoodImage.write(root, GoodImage.MANA_IB,
                ElfBytes.module(19)));
        images.put("libibverbs without MANA's provider", root -> GoodImage.without(root, GoodImage.PROVIDER));
        return images;
    }

    private String judged(Change change) throws Exception {
        Path root = Files.createTempDirectory(folder, "image");
        GoodImage.make(root);
        change.on(root);
        return ImageAssessment.of(new Reader().read(root)).verdicts().stream()
                .map(one -> one.answer().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .collect(Collectors.joining(" | "));
    }

    @Test
    void eachRowIsWhatTheJudgeSays() throws Exception {
        StringBuilder table = new StringBuilder("| image | function alone | pair | servicing | RDMA | DPDK |\n"
                + "|---|---|---|---|---|---|\n");
        for (Map.Entry<String, Change> image : images().entrySet()) {
            table.append("| ").append(image.getKey()).append(" | ").append(judged(image.getValue())).append(" |\n");
        }
        assertThat(Files.readString(PAGE)).contains(table);
    }
}
