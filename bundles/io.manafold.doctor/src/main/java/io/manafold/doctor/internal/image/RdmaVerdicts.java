package io.manafold.doctor.internal.image;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.Survey.Verdict;
import io.manafold.api.refusal.Refusal;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Applications;
import io.manafold.doctor.internal.linux.DriverIds;
import io.manafold.doctor.internal.linux.Installed;
import io.manafold.doctor.internal.linux.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an image has for RDMA and for poll mode over it. */
final class RdmaVerdicts {
    private static final Pattern DPDK = Pattern.compile(".*/librte_eal\\.so\\.(\\d{1,4})(?:\\..*)?");
    /** The number of the interface of DPDK 22.11. */
    private static final int LEAST_DPDK = 23;
    private static final Pattern HUGE = Pattern.compile("\\bhugepages=[1-9]");
    private static final Pattern RESERVED = Pattern.compile("\\s*vm\\.nr_hugepages\\s*=\\s*[1-9].*");
    private static final String RDMA_NAME = "RDMA";
    private static final String DPDK_NAME = "DPDK";

    private final Evidence image;
    private final List<InstalledKernel> kernels;

    RdmaVerdicts(Evidence image, List<InstalledKernel> kernels) {
        this.image = image;
        this.kernels = kernels;
    }

    Verdict rdma() {
        if (kernels.isEmpty()) {
            return ImageAssessment.notShown(RDMA_NAME, "no kernel is installed in it");
        }
        for (InstalledKernel kernel : kernels) {
            Finding.Line seen = new Finding.Line("kernel " + kernel.release, "mana_ib: " + kernel.rdma
                    + ", CONFIG_MANA_INFINIBAND: " + kernel.facts.get("CONFIG_MANA_INFINIBAND"));
            if (kernel.rdma.equals(InstalledKernel.NOT_SHOWN)) {
                return ImageAssessment.notShown(RDMA_NAME, "whether kernel " + kernel.release
                        + " has a driver mana_ib is not shown", seen);
            }
            if (kernel.rdma.equals(InstalledKernel.NO)) {
                return ImageAssessment.no(RDMA_NAME, "kernel " + kernel.release + " has no driver mana_ib", seen);
            }
        }
        Optional<Finding.Line> blocking = ModuleBlocklist.of(image, "mana_ib");
        if (blocking.isPresent()) {
            return ImageAssessment.no(RDMA_NAME, "the driver mana_ib is kept from loading", blocking.get());
        }
        String provider = Installed.providers(image).get("mana");
        if (provider == null) {
            return ImageAssessment.no(RDMA_NAME, "libibverbs has no provider for MANA, which rdma-core has since 44",
                    new Finding.Line("/usr/lib/*/libibverbs", "providers: "
                    + String.join(" ", Installed.providers(image).keySet())));
        }
        return numbers(provider);
    }

    private Verdict numbers(String provider) {
        Optional<OptionalInt> library = number(provider, false);
        if (library.isEmpty() || library.get().isEmpty()) {
            return ImageAssessment.notShown(RDMA_NAME, "the provider does not show its number",
                    new Finding.Line(provider, "no match table is found"));
        }
        List<Finding.Line> lines = new ArrayList<>();
        Finding.Line theirs = new Finding.Line(provider, "number " + library.get().getAsInt());
        for (InstalledKernel kernel : kernels) {
            if (kernel.rdma.equals("y")) {
                continue;
            }
            OptionalInt number = number(kernel.rdma, true).orElse(OptionalInt.empty());
            if (number.isEmpty()) {
                return ImageAssessment.notShown(RDMA_NAME, "the module does not show its number",
                        new Finding.Line(kernel.rdma, kernel.facts.get("driver_id")));
            }
            Finding.Line ours = new Finding.Line(kernel.rdma, "number " + number.getAsInt() + " ("
                    + DriverIds.name(number.getAsInt()) + ")");
            if (number.getAsInt() != library.get().getAsInt()) {
                return ImageAssessment.no(RDMA_NAME, "kernel " + kernel.release
                        + " calls MANA by another number than the provider answers to", ours, theirs);
            }
            lines.add(ours);
        }
        lines.add(theirs);
        return ImageAssessment.yes(RDMA_NAME, "every kernel has mana_ib, and the provider answers to its number",
                lines.toArray(Finding.Line[]::new));
    }

