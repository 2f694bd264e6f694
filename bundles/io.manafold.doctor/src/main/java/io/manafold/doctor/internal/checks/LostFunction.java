package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Interface;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import java.util.Optional;

/**
 * Why a synthetic device has no virtual function that had one: the host has taken it away, or has told of another
 * serial number than it has. A network interface without accelerated networking never had one.
 */
record LostFunction(String why, List<Finding.Line> lines, String[] mend) {
    private static final List<String> LOGGED = List.of(": VF slot ", ": VF registering", ": Data path switched");

    static Optional<LostFunction> of(Machine machine, Interface master) {
        return machine.isPlatform() ? ofPlatform(machine, master) : ofLinux(machine, master);
    }

    private static Optional<LostFunction> ofPlatform(Machine machine, Interface master) {
        for (Machine.Line adapter : machine.lines("adapters")) {
            if (!List.of(adapter.get("macs").split(",")).contains(master.mac())) {
                continue;
            }
            List<Finding.Line> lines = List.of(line(master.line()), line(adapter));
            String name = Shell.word(adapter.name());
            if (adapter.get("state").equals("revoked")) {
                return Optional.of(new LostFunction("the host has taken the function of " + adapter.name() + " away",
                        lines, new String[] {"servicing restore " + name}));
            }
            if (!adapter.get("serial").equals(adapter.get("announced"))) {
                return Optional.of(new LostFunction("the host has announced serial number " + adapter.get("announced")
                        + ", and the function of " + adapter.name() + " has " + adapter.get("serial"), lines,
                        new String[] {"servicing announce " + name}));
            }
        }
        return Optional.empty();
    }

    private static Optional<LostFunction> ofLinux(Machine machine, Interface master) {
        List<String> logged = LOGGED.stream().map(words -> master.name() + words).toList();
        return machine.logged(line -> logged.stream().anyMatch(words -> line.startsWith(words)
                || line.contains(" " + words))).stream().findFirst()
                .map(line -> new LostFunction("it had one, and that has gone",
                List.of(line(master.line()), new Finding.Line("dmesg", line)),
                new String[] {"lspci -nn -d 1414:", "modprobe -r mana_ib mana && modprobe mana",
                    "# if no function is listed, the host has it: start the machine anew from the cloud's side"}));
    }

    private static Finding.Line line(Machine.Line line) {
        return new Finding.Line(line.source(), line.text());
    }

    /** What it adds to a finding. */
    Finding to(Finding finding) {
        Finding all = finding;
        for (Finding.Line line : lines) {
            all = all.line(line.source(), line.line());
        }
        return all.search("hv_netvsc no VF", "accelerated networking enabled but slow").mend(mend);
    }
}
