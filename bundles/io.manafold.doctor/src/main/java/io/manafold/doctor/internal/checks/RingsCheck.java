package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Machine;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Are the numbers of descriptors possible? */
@Component(service = Check.class)
public final class RingsCheck extends MachineCheck {
    public RingsCheck() {
        super(15, "sizes of rings", List.of(), """
                net_mana takes 64 descriptors or more in a multiple of 64; 256 if nothing is said.
                """);
    }

    private static final int UNIT = 64;
    private static final int MOST = 16384;

    @Override
    Finding examine(Machine machine) {
        List<Application> applications = applications(machine);
        if (applications.isEmpty()) {
            return NO_APPLICATION;
        }
        for (Application application : applications) {
            for (String option : List.of("--rxd", "--txd")) {
                int size = application.number(option).orElse(0);
                if (size != 0 && (size < UNIT || size % UNIT != 0 || size > MOST)) {
                    int near = Math.clamp((size + UNIT - 1) / UNIT * (long) UNIT, UNIT, MOST);
                    return Finding.fail("%s=%d is no multiple of 64 from 64 to %d".formatted(option, size, MOST))
                            .line(application.source(), application.text())
                            .search("Invalid value for nb_rx_desc, should be: <= , >= 64, and a product of 64",
                            "queue setup -22 EINVAL")
                            .mend("# give " + option + "=" + near);
                }
            }
        }
        return Finding.ok("the sizes of rings are possible");
    }
}
