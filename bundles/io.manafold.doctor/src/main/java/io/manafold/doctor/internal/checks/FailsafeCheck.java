package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Interface;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Is the old way of pairs in use? */
@Component(service = Check.class)
public final class FailsafeCheck extends MachineCheck {
    public FailsafeCheck() {
        super(16, "no failsafe", List.of(), """
                net_vdev_netvsc with net_failsafe was the way for pairs before netvsc drove them itself. On MANA it brings low rates
                and loses the first packets of flows: bind the synthetic device to uio_hv_generic and let net_netvsc find the function
                by its address, or take the function alone.
                """);
    }

    @Override
    Finding examine(Machine machine) {
        List<Application> applications = applications(machine);
        if (applications.isEmpty()) {
            return NO_APPLICATION;
        }
        for (Application application : applications) {
            for (String device : application.made()) {
                if (device.startsWith("net_vdev_netvsc") || device.startsWith("eth_vdev_netvsc")
                        || device.startsWith("net_failsafe") || device.startsWith("eth_failsafe")) {
                    Finding finding = Finding.fail("the application takes " + device.replaceFirst(",.*", "")
                            + ", which is slow on MANA")
                            .line(application.source(), application.text())
                            .search("net_vdev_netvsc low throughput MANA", "net_failsafe mana");
                    for (Interface port : machine.ports().stream().limit(8).toList()) {
                        finding = finding.mend("# instead: --vdev="
                                + Shell.word(port.device() + ",mac=" + port.mac()));
                    }
                    return finding.mend("# or net_netvsc: driverctl -b vmbus set-override UUID uio_hv_generic");
                }
            }
        }
        return Finding.ok("no device of failsafe is asked for");
    }
}
