package io.manafold.commands.net.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.net.MacAddress;
import io.manafold.shell.UsageError;
import java.util.function.Function;

/** Words that several commands have in common. */
final class Words {
    static final String FAMILY = "net";
    static final String DEVICE = "DEV";
    static final String DEVICE_HELP = "the network device, as 'ip link' shows it";

    private Words() {
    }

    static MacAddress mac(String text) {
        return read(text, MacAddress::parse);
    }

    static IpAddress address(String text) {
        return read(text, IpAddress::parse);
    }

    static IpPrefix prefix(String text) {
        return read(text, IpPrefix::parse);
    }

    private static <T> T read(String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new UsageError(e.getMessage() + ".");
        }
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
