package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Machine;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Can there be as many queues as are asked for? */
@Component(service = Check.class)
public final class QueuesCheck extends MachineCheck {
    public QueuesCheck() {
        super(14, "numbers of queues", List.of(), """
                net_mana wants as many queues to receive as to send, a power of two of them, and no more than the device has; testpmd
                cannot have more forwarding cores than queues of all ports, and one core runs its commands.
                """);
    }

    private static final int MOST = 64;

    @Override
    Finding examine(Machine machine) {
        List<Application> applications = applications(machine);
        if (applications.isEmpty()) {
            return NO_APPLICATION;
        }
        for (Application application : applications) {
            int receive = application.number("--rxq").orElse(1);
            int send = application.number("--txq").orElse(1);
            if (receive != send) {
                return wrong("%d queues receive and %d send: both have to be the same".formatted(receive, send),
                        application, Math.max(receive, send));
            }
            if (receive < 1 || Integer.bitCount(receive) != 1 || receive > MOST) {
                return wrong(receive + " queues are asked for, which is no power of two from 1 to " + MOST, application,
                        Math.clamp(Integer.highestOneBit(receive), 1, MOST));
            }
            int forwarding = application.number("--nb-cores").orElse(1);
            if (application.cores().isPresent() && application.cores().getAsInt() < forwarding + 1
                    && application.hasOwn("--nb-cores")) {
                String summary = "%d forwarding cores are asked for, and -l names %d in all, one of which "
                        + "runs commands";
                return Finding.fail(summary.formatted(forwarding, application.cores().getAsInt()))
                        .line(application.source(), application.text())
                        .search("nb-cores too many lcores")
                        .mend("# name one core more with -l than with --nb-cores: -l 0-" + forwarding);
            }
        }
        return Finding.ok("the numbers of queues fit");
    }

    private static Finding wrong(String summary, Application application, int queues) {
        return Finding.fail(summary).line(application.source(), application.text())
                .search("Number of TX/RX queues must be the same", "Ethdev port_id=0 dev_configure -22 EINVAL")
                .mend("# give --rxq=" + queues + " --txq=" + queues);
    }
}
