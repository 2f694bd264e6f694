package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Binary;
import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.api.refusal.Refusal;
import io.manafold.doctor.internal.linux.DriverIds;
import io.manafold.doctor.internal.linux.Installed;
import io.manafold.doctor.internal.linux.Machine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.osgi.service.component.annotations.Component;

/** Do kernel and library mean the same by a number? */
@Component(service = Check.class)
public final class DriverIdCheck extends MachineCheck {
    public DriverIdCheck() {
        super(11, "RDMA driver id", List.of(), """
                The kernel tells libibverbs by a number which provider a device wants. MANA's is 20; a kernel into which MANA was
                brought without erdma calls it 19, which libraries read as erdma. Then erdma's provider is loaded, which knows no
                parent domains: ibv_alloc_parent_domain fails, the port with -12; and without erdma's provider no RDMA device is found
                at all.

                The numbers are read from files, without a debugger: the kernel's is the second member of the object mana_ib_dev_ops
                in the module (behind it the version of the interface), a library's is in its match table.
                """);
    }

    @Override
    Finding examine(Machine machine) {
        Evidence evidence = machine.evidence();
        if (machine.isPlatform()) {
            return platform(machine);
        }
        Map<Integer, String> libraries = new TreeMap<>();
        Finding unread = null;
        String ours = null;
        int library = -1;
        for (Map.Entry<String, String> provider : Installed.providers(evidence).entrySet()) {
            try {
                OptionalInt number = evidence.binary(provider.getValue()).map(DriverIds::ofProvider)
                        .orElse(OptionalInt.empty());
                if (number.isPresent()) {
                    libraries.putIfAbsent(number.getAsInt(), provider.getValue());
                    if (provider.getKey().equals("mana")) {
                        ours = provider.getValue();
                        library = number.getAsInt();
                    }
                }
            } catch (Refusal e) {
                unread = Finding.warn("a library cannot be read").line(provider.getValue(), e.getMessage());
            }
        }
        List<String> kernels = machine.runs() ? evidence.answer("uname").map(String::strip).map(List::of)
                .orElse(List.of())
                : Installed.kernels(evidence);
        Finding found = null;
        for (String kernel : kernels) {
            String path = Installed.module(evidence, kernel, "mana_ib");
            if (path == null) {
                continue;
            }
            OptionalInt number;
            OptionalInt version;
            try {
                Optional<Binary> module = evidence.binary(path);
                number = module.map(DriverIds::ofModule).orElse(OptionalInt.empty());
                version = module.map(DriverIds::versionOfModule).orElse(OptionalInt.empty());
            } catch (Refusal e) {
                unread = Finding.warn("the kernel's module cannot be read").line(path, e.getMessage());
                continue;
            }
            if (number.isEmpty()) {
                unread = Finding.warn("the module does not show its number").line(path, "no object mana_ib_dev_ops");
                continue;
            }
            int kernelNumber = number.getAsInt();
            String loaded = libraries.get(kernelNumber);
            String line = "number %d (%s), interface %d".formatted(kernelNumber, DriverIds.name(kernelNumber),
                    version.orElse(0));
            if (ours != null && library != kernelNumber) {
                String summary = "the kernel calls MANA %d, which libraries read as %s; libmana answers to %d";
                return Finding.fail(summary.formatted(kernelNumber, DriverIds.name(kernelNumber), library))
                        .line(path, line)
                        .line(ours, "number %d (%s)".formatted(library, DriverIds.name(library)))
                        .line(loaded == null ? "libibverbs" : loaded, loaded == null
                        ? "no provider would be loaded: no device is seen"
                                : "would be loaded for the device")
                        .search("ibv_alloc_parent_domain failed", "mana_dev_configure -12 ENOMEM",
                        "RDMA_DRIVER_MANA RDMA_DRIVER_ERDMA")
                        .mend("# take a kernel whose list of drivers has erdma before mana (6.2 or later as it is "
                        + "upstream)", "apt install linux-image-cloud-amd64 || dnf upgrade kernel",
                        "# or build rdma-core with the kernel's number for mana, and take erdma's provider out");
            }
            found = (found == null ? Finding.ok("kernel and library agree on " + kernelNumber) : found)
                    .line(path, line);
        }
        if (found != null && ours != null) {
            return found.line(ours, "number %d (%s), would be loaded".formatted(library, DriverIds.name(library)));
        }
        return unread != null ? unread
                : Finding.skipped(found == null ? "no kernel here has the module mana_ib in a file"
                : "the module tells its number, and no provider of MANA is there to compare; check 12");
    }

    private static Finding platform(Machine machine) {
        List<Machine.Line> devices = machine.lines("infiniband");
        if (devices.isEmpty()) {
            return Finding.skipped("no RDMA device is there");
        }
        Finding found = Finding.ok("driver and users of RDMA devices are of one build, which calls MANA "
                + DriverIds.MANA);
        for (Machine.Line device : devices) {
            found = found.line(device.source(), device.text());
        }
        return found;
    }
}
