package io.manafold.commands.net.internal;

import io.manafold.api.device.DriverCore;
import io.manafold.api.device.SavedSetting;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.net.NetDevice;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Missing;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Lists what is kept of devices, and forgets it. */
@Component(service = Command.class, property = Command.NAME + "=settings")
public final class SettingsCommand implements Command {
    private static final String ALL = "--all";
    private static final List<String> ABOUT = List.of(SavedSettings.PORT, SavedSettings.SHAPERS, SavedSettings.HOST,
            SavedSettings.RDMA);

    private final Network network;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile SavedSettings settings;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile DriverCore core;

    @Activate
    public SettingsCommand(@Reference Network network) {
        this.network = network;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("settings", Words.FAMILY,
                "Shows what is kept of network devices and comes back with them").about("What is set on a device is "
                        + "kept for its lab, adapter and port. It comes back with the device until the lab's file says "
                        + "something else of it than when it was set.")
                .usuallyWithWords("list")
                .verb(Syntax.verb("list", "Lists what is kept, and why").shows()
                        .optional(Words.DEVICE, Words.DEVICE_HELP, network.completeDevices())
                        .example("settings", "of all labs, also of those that are down")
                        .example("settings mana0", "of the device that is there now")
                        .example("settings --json", "for programs"))
                .verb(Syntax.verb("forget", "Forgets what was set by hand")
                        .about("A device that is there is unbound for a moment and comes back as its lab says, with "
                                + "all devices of its function. What the driver chose, as a name and a key, stays.")
                        .flag(ALL, "of all devices of all labs")
                        .optional(Words.DEVICE, Words.DEVICE_HELP, network.completeDevices())
                        .example("settings forget mana0", "mana0 is as its lab says")
                        .example("settings forget --all", "so is everything"))
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        SavedSettings kept = Missing.required(settings, "store of settings", "io.manafold.bus");
        List<NetDevice> chosen = call.argument(Words.DEVICE).map(name -> List.of(network.device(name)))
                .orElseGet(network::devices);
        Map<String, NetDevice> devices = new TreeMap<>();
        chosen.forEach(device -> ABOUT.forEach(about ->
                devices.put(device.keptAs(about).orElseGet(() -> kept.subject(about, device.address(),
                        device.port())), device)));
        boolean all = call.argument(Words.DEVICE).isEmpty();
        List<SavedSetting> listed = kept.list().stream()
                .filter(one -> all || devices.containsKey(one.subject())).toList();
        if (call.verb().equals("list")) {
            list(call, listed, devices);
        } else if (call.flag(ALL) != all) {
            throw new UsageError("settings forget needs to know of what: one device, or " + ALL + ".");
        } else {
            forget(kept, listed.stream().filter(SavedSetting::byHand).toList(), devices);
        }
    }

    private static void list(Call call, List<SavedSetting> listed, Map<String, NetDevice> devices) {
        Table table = new Table().column("LAB", "lab").column("PORT", "port").column("DEVICE", "device")
                .column("SETTING", "setting").column("VALUE", "value").column("WHY", "why");
        for (SavedSetting one : listed) {
            NetDevice device = devices.get(one.subject());
            String why = !one.byHand() ? "chosen by the driver, to stay"
                    : "set by hand" + one.stated().map(file -> ", the file says " + file).orElse("");
            table.row(one.lab().orElse(null), one.port(), device == null ? null : device.name(), one.word(),
                    one.value(), why);
        }
        call.print(table);
    }

    private void forget(SavedSettings kept, List<SavedSetting> set, Map<String, NetDevice> devices)
            throws InterruptedException {
        Set<String> functions = new TreeSet<>();
        Set<String> subjects = new LinkedHashSet<>();
        for (SavedSetting one : set) {
            subjects.add(one.subject());
            if (devices.get(one.subject()) instanceof NetDevice there) {
                functions.add(there.address().toString());
            }
        }
        Changes changes = new Changes();
        DriverCore drivers = core;
        // a device that is there would keep again what is in force
        if (drivers == null) {
            functions.clear();
        }
        try (Freed freed = new Freed(drivers, changes)) {
            for (String function : functions) {
                freed.free(function);
            }
            for (String subject : subjects) {
                changes.make(() -> kept.forget(subject));
            }
        }
        changes.end();
    }

    /** Functions without their drivers: each may be driven again at the end, or it would stay free. */
    private static final class Freed implements AutoCloseable {
        private final DriverCore drivers;
        private final Changes changes;
        private final List<String> functions = new ArrayList<>();

        Freed(DriverCore drivers, Changes changes) {
            this.drivers = drivers;
            this.changes = changes;
        }

        void free(String function) throws InterruptedException {
            // noted first: an order is carried out even if the wait for it is interrupted
            functions.add(function);
            changes.make(() -> drivers.unbindForNow(function));
        }

        @Override
        public void close() {
            boolean interrupted = Thread.interrupted();
            RuntimeException first = null;
            for (String function : functions) {
                try {
                    changes.make(() -> drivers.bind(function, null));
                } catch (InterruptedException _) {
                    interrupted = true;
                } catch (RuntimeException refused) {
                    first = first == null ? refused : first;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (first != null) {
                throw first;
            }
        }
    }
}
