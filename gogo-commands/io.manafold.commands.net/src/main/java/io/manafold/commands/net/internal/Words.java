package io.manafold.commands.net.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.net.MacAddress;
import io.manafold.shell.UsageError;

/** Words that several commands have in common. */
final class Words {
    static final String FAMILY = "net";
    static final String DEVICE = "DEV";
    static final String DEVICE_HELP = "the network device, as 'ip link' shows it";

    private Words() {
    }

    static MacAddress mac(String text) {
        return UsageError.reading(text, MacAddress::parse);
    }

    static IpAddress address(String text) {
        return UsageError.reading(text, IpAddress::parse);
    }

    static IpPrefix prefix(String text) {
        return UsageError.reading(text, IpPrefix::parse);
    }

    /** {@code on} or {@code off}. */
    static boolean onOff(String what, String text) {
        return switch (text) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new UsageError(what + " is on or off, not '" + text + "'.");
        };
    }

    static String onOff(boolean on) {
        return on ? "on" : "off";
    }
}
