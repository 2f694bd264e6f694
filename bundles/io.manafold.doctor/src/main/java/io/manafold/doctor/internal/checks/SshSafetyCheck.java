package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Interface;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Does poll mode take the port by which the machine is managed? */
@Component(service = Check.class)
public final class SshSafetyCheck extends MachineCheck {
    public SshSafetyCheck() {
        super(20, "way of management", List.of("2"), """
                An application without mac= takes every port of a function, that of ssh included, and the machine is gone. Looks which
                interface has the default route, and whether the application would take its port.
                """);
    }

    @Override
    Finding examine(Machine machine) {
        if (!machine.runs()) {
            return IMAGE;
        }
        List<Application> applications = applications(machine);
        if (applications.isEmpty()) {
            return NO_APPLICATION;
        }
        List<Machine.Line> managed = machine.lines("management");
        if (managed.isEmpty() && !machine.isPlatform()) {
            return Finding.skipped("no default route is in the evidence, so what manages the machine is not known");
        }
        for (Application application : applications) {
            for (Interface port : machine.ports()) {
                for (Machine.Line line : managed) {
                    if ((line.get("dev").equals(port.name()) || !port.master().isEmpty() && line.get("dev")
                            .equals(port.master())) && application.takes(port)) {
                        return Finding.fail(line.get("dev") + " is the way by which this machine is managed, and the "
                                + "application takes its port")
                                .line(line.source(), line.text()).line(application.source(), application.text())
                                .search("DPDK took management interface, ssh lost").mend(others(machine, port));
                    }
                }
            }
        }
        return Finding.ok("the way of management is left alone");
    }

    private static String others(Machine machine, Interface managed) {
        return machine.ports().stream().filter(port -> !port.mac().equals(managed.mac())).findFirst()
                .map(port -> "# take another port: --vdev=" + Shell.word(port.device() + ",mac=" + port.mac()))
                .orElse("# give the machine a second network interface for poll mode, and name it with mac=");
    }
}
