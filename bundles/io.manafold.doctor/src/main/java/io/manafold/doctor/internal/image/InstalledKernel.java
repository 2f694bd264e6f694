package io.manafold.doctor.internal.image;

import io.manafold.api.doctor.Binary;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Survey;
import io.manafold.api.refusal.Refusal;
import io.manafold.doctor.internal.linux.DriverIds;
import io.manafold.doctor.internal.linux.Installed;
import io.manafold.doctor.internal.linux.Texts;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/** What an image shows of one of its kernels. */
final class InstalledKernel {
    static final String NOT_SHOWN = "not shown";
    static final String NO = "no";
    private static final String ALIAS = "alias=pci:v00001414d000000BA";
    private static final Pattern CONFIGURED = Pattern
            .compile("CONFIG_(?:MICROSOFT_MANA|MANA_INFINIBAND|HYPERV_NET)=[ym]");

    final String release;
    final SortedMap<String, String> facts = new TreeMap<>();
    private final Evidence image;
    final String ethernet;
    final String rdma;
    final boolean inBoot;

    InstalledKernel(Evidence image, String release) {
        this.image = image;
        this.release = release;
        ethernet = driver("CONFIG_MICROSOFT_MANA", "mana");
        rdma = driver("CONFIG_MANA_INFINIBAND", "mana_ib");
        driver("CONFIG_HYPERV_NET", "hv_netvsc");
        inBoot = "y".equals(facts.get("CONFIG_MICROSOFT_MANA")) || initialFiles();
        module("mana").ifPresent(path -> {
            facts.put("alias", read(path, binary -> info(binary, ALIAS) ? "pci:v00001414d000000BA" : NO));
            facts.put("version", read(path, binary -> infoOf(binary, "vermagic=").orElse(NOT_SHOWN)));
        });
        module("mana_ib").ifPresent(path -> facts.put("driver_id",
                read(path, binary -> DriverIds.ofModule(binary).stream().mapToObj(number ->
                number + " (" + DriverIds.name(number) + ")").findFirst().orElse(NOT_SHOWN))));
        facts.put("kept_from_loading", ModuleBlocklist.of(image, "mana")
                .or(() -> ModuleBlocklist.of(image, "mana_ib")).map(line -> line.source() + ": " + line.line())
                .orElse(NO));
    }

    Survey.Kernel shown() {
        return new Survey.Kernel(release, facts);
    }

    private Optional<String> module(String name) {
        return Optional.ofNullable(Installed.module(image, release, name));
    }

    /** Where a driver is: a module's path, {@code y} in the kernel itself, no, or not shown. */
    private String driver(String option, String name) {
        String configured = configured(option);
        facts.put(option, configured);
        String found = module(name).orElse(configured.equals("y") ? "y" : configured.equals(NOT_SHOWN)
                && !name.equals("mana") ? NOT_SHOWN : NO);
        facts.put(name, found);
        return found;
    }

    private String configured(String option) {
        for (String file : List.of("/boot/config-" + release, "/lib/modules/" + release + "/config", "/usr/lib/modules/"
                + release + "/config")) {
            String text = Texts.of(image, file);
            if (!text.isEmpty()) {
                return text.lines().filter(line -> line.startsWith(option + "=") && CONFIGURED.matcher(line).matches())
                        .map(line -> line.substring(line.length() - 1)).findFirst().orElse(NO);
            }
        }
        return NOT_SHOWN;
    }

    /** Whether the files that this kernel begins with have MANA's driver. */
    private boolean initialFiles() {
        for (String file : List.of("/boot/initrd.img-" + release, "/boot/initramfs-" + release + ".img", "/boot/initrd-"
                + release)) {
            try {
                Optional<Evidence> files = image.archive(file);
                if (files.isPresent()) {
                    boolean there = Installed.module(files.get(), release, "mana") != null;
                    facts.put("initial_files", file + (there ? " has mana" : " has no mana"));
                    return there;
                }
            } catch (Refusal e) {
                facts.put("initial_files", e.getMessage());
                return false;
            }
        }
        facts.put("initial_files", NOT_SHOWN);
        return false;
    }

    private String read(String path, Function<Binary, String> what) {
        try {
            return image.binary(path).map(what).orElse(NOT_SHOWN);
        } catch (Refusal e) {
            return e.getMessage();
        }
    }

    private static boolean info(Binary module, String words) {
        return infoOf(module, words).isPresent();
    }

    /** What stands behind these words in the part that tells of the module. */
    private static Optional<String> infoOf(Binary module, String words) {
        return module.section(".modinfo").flatMap(section -> {
            ByteBuffer bytes = section.slice(0, Math.min(section.limit(), 1 << 16));
            String text = StandardCharsets.ISO_8859_1.decode(bytes).toString();
            return List.of(text.split("\0")).stream().filter(one -> one.startsWith(words))
                    .map(one -> one.substring(words.length()).strip()).findFirst();
        });
    }
}
