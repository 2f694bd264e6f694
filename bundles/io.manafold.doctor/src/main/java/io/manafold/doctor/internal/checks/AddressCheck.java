package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Interface;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import io.manafold.doctor.internal.linux.Texts;
import java.util.List;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Component;

/** Does anything give the virtual function addresses? */
@Component(service = Check.class)
public final class AddressCheck extends MachineCheck {
    public AddressCheck() {
        super(7, "virtual function left alone", List.of(), """
                Addresses belong to the synthetic device above. A virtual function that has addresses of its own, or that a network
                manager is told to manage, takes packets away from it: connections hang or use the wrong address. Looks at the
                addresses of virtual functions, and at rules of netplan, networkd, NetworkManager and udev: one that names the driver
                mana with addresses is wrong, and one that knows the drivers of older adapters (mlx4, mlx5) alone leaves MANA's
                function to the manager.
                """);
    }

    private static final List<String> RULES = List.of("/etc/netplan", "/etc/systemd/network",
            "/usr/lib/systemd/network", "/etc/NetworkManager/conf.d", "/usr/lib/NetworkManager/conf.d",
            "/etc/udev/rules.d", "/usr/lib/udev/rules.d");
    private static final Pattern LEAVES_ALONE = Pattern
            .compile("unmanaged|NM_UNMANAGED|Unmanaged=yes|IFF_SLAVE|unmanaged-devices");
    private static final Pattern MANAGES = Pattern.compile("^[ \t]*(?:driver:[ \t]*\"?mana\"?|Driver=mana)[ \t]*$");
    private static final Pattern ADDRESSES = Pattern
            .compile("(?i)^[ \t]*(?:dhcp4:\\s*(?:true|yes)|DHCP=(?:yes|true|ipv4)|Address=|addresses:)");

    private static final Pattern OLD = Pattern.compile("mlx");

    @Override
    Finding examine(Machine machine) {
        if (machine.isPlatform() && machine.interfaces().stream().noneMatch(Interface::isSynthetic)) {
            return PLATFORM;
        }
        for (Interface port : machine.ports()) {
            if (port.master().isEmpty()) {
                continue;
            }
            for (Machine.Line address : machine.lines("ip-addr")) {
                if (address.get("dev").equals(port.name()) && !address.name().startsWith("fe80:")) {
                    return Finding.fail("the virtual function " + port.name() + " has an address of its own")
                            .line(address.source(), address.text()).line(port.line().source(), port.line().text())
                            .search("VF got DHCP lease", "cloud-init hv_netvsc VF", "NetworkManager manages VF")
                            .mend("ip addr flush dev " + Shell.word(port.name()),
                            "# and keep network managers from it: "
                            + port.name() + " is a slave of " + port.master());
                }
            }
        }
        for (String folder : RULES) {
            for (String name : machine.evidence().names(folder)) {
                String file = folder + "/" + name;
                List<String> text = Texts.lines(machine.evidence().text(file).orElse("")).toList();
                if (any(text, MANAGES) && any(text, ADDRESSES) && !any(text, LEAVES_ALONE)) {
                    return Finding.fail("a rule gives addresses to whatever has the driver mana, so to virtual "
                            + "functions as well")
                            .line(file, first(text, MANAGES)).search("netplan match driver mana",
                            "systemd-networkd Driver=mana")
                            .mend("# match the synthetic device instead: driver hv_netvsc in " + file);
                }
                if (any(text, LEAVES_ALONE) && any(text, OLD) && !any(text, MANA)
                        && text.stream().noneMatch(line -> line.contains("IFF_SLAVE"))) {
                    return Finding.fail("a rule leaves virtual functions alone by their driver, and does not know mana")
                            .line(file, first(text, OLD))
                            .search("NM_UNMANAGED mlx5_core mana")
                            .mend("# name mana beside the drivers that are there in " + file);
                }
            }
        }
        if (!machine.isPlatform() && machine.lines("ip-addr").isEmpty()
                && machine.ports().stream().anyMatch(port -> !port.master().isEmpty())) {
            return Finding.skipped("no address is in the evidence, so whether virtual functions have any is not known");
        }
        return Finding.ok(machine.ports().isEmpty() ? "no rule is wrong about virtual functions"
                : "nothing gives addresses to virtual functions");
    }

    private static boolean any(List<String> lines, Pattern pattern) {
        return lines.stream().anyMatch(line -> pattern.matcher(line).find());
    }

    private static String first(List<String> lines, Pattern pattern) {
        return lines.stream().filter(line -> pattern.matcher(line).find()).findFirst().orElse("").strip();
    }
}
