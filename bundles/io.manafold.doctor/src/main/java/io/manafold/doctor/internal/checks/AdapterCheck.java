package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Is there a function of MANA? */
@Component(service = Check.class)
public final class AdapterCheck extends MachineCheck {
    public AdapterCheck() {
        super(1, "adapter present", List.of(), """
                Looks for a PCI function 1414:00ba (class 0200, an Ethernet controller). Without one the machine has no MANA at all: a
                size without accelerated networking, or a host that offers another adapter. Everything else about the data path has
                nothing to look at then.
                """);
    }

    @Override
    Finding examine(Machine machine) {
        if (!machine.runs()) {
            return IMAGE;
        }
        List<Machine.Line> functions = machine.functions();
        if (functions.isEmpty()) {
            Finding none = Finding.fail("no PCI function 1414:00ba is there").search("lspci -d 1414:",
                    "MANA not detected");
            for (Machine.Line line : machine.lines("functions").stream().limit(4).toList()) {
                none = none.line(line.source(), line.text());
            }
            return machine.isPlatform() ? platform(machine, none)
                    : none.mend("lspci -nn -d 1414:", "# choose a size with accelerated networking, and turn it on for "
                    + "the network interface");
        }
        Finding found = Finding.ok(functions.size() == 1 ? "one function of MANA is there" : functions.size()
                + " functions of MANA are there");
        for (Machine.Line line : functions) {
            found = found.line(line.source(), line.text());
        }
        return found;
    }

    /** An adapter may be there whose function is away. */
    private static Finding platform(Machine machine, Finding none) {
        Finding found = none;
        for (Machine.Line adapter : machine.lines("adapters")) {
            if (adapter.get("state").equals("revoked")) {
                found = found.line(adapter.source(), adapter.text())
                        .mend("servicing restore " + Shell.word(adapter.name()));
            }
        }
        return found.mend().isEmpty() ? found.mend("lab up default") : found;
    }
}
