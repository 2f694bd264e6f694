package io.manafold.pmd.internal.words;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;

/**
 * A function that was named, with what its driver is to know.
 *
 * @param arguments all behind the first comma, as they were written
 * @param macs of the ports that are wanted; none for all of them
 */
public record DeviceArgument(PciAddress address, String arguments, List<MacAddress> macs) {
    private static final int MOST_MACS = 8;

    public DeviceArgument {
        macs = List.copyOf(macs);
    }

    /** All ports of a function. */
    static DeviceArgument all(PciAddress address) {
        return new DeviceArgument(address, "", List.of());
    }

    /**
     * Reads what is to be attached to an environment that runs.
     *
     * @throws Refusal {@code EINVAL}
     */
    public static DeviceArgument attached(String text) {
        return parse("port attach", text);
    }

    /**
     * Reads {@code 7870:00:00.0,mac=00:0d:3a:00:00:01}.
     *
     * @throws Refusal {@code EINVAL}
     */
    static DeviceArgument parse(String option, String text) {
        int comma = text.indexOf(',');
        String arguments = comma < 0 ? "" : text.substring(comma + 1);
        PciAddress address = address(option, comma < 0 ? text : text.substring(0, comma));
        List<MacAddress> macs = new ArrayList<>();
        if (!arguments.isEmpty()) {
            for (String one : arguments.split(",", -1)) {
                macs.add(mac(option, one, macs));
            }
        }
        if (macs.size() > MOST_MACS) {
            throw Typed.wrong(option + " " + text + " names " + macs.size()
                    + " addresses; a function takes at most " + MOST_MACS
                    + " times mac=. Leave them out for all of its ports.");
        }
        return new DeviceArgument(address, arguments, macs);
    }

    static PciAddress address(String option, String text) {
        try {
            return PciAddress.parse(text.startsWith("pci:") ? text.substring(4) : text);
        } catch (IllegalArgumentException _) {
            throw Typed.wrong(option + " names a function on the PCI bus, and '" + text
                    + "' is none: write domain:bus:device.function, as in 7870:00:00.0. There are no other buses "
                    + "and no devices of software here.");
        }
    }

    private static MacAddress mac(String option, String one, List<MacAddress> before) {
        if (!one.startsWith("mac=")) {
            throw Typed.wrong(option + " has '" + one
                    + "', which the driver does not know; it knows mac=, as in 7870:00:00.0,mac=00:0d:3a:00:00:01.");
        }
        MacAddress mac;
        try {
            mac = MacAddress.parse(one.substring(4));
        } catch (IllegalArgumentException wrong) {
            throw Typed.wrong(option + ": " + wrong.getMessage() + ".");
        }
        if (before.contains(mac)) {
            throw Typed.wrong(option + " has mac=" + mac + " twice; a port is taken once.");
        }
        return mac;
    }
}
