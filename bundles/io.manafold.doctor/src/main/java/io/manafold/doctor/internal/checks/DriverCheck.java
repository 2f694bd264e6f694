package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.image.ModuleBlocklist;
import io.manafold.doctor.internal.linux.Installed;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/** Does the Ethernet driver have the function? */
@Component(service = Check.class)
public final class DriverCheck extends MachineCheck {
    public DriverCheck() {
        super(2, "driver bound", List.of("1"), """
                Looks whether the kernel's driver mana (here: the bundle of the Ethernet driver) has each function, and in an image
                whether its kernels have the driver and may load it. A function without a driver is the silent failure: the machine
                goes on over its synthetic device, the cloud says that acceleration is on, and the network is slow.

                A driver that was there and gave up is the matter of check 3.
                """);
    }

    @Override
    Finding examine(Machine machine) {
        if (!machine.runs()) {
            return image(machine.evidence());
        }
        for (Machine.Line adapter : machine.isPlatform() ? machine.lines("adapters") : List.<Machine.Line>of()) {
            if (adapter.get("state").equals("revoked")) {
                return Finding.fail("the function of " + adapter.name() + " is away, so no driver has it and traffic "
                        + "takes the synthetic path, if there is one").line(adapter.source(), adapter.text())
                        .search("VF without driver", "accelerated networking enabled but slow")
                        .mend("servicing restore " + Shell.word(adapter.name()));
            }
        }
        Finding found = Finding.ok("every function has its driver");
        for (Machine.Line function : machine.functions()) {
            String driver = function.get("driver");
            if (driver.isEmpty()) {
                if (HandshakeCheck.triedAndFailed(machine, function)) {
                    return Finding.skipped("the driver was there and gave up; check 3 says why").line(function.source(),
                            function.text());
                }
                Finding orphan = Finding.fail("no driver has " + function.name()
                        + ", so traffic takes the synthetic path, if there is one")
                        .line(function.source(), function.text())
                        .search("VF without driver", "mana module not loaded",
                        "accelerated networking enabled but slow");
                if (!machine.lines("adapter-state").isEmpty()) {
                    orphan = orphan.mend("# if a virtual machine has the function, there: modprobe mana");
                }
                return machine.isPlatform() ? orphan.mend("drivers", "bind " + Shell.word(function.name()))
                        : orphan.mend("modprobe mana",
                        "# if there is no such module: a kernel with CONFIG_MICROSOFT_MANA, 5.15 or later");
            }
            found = found.line(function.source(), function.text());
        }
        return found;
    }

    private static Finding image(Evidence evidence) {
        List<String> kernels = Installed.kernels(evidence);
        if (kernels.isEmpty()) {
            return Finding.skipped("no kernel is installed in it");
        }
        Finding found = Finding.ok("every kernel has the driver");
        for (String kernel : kernels) {
            String module = Installed.module(evidence, kernel, "mana");
            String config = "/boot/config-" + kernel;
            boolean builtIn = evidence.text(config).stream().flatMap(String::lines)
                    .anyMatch("CONFIG_MICROSOFT_MANA=y"::equals);
            if (module == null && !builtIn) {
                return Finding.fail("kernel " + kernel + " has no driver mana").line("/lib/modules/" + kernel,
                        "no mana.ko")
                        .search("CONFIG_MICROSOFT_MANA", "mana.ko missing")
                        .mend("# install a kernel, or its package of extra modules, that has CONFIG_MICROSOFT_MANA=m");
            }
            found = found.line(module == null ? config : module, module == null ? "CONFIG_MICROSOFT_MANA=y"
                    : "module of " + kernel);
        }
        Optional<Finding.Line> blocking = ModuleBlocklist.of(evidence, "mana");
        if (blocking.isPresent()) {
            return Finding.fail("the driver mana is kept from loading").line(blocking.get().source(),
                    blocking.get().line()).search("blacklist mana").mend(ModuleBlocklist.mend(blocking.get(), "mana"));
        }
        return found;
    }
}
