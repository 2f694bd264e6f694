package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Interface;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Component;

/** Has every synthetic device its virtual function? */
@Component(service = Check.class)
public final class PairingCheck extends MachineCheck {
    public PairingCheck() {
        super(5, "pair of synthetic device and virtual function", List.of("2"), """
                Where a machine has synthetic devices (hv_netvsc), each one with accelerated networking has a virtual function of MANA
                below it: with the same MAC address, as its slave, and in the PCI slot whose number the host has announced. Without it
                the traffic stays on the slow path.
                """);
    }

    private static final Pattern SLOT = Pattern.compile("VF slot (\\d{1,10}) (added|removed)");
    private static final String SYNTHETIC = "hv_netvsc ";

    /** What the host has said of a virtual function's slot. */
    private record Slot(String number, boolean added, String line) {
    }

    @Override
    Finding examine(Machine machine) {
        if (!machine.runs()) {
            return IMAGE;
        }
        List<Interface> masters = machine.interfaces().stream().filter(Interface::isSynthetic).toList();
        if (masters.isEmpty()) {
            return machine.isPlatform() ? PLATFORM
                    : Finding.skipped("no synthetic device is there: the function stands alone");
        }
        Finding found = Finding.ok("every virtual function is below its synthetic device");
        boolean any = false;
        for (Interface port : machine.ports()) {
            Optional<Interface> same = masters.stream().filter(master -> master.mac().equals(port.mac())).findFirst();
            if (port.master().isEmpty() && same.isPresent()) {
                Optional<LostFunction> lost = LostFunction.of(machine, same.get()).filter(_ -> machine.isPlatform());
                if (lost.isPresent()) {
                    return lost.get().to(Finding.fail("the virtual function " + port.name() + " is not below "
                            + same.get().name() + ": " + lost.get().why()).line(port.line().source(),
                            port.line().text()));
                }
                return apart("the virtual function " + port.name() + " is not below " + same.get().name()
                        + ", which has its address", port, same.get());
            }
            Optional<Interface> above = machine.named(port.master());
            if (above.isPresent() && !above.get().mac().equals(port.mac())) {
                return apart(port.name() + " and " + above.get().name() + " above it have different addresses", port,
                        above.get());
            }
            any |= above.isPresent();
            found = found.line(port.line().source(), port.line().text());
        }
        List<String> slots = machine.evidence().names("/sys/bus/pci/slots");
        for (Slot slot : announced(machine)) {
            if (slot.added && !slots.isEmpty() && !slots.contains(slot.number)) {
                return Finding.fail("the host has announced slot " + slot.number
                        + ", and there is none of that number").line("dmesg", slot.line)
                        .line("/sys/bus/pci/slots", String.join(" ", slots))
                        .search("hv_netvsc no netdev found for vf serial")
                        .mend("# stop the machine and start it anew from the cloud's side, so that the host pairs it "
                        + "again");
            }
        }
        List<Interface> alone = masters.stream().filter(master -> machine.below(master).isEmpty()).toList();
        for (Interface master : alone) {
            Optional<LostFunction> lost = LostFunction.of(machine, master);
            if (lost.isPresent()) {
                return lost.get().to(Finding.fail(master.name() + " has no virtual function: " + lost.get().why()));
            }
        }
        if (any && !alone.isEmpty()) {
            Interface master = alone.getFirst();
            return Finding.warn(master.name() + " has no virtual function of MANA, and another device has one")
                    .line(master.line().source(), master.line().text()).search("hv_netvsc no VF")
                    .mend("# turn accelerated networking on for the network interface of " + master.name());
        }
        return any ? found : Finding.warn("no synthetic device has a virtual function of MANA")
                .search("hv_netvsc no VF")
                .mend("# turn accelerated networking on for the network interface");
    }

    /** What was said last of each synthetic device: a slot that is gone, or was told of anew, is of no matter. */
    private static Collection<Slot> announced(Machine machine) {
        Map<String, Slot> last = new LinkedHashMap<>();
        machine.log().forEach(line -> {
            Matcher slot = SLOT.matcher(line);
            if (slot.find()) {
                last.put(device(line.substring(0, slot.start())), new Slot(slot.group(1),
                        slot.group(2).equals("added"), line));
            }
        });
        return last.values();
    }

    /** The device by its number, which stays, or by its name if the line has no more. */
    private static String device(String before) {
        int driver = before.indexOf(SYNTHETIC);
        String[] words = (driver < 0 ? before : before.substring(driver + SYNTHETIC.length())).strip().split("\\s+");
        return words[driver < 0 ? words.length - 1 : 0];
    }

    private static Finding apart(String summary, Interface port, Interface master) {
        return Finding.fail(summary).line(port.line().source(), port.line().text()).line(master.line().source(),
                master.line().text())
                .search("hv_netvsc VF not enslaved", "no netdev found for vf serial")
                .mend("ip -br link show master " + Shell.word(master.name()),
                        "ip link set " + Shell.word(port.name()) + " down",
                        "ip link set " + Shell.word(port.name()) + " address " + Shell.word(master.mac()),
                        "modprobe -r mana_ib mana && modprobe mana");
    }
}
