package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Interface;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Does every mac= name a port? */
@Component(service = Check.class)
public final class MacFilterCheck extends MachineCheck {
    public MacFilterCheck() {
        super(13, "mac= of devices", List.of("2"), """
                All ports of a function have one bus address, so applications choose by mac=: at most eight for a device, each the
                address of a port as the kernel shows it. One that is no address, or that no port has, leaves the application without
                that port.
                """);
    }

    private static final int MOST = 8;

    @Override
    Finding examine(Machine machine) {
        if (!machine.runs()) {
            return IMAGE;
        }
        List<Application> applications = applications(machine);
        if (applications.isEmpty()) {
            return NO_APPLICATION;
        }
        int named = 0;
        for (Application application : applications) {
            for (Application.Device device : application.devices()) {
                if (device.macs().size() > MOST) {
                    return wrong("a device takes eight mac= at most, and " + device.address() + " has " + device.macs()
                            .size(), application, machine);
                }
                for (String mac : device.macs()) {
                    named++;
                    if (!mac.matches("[0-9a-f]{2}(?::[0-9a-f]{2}){5}")) {
                        return wrong("mac=" + mac + " is no address", application, machine);
                    }
                    if (machine.ports().stream().noneMatch(port -> port.mac().equals(mac))) {
                        return wrong("no port has the address " + mac, application, machine);
                    }
                }
            }
        }
        return named == 0 ? Finding.ok("no mac= is given: all ports of the function are taken")
                : Finding.ok("every mac= is that of a port");
    }

    private static Finding wrong(String summary, Application application, Machine machine) {
        Finding finding = Finding.fail(summary).line(application.source(), application.text())
                .search("EAL: Requested device cannot be used", "Bus (pci) probe failed");
        for (Interface port : machine.ports().stream().limit(8).toList()) {
            finding = finding.line(port.line().source(), port.line().text()).mend("# --vdev="
                    + Shell.word(port.device() + ",mac=" + port.mac()) + " is " + port.name());
        }
        return finding;
    }
}
