package io.manafold.commands.platform.internal;

import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.DriverStatus;
import io.manafold.api.device.PciFunction;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.PlainText;
import io.manafold.shell.Syntax;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Lists PCI functions, as people know it. */
@Component(service = Command.class, property = Command.NAME + "=lspci")
public final class LspciCommand implements Command {
    private final Platform platform;

    @Activate
    public LspciCommand(@Reference Platform platform) {
        this.platform = platform;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("lspci", Words.FAMILY, "Lists the PCI functions")
                .about("The labels are those of the tool of this name; a kernel driver is a driver of this "
                        + "platform, and a kernel module the bundle of a driver that fits. JSON always has everything.")
                .shows()
                .option("-d IDS", "only those with these ids: [vendor]:[device][:class], hexadecimal", Completer.NONE)
                .option("-s SLOT", "only those at [[domain]:][bus]:][device][.function], hexadecimal", slots())
                .flag("-k", "shows the driver in use and the ones that fit")
                .flag("-v", "shows flags, memory, capabilities and drivers as well")
                .flag("-n", "shows ids as numbers")
                .flag("-nn", "shows ids as numbers and names")
                .flag("-D", "shows the domain in any case")
                .example("lspci", "one line for each")
                .example("lspci -d 1414:00ba:0200 -k", "adapters only, with their drivers")
                .example("lspci -v -s 7870:00:00.0", "all about one function")
                .build();
    }

    private Completer slots() {
        return Completer.names(() -> platform.functions().stream().map(PciFunction::id).toList());
    }

    @Override
    public void run(Call call) {
        Predicate<PciFunction> wanted = call.option("-d").map(PciFilter::byId).orElse(function -> true)
                .and(call.option("-s").map(PciFilter::bySlot).orElse(function -> true));
        List<PciFunction> functions = platform.functions().stream()
                .sorted(Comparator.comparing(PciFunction::address)).toList();
        List<DeviceStatus> devices = platform.coreIfPresent().map(DriverCore::devices).orElse(List.of());
        List<DriverStatus> drivers = platform.coreIfPresent().map(DriverCore::drivers).orElse(List.of());
        List<PciListing> listings = functions.stream().filter(wanted)
                .map(function -> PciListing.of(function, devices, drivers)).toList();
        if (call.json()) {
            call.print(listings.stream().map(PciListing::fields).toList());
            return;
        }
        int numbers = call.count("-n") + 2 * call.count("-nn");
        boolean domains = call.flag("-D") || functions.stream().anyMatch(function -> function.address().domain() != 0);
        PciListing.Style style =
                new PciListing.Style(call.flag("-v"), call.flag("-k"), domains, numbers == 1, numbers > 1);
        listings.forEach(listing -> call.out().print(PlainText.lines(listing.text(style))));
    }
}
