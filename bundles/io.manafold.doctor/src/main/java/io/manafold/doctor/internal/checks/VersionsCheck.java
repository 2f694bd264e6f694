package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Installed;
import io.manafold.doctor.internal.linux.Machine;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Component;

/** Is everything new enough? */
@Component(service = Check.class)
public final class VersionsCheck extends MachineCheck {
    public VersionsCheck() {
        super(4, "versions", List.of(), """
                MANA's Ethernet driver is in Linux since 5.15, its RDMA driver (which poll mode needs) since 6.2; DPDK has net_mana
                since 22.11 and rdma-core its provider since 44. Distributions bring drivers to older kernels: where the module is
                there, the kernel's number does not count.
                """);
    }

    private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+).*", Pattern.DOTALL);
    private static final Pattern RDMA_CORE = Pattern.compile("libibverbs\\.so\\.1\\.\\d+\\.(\\d{1,4})\\.\\d+");
    private static final Pattern DPDK = Pattern.compile("librte_eal\\.so\\.(\\d{1,4})\\.?(\\d*)");
    private static final int LEAST_RDMA_CORE = 44;
    /** The number of the interface of DPDK 22.11. */
    private static final int LEAST_DPDK = 23;

    @Override
    Finding examine(Machine machine) {
        if (machine.isPlatform()) {
            return Finding.ok("the parts of this platform are of one build");
        }
        Evidence evidence = machine.evidence();
        Finding found = Finding.ok("all that is there is new enough");
        boolean seen = false;
        List<String> kernels = machine.runs() ? evidence.answer("uname").map(String::strip).map(List::of)
                .orElse(List.of())
                : Installed.kernels(evidence);
        for (String kernel : kernels) {
            seen = true;
            if (isBefore(kernel, 5, 15) && Installed.module(evidence, kernel, "mana") == null) {
                return Finding.fail("Linux " + kernel + " has no driver for MANA: it came with 5.15")
                        .line("uname", kernel)
                        .search("mana requires kernel 5.15")
                        .mend("apt install linux-image-cloud-amd64 || dnf upgrade kernel", "reboot");
            }
            if (isBefore(kernel, 6, 2) && Installed.module(evidence, kernel, "mana_ib") == null
                    && !applications(machine).isEmpty()) {
                return Finding.fail("Linux " + kernel + " has no RDMA driver for MANA, which poll mode needs: it came "
                        + "with 6.2")
                        .line("uname", kernel).search("mana_ib requires kernel 6.2")
                        .mend("apt install linux-image-cloud-amd64 || dnf upgrade kernel", "reboot");
            }
            found = found.line(machine.runs() ? "uname" : "/lib/modules", kernel);
        }
        for (String path : Installed.libraries(evidence, "libibverbs.so.1.")) {
            Matcher version = RDMA_CORE.matcher(path.substring(path.lastIndexOf('/') + 1));
            if (version.matches()) {
                seen = true;
                found = found.line(path, "rdma-core " + version.group(1));
                if (Integer.parseInt(version.group(1)) < LEAST_RDMA_CORE) {
                    return Finding.fail("rdma-core " + version.group(1) + " has no provider for MANA: it came with 44")
                            .line(path, "rdma-core " + version.group(1)).search("rdma-core 44 mana provider")
                            .mend("apt install ibverbs-providers || dnf upgrade libibverbs");
                }
            }
        }
        for (String path : Installed.libraries(evidence, "librte_eal.so.")) {
            Matcher version = DPDK.matcher(path.substring(path.lastIndexOf('/') + 1));
            if (version.matches()) {
                seen = true;
                int number = Integer.parseInt(version.group(1));
                String words = "DPDK %d.11, or %d.03 or %d.07".formatted(number - 1, number, number);
                found = found.line(path, words);
                if (number < LEAST_DPDK) {
                    return Finding.fail("this DPDK has no driver net_mana: it came with 22.11").line(path, words)
                            .search("DPDK 22.11 net_mana").mend("apt install dpdk || dnf upgrade dpdk");
                }
            }
        }
        return seen ? found : Finding.skipped("neither a kernel nor a library tells its version");
    }

    private static boolean isBefore(String release, int major, int minor) {
        Matcher numbers = NUMBERS.matcher(release);
        if (!numbers.matches() || numbers.group(1).length() > 4 || numbers.group(2).length() > 4) {
            return false;
        }
        int first = Integer.parseInt(numbers.group(1));
        return first < major || first == major && Integer.parseInt(numbers.group(2)) < minor;
    }
}
