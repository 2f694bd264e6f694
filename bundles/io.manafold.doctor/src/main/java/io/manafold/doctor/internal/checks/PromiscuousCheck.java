package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Machine;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Is promiscuous mode asked for? */
@Component(service = Check.class)
public final class PromiscuousCheck extends MachineCheck {
    public PromiscuousCheck() {
        super(21, "no promiscuous mode", List.of(), """
                net_mana has none. testpmd asks for it at its start, says that it is ignored and goes on; applications that insist on
                it, such as l3fwd with -P, end with an error.
                """);
    }

    @Override
    Finding examine(Machine machine) {
        List<Application> applications = applications(machine);
        if (applications.isEmpty()) {
            return NO_APPLICATION;
        }
        for (Application application : applications) {
            boolean forwards = application.program().contains("fwd");
            if (forwards && application.hasOwn("-P") || application.hasOwn("--promiscuous", "--promisc")) {
                return Finding.fail("promiscuous mode is asked for, which net_mana does not have")
                        .line(application.source(), application.text())
                        .search("Error during enabling promiscuous mode for port 0: Operation not supported - ignore",
                        "-95 EOPNOTSUPP")
                        .mend("# leave -P out");
            }
        }
        return Finding.ok("promiscuous mode is not asked for");
    }
}
