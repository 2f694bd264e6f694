package io.manafold.doctor.internal.linux;

import io.manafold.api.doctor.Evidence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Kernels, modules and libraries where distributions put them. */
public final class Installed {
    private static final List<String> MODULES = List.of("/lib/modules", "/usr/lib/modules");
    /** What a kernel's own package puts beside its modules. */
    private static final List<String> OF_KERNELS = List.of("kernel", "modules.builtin", "modules.dep", "vmlinuz");
    private static final List<String> IN_BOOT = List.of("/boot/vmlinuz-", "/boot/config-");
    private static final List<String> LIBRARIES = List.of("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib",
            "/usr/local/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
            "/usr/local/lib/x86_64-linux-gnu", "/usr/local/lib/aarch64-linux-gnu", "/lib/x86_64-linux-gnu",
            "/lib/aarch64-linux-gnu");
    private static final Pattern PROVIDER = Pattern.compile("lib(.+)-rdmav(\\d+)\\.so");
    private static final Pattern MODULE = Pattern.compile("(mana|mana_ib|hv_netvsc)\\.ko(?:\\.(?:xz|gz|zst))?");
    /** Where the kernel's own tree has the modules. */
    private static final List<String> PLACES = List.of("kernel/drivers/net/ethernet/microsoft/mana",
            "kernel/drivers/infiniband/hw/mana", "kernel/drivers/net/hyperv");
    private static final List<String> OTHERS = List.of("updates", "extra", "weak-updates");
    private static final int MOST_FOLDERS = 2000;

    private Installed() {
    }

    /**
     * Releases of the kernels that are there. A folder of modules alone is none: modules from elsewhere stay in it when
     * their kernel is taken away.
     */
    public static List<String> kernels(Evidence evidence) {
        for (String folder : MODULES) {
            List<String> kernels = evidence.names(folder).stream().filter(release -> isKernel(evidence, folder,
                    release)).toList();
            if (!kernels.isEmpty()) {
                return kernels;
            }
        }
        return List.of();
    }

    private static boolean isKernel(Evidence evidence, String folder, String release) {
        return OF_KERNELS.stream().anyMatch(name -> evidence.has(folder + "/" + release + "/" + name))
                || IN_BOOT.stream().anyMatch(name -> evidence.has(name + release));
    }

    /** The path of a module of a kernel, or {@code null}. */
    public static String module(Evidence evidence, String kernel, String module) {
        for (String root : MODULES) {
            String base = root + "/" + kernel + "/";
            for (String place : OTHERS) {
                String found = search(evidence, base + place, module);
                if (found != null) {
                    return found;
                }
            }
            for (String place : PLACES) {
                String found = among(evidence, base + place, module);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private static String search(Evidence evidence, String top, String module) {
        Deque<String> folders = new ArrayDeque<>(List.of(top));
        for (int looked = 0; !folders.isEmpty() && looked < MOST_FOLDERS; looked++) {
            String folder = folders.pop();
            String found = among(evidence, folder, module);
            if (found != null) {
                return found;
            }
            evidence.names(folder).stream().filter(name -> !name.contains("."))
                    .forEach(name -> folders.add(folder + "/" + name));
        }
        return null;
    }

    private static String among(Evidence evidence, String folder, String module) {
        for (String name : evidence.names(folder)) {
            Matcher matcher = MODULE.matcher(name);
            if (matcher.matches() && matcher.group(1).equals(module)) {
                return folder + "/" + name;
            }
        }
        return null;
    }

    /** Providers of libibverbs by their names, such as mana, and their paths. */
    public static Map<String, String> providers(Evidence evidence) {
        Map<String, String> providers = new LinkedHashMap<>();
        for (String folder : LIBRARIES) {
            for (String name : evidence.names(folder + "/libibverbs")) {
                Matcher provider = PROVIDER.matcher(name);
                if (provider.matches() && evidence.has(folder + "/libibverbs/" + name)) {
                    providers.putIfAbsent(provider.group(1), folder + "/libibverbs/" + name);
                }
            }
        }
        return providers;
    }

    /** Paths of libraries whose names begin so, each once even if several ways lead to it. */
    public static List<String> libraries(Evidence evidence, String begins) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String folder : LIBRARIES) {
            for (String name : evidence.names(folder)) {
                if (name.startsWith(begins)) {
                    String path = folder + "/" + name;
                    found.putIfAbsent(evidence.real(path).orElse(path), path);
                }
            }
        }
        return List.copyOf(found.values());
    }

    /** Paths of libraries that DPDK loads from its folder of drivers. */
    public static List<String> plugged(Evidence evidence, String begins) {
        List<String> found = new ArrayList<>();
        for (String folder : LIBRARIES) {
            for (String name : evidence.names(folder + "/dpdk")) {
                String drivers = folder + "/dpdk/" + name;
                evidence.names(drivers).stream().filter(library -> library.startsWith(begins))
                        .forEach(library -> found.add(drivers + "/" + library));
            }
        }
        return found;
    }
}
