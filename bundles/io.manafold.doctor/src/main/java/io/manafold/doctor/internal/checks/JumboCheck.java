package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Interface;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/** Do packets fit into buffers and both halves of a pair? */
@Component(service = Check.class)
public final class JumboCheck extends MachineCheck {
    public JumboCheck() {
        super(18, "sizes of packets", List.of(), """
                net_mana has no scatter: a packet has to fit into one buffer, whose size testpmd sets by --mbuf-size (2176 with 128 of
                headroom if left out). And a synthetic device and its virtual function need the same MTU, else large packets are lost
                on one of the paths.
                """);
    }

    private static final int USUAL = 2176;
    private static final int HEADROOM = 128;
    private static final int HEADERS = 18;

    @Override
    Finding examine(Machine machine) {
        for (Interface port : machine.ports()) {
            Optional<Interface> master = port.master().isEmpty() ? Optional.empty() : machine.named(port.master());
            if (master.isPresent() && master.get().mtu() != port.mtu()) {
                return Finding.fail("%s has an MTU of %d and %s above it one of %d".formatted(port.name(), port.mtu(),
                        master.get().name(), master.get().mtu())).line(port.line().source(), port.line().text())
                        .line(master.get().line().source(), master.get().line().text())
                        .search("mana mtu mismatch netvsc VF")
                        .mend("ip link set " + Shell.word(master.get().name()) + " mtu "
                        + Math.max(port.mtu(), master.get().mtu()));
            }
        }
        for (Application application : applications(machine)) {
            int room = application.number("--mbuf-size").orElse(USUAL) - HEADROOM;
            int packet = application.number("--max-pkt-len").orElse(0);
            if (packet == 0) {
                packet = machine.ports().stream().filter(port -> port.mtu() > 0 && application.takes(port))
                        .mapToInt(port -> port.mtu() + HEADERS).max().orElse(0);
            }
            if (packet > room) {
                return Finding.fail("packets of %d bytes do not fit into buffers of %d".formatted(packet, room))
                        .line(application.source(), application.text())
                        .search("Requested max packet length > mbuf data room, no scatter",
                        "mana rx scatter not supported")
                        .mend("# give --mbuf-size=" + (packet + HEADROOM + 63) / 64 * 64 + " before --max-pkt-len");
            }
        }
        return machine.runs() || !applications(machine).isEmpty() ? Finding.ok("packets fit") : IMAGE;
    }
}
