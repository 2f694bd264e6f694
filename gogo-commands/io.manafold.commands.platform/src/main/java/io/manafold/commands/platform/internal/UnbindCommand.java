package io.manafold.commands.platform.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Takes a device's driver away. */
@Component(service = Command.class, property = Command.NAME + "=unbind")
public final class UnbindCommand implements Command {
    private final Platform platform;

    @Activate
    public UnbindCommand(@Reference Platform platform) {
        this.platform = platform;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("unbind", Words.FAMILY, "Takes a device's driver away and keeps the device free")
                .about("What depends on the device goes first. It stays free, also after a restart, until 'bind' is "
                        + "said.")
                .argument(Words.DEVICE, "the device's id, as 'devices' shows it", platform.deviceIds())
                .example("unbind 7870:00:00.0", "no driver has it until 'bind 7870:00:00.0'")
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        platform.core().unbind(call.required(Words.DEVICE));
    }
}
