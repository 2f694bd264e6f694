package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Interface;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Component;

/** Is the interface down whose port poll mode is to have? */
@Component(service = Check.class)
public final class PortReleasedCheck extends MachineCheck {
    public PortReleasedCheck() {
        super(8, "port released", List.of("2"), """
                A port has one user at a time: the kernel's network device or raw queue pairs. While the device, or the synthetic
                device above it, is up, a poll-mode application cannot make its queue pairs: its first one ends with -19 (ENODEV), on
                newer Linux with -16 (EBUSY). If only one of the two is down, nothing fails and hardly a packet passes.
                Looks at the interfaces of the ports that the application takes.

                It needs to know the application: one that runs, one of a unit, or a line named with --eal.
                """);
    }

    private static final Pattern REFUSED =
            Pattern.compile("(?i).*(?:failed to create qp|failed to start tx queues|dev_start|fail to start port).*");

    @Override
    Finding examine(Machine machine) {
        if (!machine.runs()) {
            return IMAGE;
        }
        List<Application> applications = applications(machine);
        if (applications.isEmpty()) {
            return NO_APPLICATION;
        }
        Finding found = Finding.ok("the interfaces of its ports are down");
        boolean any = false;
        for (Application application : applications) {
            for (Interface port : machine.ports()) {
                if (!application.takes(port)) {
                    continue;
                }
                any = true;
                Optional<Interface> master = port.master().isEmpty() ? Optional.empty() : machine.named(port.master());
                if (port.isUp() || master.filter(above -> above.isSynthetic() && above.isUp()).isPresent()) {
                    return withLog(machine, up(application, port, master));
                }
                found = found.line(port.line().source(), port.line().text());
            }
        }
        return any ? found : Finding.skipped("the application takes none of the ports that are there");
    }

    private static Finding up(Application application, Interface port, Optional<Interface> master) {
        Interface up = port.isUp() ? port : master.orElseThrow();
        Finding finding = Finding.fail(up.name() + " is up, so the kernel has the port that " + application.source()
                + " wants")
                .line(up.line().source(), up.line().text()).line(application.source(), application.text());
        if (master.isPresent()) {
            finding = finding.mend("ip link set " + Shell.word(master.get().name()) + " down");
        }
        return finding.search("Failed to create qp queue index 0", "-19 ENODEV", "-16 EBUSY", "mana_ib port busy")
                .mend("ip link set " + Shell.word(port.name()) + " down");
    }

    private static Finding withLog(Machine machine, Finding finding) {
        Finding all = finding;
        for (String line : machine.evidence().answer("application-log").stream().flatMap(String::lines)
                .filter(one -> one.length() < 500 && REFUSED.matcher(one).matches()).limit(3).toList()) {
            all = all.line("application-log", line);
        }
        return all;
    }
}