    private Optional<OptionalInt> number(String path, boolean module) {
        try {
            return image.binary(path).map(module ? DriverIds::ofModule : DriverIds::ofProvider);
        } catch (Refusal e) {
            return Optional.empty();
        }
    }

    Verdict dpdk(Verdict rdma) {
        List<String> libraries = Installed.libraries(image, "librte_eal.so.");
        if (libraries.isEmpty()) {
            return ImageAssessment.notShown(DPDK_NAME, "no DPDK is installed as libraries");
        }
        for (String path : libraries) {
            Matcher version = DPDK.matcher(path);
            if (version.matches() && Integer.parseInt(version.group(1)) < LEAST_DPDK) {
                return ImageAssessment.no(DPDK_NAME, "this DPDK is older than 22.11",
                        new Finding.Line(path, "interface " + version.group(1)));
            }
        }
        List<String> drivers = Installed.libraries(image, "librte_net_mana.so");
        List<String> plugged = drivers.isEmpty() ? Installed.plugged(image, "librte_net_mana.so") : drivers;
        if (plugged.isEmpty()) {
            return ImageAssessment.no(DPDK_NAME, "this DPDK was built without net_mana",
                    new Finding.Line(libraries.getFirst(), "no librte_net_mana.so beside it"));
        }
        for (Application application : Applications.of(image)) {
            Finding.Line line = new Finding.Line(application.source(), application.text());
            if (application.hasEnvironment("-w", "--pci-whitelist")) {
                return ImageAssessment.no(DPDK_NAME, "an application is started with -w, which is no option any more",
                        line);
            }
            if (application.made().stream().anyMatch(device -> device.startsWith("net_vdev_netvsc")
                    || device.startsWith("net_failsafe"))) {
                return ImageAssessment.no(DPDK_NAME, "an application takes net_vdev_netvsc, which MANA does without",
                        line);
            }
            if (application.devices().stream().anyMatch(device -> device.macs().isEmpty())) {
                return ImageAssessment.no(DPDK_NAME,
                        "an application takes every port of a function, that of ssh included: "
                        + "its address has no mac=", line);
            }
        }
        Finding.Line huge = hugePages().orElse(new Finding.Line("/etc/sysctl.d",
                "reserves no huge pages: an application wants --no-huge, or some at run time"));
        Finding.Line net = new Finding.Line(plugged.getFirst(), "net_mana");
        return switch (rdma.answer()) {
            case YES -> ImageAssessment.yes(DPDK_NAME, "DPDK has net_mana, and RDMA is there for it", net, huge);
            case NO -> ImageAssessment.no(DPDK_NAME, "it needs RDMA: " + rdma.why(),
                    rdma.evidence().toArray(Finding.Line[]::new));
            case NOT_SHOWN -> ImageAssessment.notShown(DPDK_NAME, "it needs RDMA: " + rdma.why(), net, huge);
        };
    }

    private Optional<Finding.Line> hugePages() {
        List<String> files = new ArrayList<>(List.of("/etc/sysctl.conf"));
        image.names("/etc/sysctl.d").stream().limit(100).forEach(name -> files.add("/etc/sysctl.d/" + name));
        for (String file : files) {
            Optional<String> line = Texts.lines(image, file).filter(one -> RESERVED.matcher(one).matches()).findFirst();
            if (line.isPresent()) {
                return Optional.of(new Finding.Line(file, line.get().strip()));
            }
        }
        return BootWords.with(image, HUGE.asPredicate());
    }
}
