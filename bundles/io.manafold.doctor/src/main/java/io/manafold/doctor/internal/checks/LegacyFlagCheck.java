package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Machine;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Are words in use that DPDK has dropped? */
@Component(service = Check.class)
public final class LegacyFlagCheck extends MachineCheck {
    public LegacyFlagCheck() {
        super(17, "no old flags", List.of(), """
                -w and --pci-whitelist became -a and --allow in DPDK 20.11, --pci-blacklist became --block. Newer versions know the
                old words no more, and old tutorials show them.
                """);
    }

    @Override
    Finding examine(Machine machine) {
        List<Application> applications = applications(machine);
        if (applications.isEmpty()) {
            return NO_APPLICATION;
        }
        for (Application application : applications) {
            if (application.hasEnvironment("-w", "--pci-whitelist", "--pci-blacklist")) {
                return Finding.fail("the application is started with a word that DPDK has dropped")
                        .line(application.source(), application.text())
                        .search("dpdk-testpmd: invalid option -- 'w'", "unrecognized option '--pci-whitelist'")
                        .mend("# write -a instead of -w, --allow and --block instead of --pci-whitelist and "
                        + "--pci-blacklist");
            }
        }
        return Finding.ok("no word is in use that DPDK has dropped");
    }
}
