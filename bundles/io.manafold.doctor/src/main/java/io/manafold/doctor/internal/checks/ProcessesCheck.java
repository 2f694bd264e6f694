package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.osgi.service.component.annotations.Component;

/** Do processes that share a device agree? */
@Component(service = Check.class)
public final class ProcessesCheck extends MachineCheck {
    public ProcessesCheck() {
        super(19, "primary and secondary", List.of(), """
                Of processes that share devices (--proc-type) one is the primary, and it has to be there first; secondaries name the
                same devices and the same --file-prefix. One without its primary waits five seconds and fails.
                """);
    }

    @Override
    Finding examine(Machine machine) {
        List<Application> applications = applications(machine);
        if (applications.isEmpty()) {
            return NO_APPLICATION;
        }
        for (Application second : applications) {
            if (!second.environmentValue("--proc-type").orElse("").equals("secondary")) {
                continue;
            }
            List<Application> first = applications.stream().filter(one -> !one.environmentValue("--proc-type")
                    .orElse("primary").equals("secondary") && prefix(one).equals(prefix(second))).toList();
            if (first.isEmpty()) {
                return Finding.fail("a secondary process has no primary with its --file-prefix, " + prefix(second))
                        .line(second.source(), second.text())
                        .search("EAL: failed to send to /var/run/dpdk/rte/mp_socket", "mana secondary -19 ENODEV")
                        .mend("# start the primary first, with --proc-type=primary --file-prefix="
                        + Shell.word(prefix(second)));
            }
            if (!texts(first.getFirst()).equals(texts(second))) {
                return Finding.fail("primary and secondary name different devices").line(first.getFirst().source(),
                        first.getFirst().text())
                        .line(second.source(), second.text()).search("EAL: cannot attach secondary port -12 ENOMEM")
                        .mend("# give the secondary the devices of the primary: "
                        + String.join(" ", texts(first.getFirst()).stream().map(Shell::word).toList()));
            }
        }
        return Finding.ok("processes agree");
    }

    private static String prefix(Application application) {
        return application.environmentValue("--file-prefix").orElse("rte");
    }

    private static Set<String> texts(Application application) {
        Set<String> texts = new TreeSet<>();
        application.devices().forEach(device -> texts.add(device.text()));
        return texts;
    }
}
