package io.manafold.commands.platform.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Lets a device be driven. */
@Component(service = Command.class, property = Command.NAME + "=bind")
public final class BindCommand implements Command {
    private final Platform platform;

    @Activate
    public BindCommand(@Reference Platform platform) {
        this.platform = platform;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("bind", Words.FAMILY,
                "Lets a device be driven, by the driver that fits or by the one named")
                .about("It ends what 'unbind' has begun. A named driver is bound now, in place of another or of an "
                        + "older build; if it refuses the device, what was there before is put back. 'override' "
                        + "makes a choice that lasts.")
                .argument(Words.DEVICE, "the device's id, as 'devices' shows it", platform.deviceIds())
                .optional(Words.DRIVER, "the driver's name; whichever fits if left out", platform.driverNames())
                .optional(Words.VERSION, Words.VERSION_HELP, platform.driverVersions())
                .example("unbind 7870:00:00.0; bind 7870:00:00.0", "has it probed again, by the driver that fits")
                .example("bind 7870:00:00.0 ethernet 1.0.0", "now this version of this driver")
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        platform.core().bind(call.required(Words.DEVICE), Words.choice(call).orElse(null));
    }
}
