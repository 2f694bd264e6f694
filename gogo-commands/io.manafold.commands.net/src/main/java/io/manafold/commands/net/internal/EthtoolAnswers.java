package io.manafold.commands.net.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import java.util.List;

/** What {@code ethtool} can ask of every device, and what it hears where the driver has little or nothing to say. */
final class EthtoolAnswers {
    /** Stamps that a kernel makes for any driver; the device itself makes none. */
    private static final List<String> STAMPS = List.of("software-receive", "software-system-clock");

    private EthtoolAnswers() {
    }

    static void permanentAddress(Call call, NetDevice device) {
        if (call.json()) {
            EthtoolViews.json(call, device, Fields.of("permanent-address", device.mac()));
        } else {
            call.out().println("Permanent address: " + device.mac());
        }
    }

    static void timeStamps(Call call, NetDevice device) {
        if (call.json()) {
            EthtoolViews.json(call, device, Fields.of("capabilities", STAMPS).and("ptp-hardware-clock", null)
                    .and("hardware-transmit-timestamp-modes", List.of())
                    .and("hardware-receive-filter-modes", List.of()));
            return;
        }
        call.out().println("Time stamping parameters for " + device.name() + ":");
        call.out().println("Capabilities:");
        STAMPS.forEach(stamp -> call.out().println("\t" + stamp));
        call.out().println("PTP Hardware Clock: none");
        call.out().println("Hardware Transmit Timestamp Modes: none");
        call.out().println("Hardware Receive Filter Modes: none");
    }

    /** The driver tells how many queues there are to steer to, and has no rules that would steer. */
    static void classification(Call call, NetDevice device) {
        if (call.json()) {
            EthtoolViews.json(call, device, Fields.of("rx-rings", device.channels()));
        } else {
            call.out().println(device.channels() + " RX rings available");
        }
        throw refused("rules that steer flows to queues", device, "its adapter spreads packets by their hash alone. "
                + "'ethtool -x " + device.name() + "' shows how, 'ethtool -X' changes it.");
    }

    static void pause(Call call, NetDevice device) {
        throw refused("pause parameters", device, "frames that pause are between its adapter and the switch. "
                + "'link show' tells of links and what they do.");
    }

    static void module(Call call, NetDevice device) {
        throw refused("plug-in module with an EEPROM", device, "its port is one of an adapter and not of a cable. "
                + "'ethtool " + device.name() + "' shows speed and link.");
    }

    static void registers(Call call, NetDevice device) {
        throw refused("register dump", device, "its driver makes none. 'ethtool --debug " + device.name()
                + "' shows its queues, 'lspci -v' its function.");
    }

    private static Refusal refused(String what, NetDevice device, String why) {
        return new Refusal(Errno.EOPNOTSUPP, device.name() + " has no " + what + ": " + why);
    }
}
