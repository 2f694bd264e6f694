package io.manafold.commands.platform.internal;

import io.manafold.api.device.DriverStatus;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Lists the drivers. */
@Component(service = Command.class, property = Command.NAME + "=drivers")
public final class DriversCommand implements Command {
    private final Platform platform;

    @Activate
    public DriversCommand(@Reference Platform platform) {
        this.platform = platform;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("drivers", Words.FAMILY, "Lists the drivers, what they can drive and what they do drive")
                .about("Two lines of one name are versions of one driver; 'override' chooses between them.")
                .shows()
                .example("drivers", "all of them")
                .example("drivers --json", "the same for programs")
                .build();
    }

    @Override
    public void run(Call call) {
        Table table = new Table().column("NAME", "name").column("VERSION", "version").column("BUNDLE", "bundle")
                .column("DRIVES", "drives").column("DEVICES", "devices");
        for (DriverStatus driver : platform.core().drivers()) {
            table.row(driver.name(), driver.version(), driver.bundle(), driver.idTable(), driver.devices());
        }
        call.print(table);
    }
}
