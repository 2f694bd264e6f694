package io.manafold.commands.platform.internal;

import io.manafold.api.device.DeviceStatus;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.UsageError;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Allows a device one driver only. */
@Component(service = Command.class, property = Command.NAME + "=override")
public final class OverrideCommand implements Command {
    private static final String CLEAR = "--clear";

    private final Platform platform;

    @Activate
    public OverrideCommand(@Reference Platform platform) {
        this.platform = platform;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("override", Words.FAMILY, "Allows a device one driver only, or lists where that is so")
                .about("The driver is bound at once, whatever it says it can drive. If it refuses the device, what "
                        + "was there before is put back. The choice is kept over restarts and updates.")
                .shows()
                .form("")
                .form("DEVICE DRIVER [VERSION]")
                .form("DEVICE --clear")
                .flag(CLEAR, "lets every driver that fits drive it again")
                .optional(Words.DEVICE, "the device's id, as 'devices' shows it", platform.deviceIds())
                .optional(Words.DRIVER, "the driver's name", platform.driverNames())
                .optional(Words.VERSION, Words.VERSION_HELP, platform.driverVersions())
                .example("override", "where there is an override")
                .example("override 7870:00:00.0 ethernet 1.0.0", "back to this version, and no other")
                .example("override 7870:00:00.0 --clear", "the drivers decide again")
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        boolean clear = call.flag(CLEAR);
        if (call.argument(Words.DEVICE).isEmpty()) {
            if (clear) {
                throw new UsageError("--clear needs to know which device.");
            }
            call.print(list());
            return;
        }
        if (call.json()) {
            throw new UsageError("--json goes with the list; setting an override shows nothing.");
        }
        if (clear == call.argument(Words.DRIVER).isPresent()) {
            throw new UsageError(clear ? "--clear and a driver contradict each other."
                    : "Say which driver is to drive it, or --clear.");
        }
        platform.core().override(call.required(Words.DEVICE), Words.choice(call).orElse(null));
    }

    private Table list() {
        Table table = new Table().column("DEVICE", "device").column("DRIVER", "driver").column("VERSION", "version");
        for (DeviceStatus device : platform.core().devices()) {
            device.override().ifPresent(only -> table.row(device.id(), only.name(), only.version()));
        }
        return table;
    }
}
