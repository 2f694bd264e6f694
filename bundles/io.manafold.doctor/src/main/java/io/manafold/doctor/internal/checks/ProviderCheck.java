package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Installed;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;

/** Is there something that drives the RDMA device for applications? */
@Component(service = Check.class)
public final class ProviderCheck extends MachineCheck {
    public ProviderCheck() {
        super(12, "RDMA provider", List.of(), """
                libibverbs loads a library for each kind of device. Without MANA's (libmana, in ibverbs-providers, rdma-core 44 or
                later) a device that the kernel shows is none for applications: libibverbs warns that it found no driver, and DPDK
                finds no port. Here: the RDMA driver's bundle.
                """);
    }

    @Override
    Finding examine(Machine machine) {
        Evidence evidence = machine.evidence();
        if (machine.isPlatform()) {
            List<Machine.Line> devices = machine.lines("auxiliary");
            for (Machine.Line device : devices) {
                if (device.get("driver").isEmpty()) {
                    return Finding.fail("no driver has " + device.name() + ", so there is no RDMA and no poll mode")
                            .line(device.source(), device.text()).search("no driver found for mana_ib").mend("drivers",
                            "bind " + Shell.word(device.name()));
                }
            }
            return devices.isEmpty() ? Finding.skipped("no device for RDMA is there")
                    : Finding.ok("every device for RDMA has its driver");
        }
        Map<String, String> providers = Installed.providers(evidence);
        if (providers.containsKey("mana")) {
            String path = providers.get("mana");
            String real = evidence.real(path).orElse(path);
            return Finding.ok("MANA's provider is there").line(path, real.equals(path) ? "libmana" : "leads to "
                    + real);
        }
        boolean wanted = !applications(machine).isEmpty() || !machine.lines("infiniband").isEmpty()
                || !Installed.libraries(evidence, "libibverbs.so").isEmpty() || !Installed.libraries(evidence,
                "librte_eal.so").isEmpty();
        if (!wanted) {
            return Finding.skipped("nothing here uses RDMA or poll mode");
        }
        return Finding.fail("libibverbs has no provider for MANA").line("/usr/lib/*/libibverbs", providers.isEmpty()
                ? "no providers"
                : "providers: " + String.join(" ", providers.keySet()))
                .search("libibverbs: Warning: no userspace device-specific driver found for "
                + "/sys/class/infiniband_verbs/uverbs0")
                .mend("apt install ibverbs-providers || dnf install libibverbs || tdnf install rdma-core");
    }
}
