package io.manafold.commands.platform.internal;

import io.manafold.api.device.DriverChoice;
import io.manafold.shell.Call;
import java.util.Optional;

/** Words that several commands have in common. */
final class Words {
    static final String FAMILY = "platform";
    static final String DEVICE = "DEVICE";
    static final String DRIVER = "DRIVER";
    static final String VERSION = "VERSION";

    static final String VERSION_HELP = "the driver's version; the newest if left out. One without a qualifier, as "
            + "1.0.0, is its newest build, one with a qualifier that build";

    private Words() {
    }

    /** The driver that was asked for. */
    static Optional<DriverChoice> choice(Call call) {
        return call.argument(DRIVER).map(name -> new DriverChoice(name, call.argument(VERSION).orElse(null)));
    }
}
