package io.manafold.commands.platform.internal;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.Offer;
import io.manafold.api.device.PciFunction;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Fields;
import io.manafold.shell.Syntax;
import io.manafold.shell.Tree;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Shows every device, what is below it, and who drives it. */
@Component(service = Command.class, property = Command.NAME + "=devices")
public final class DevicesCommand implements Command {
    private static final String GAP = "  ";

    private final Platform platform;

    @Activate
    public DevicesCommand(@Reference Platform platform) {
        this.platform = platform;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("devices", Words.FAMILY, "Shows the devices, what they offer, and their drivers")
                .about("Below each function stand the parts that its driver lends to other drivers, and what the "
                        + "drivers offer to the world. A device without a driver says in brackets why.")
                .shows()
                .example("devices", "all of them")
                .example("devices --json", "the same for programs")
                .build();
    }

    @Override
    public void run(Call call) {
        call.print(tree(platform.core().devices(), platform.offers()));
    }

    static Tree tree(List<DeviceStatus> devices, List<Offer> offers) {
        Tree tree = new Tree("DEVICE  ID  CLASS  DRIVER");
        Branches branches = new Branches(devices, offers);
        Set<String> ids = new HashSet<>();
        devices.forEach(device -> ids.add(device.id()));
        for (DeviceStatus device : devices) {
            if (!(device.device() instanceof AuxiliaryDevice auxiliary && ids.contains(auxiliary.parent()))) {
                branches.grow(device, tree.root(label(device), note(device), fields(device)));
            }
        }
        // parts that name each other as parents hang from nothing, and are shown all the same
        for (DeviceStatus device : devices) {
            if (!branches.shown.contains(device.id())) {
                branches.grow(device, tree.root(label(device), note(device), fields(device)));
            }
        }
        return tree;
    }

    /** Hangs things below the device they come from. */
    private static final class Branches {
        private final List<DeviceStatus> devices;
        private final List<Offer> offers;
        private final Set<String> shown = new HashSet<>();

        Branches(List<DeviceStatus> devices, List<Offer> offers) {
            this.devices = devices;
            this.offers = offers.stream().sorted(Comparator.comparing(Offer::name)).toList();
        }

        void grow(DeviceStatus device, Tree.Node node) {
            shown.add(device.id());
            for (DeviceStatus below : devices) {
                if (below.device() instanceof AuxiliaryDevice auxiliary && auxiliary.parent().equals(device.id())
                        && !shown.contains(below.id())) {
                    grow(below, node.child(label(below), note(below), fields(below)));
                }
            }
            List<Offer> own = offers.stream().filter(offer -> offer.offeredBy().equals(device.id())).toList();
            int width = own.stream().mapToInt(offer -> offer.name().length()).max().orElse(0);
            for (Offer offer : own) {
                String name = offer.name() + " ".repeat(width - offer.name().length());
                node.child(name + GAP + " " + offer.summary(), "", Fields.of("kind", "offer")
                        .and("id", offer.name()).and("summary", offer.summary()));
            }
        }
    }

    private static String label(DeviceStatus status) {
        return switch (status.device()) {
            case PciFunction function -> function.id() + GAP + function.identity() + GAP
                    + PciNames.className(function.identity().classCode());
            case AuxiliaryDevice auxiliary -> auxiliary.id();
        };
    }

    static String note(DeviceStatus status) {
        String override = status.override().map(only -> ", override " + only).orElse("");
        String reason = status.reason().map(why -> ": " + why).orElse("");
        return switch (status.state()) {
            case BOUND -> "driver " + status.driver().map(DriverChoice::toString).orElse("unknown") + override
                    + status.reason().map(why -> " (" + why + ")").orElse("");
            case FREE -> status.unboundByHand()
                    ? "(unbound by hand" + override + ")"
                    : "(free" + override + reason + ")";
            case PROBING -> "(probing" + override + ")";
            case REMOVING -> "(removing" + override + ")";
            case DEFERRED -> "(deferred" + override + reason + ")";
            case FAILED -> "(failed" + override + reason + ")";
        };
    }

    private static Fields fields(DeviceStatus status) {
        Fields fields = switch (status.device()) {
            case PciFunction function -> Fields.of("kind", "function")
                    .and("id", function.id())
                    .and("vendor", "%04x".formatted(function.identity().vendor()))
                    .and("device", "%04x".formatted(function.identity().device()))
                    .and("class", "%06x".formatted(function.identity().classCode()));
            case AuxiliaryDevice auxiliary -> Fields.of("kind", "auxiliary")
                    .and("id", auxiliary.id())
                    .and("parent", auxiliary.parent());
        };
        return fields.and("state", status.state())
                .and("driver", status.driver().map(DriverChoice::name))
                .and("version", status.driver().map(DriverChoice::version))
                .and("reason", status.reason())
                .and("unbound_by_hand", status.unboundByHand())
                .and("override", status.override()
                        .map(only -> Fields.of("driver", only.name()).and("version", only.version())));
    }
}
