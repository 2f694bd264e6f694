package io.manafold.sockets.internal.uring;

import io.manafold.linux.InterfaceControl;
import io.manafold.linux.SystemCallException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.Map;

/**
 * Why the kernel copied what was to be sent where it lies. The kernel says only that it did; this is concluded from the
 * device that a connection leaves by, which is taken to be the one that has its address.
 */
final class CopyReason {
    static final String LOCAL = "the peer is on this machine, and its way there is always copied";
    private static final String UNKNOWN = "the way there, or its card, does not take memory of programs";
    /** Drivers of devices whose packets never leave this machine by a card. */
    private static final Map<String, String> WITHOUT_CARD = Map.of("veth", "a veth pair", "tun", "a tap or tun");

    private CopyReason() {
    }

    /** A clause, about connections from this address to another machine. */
    static String from(InetSocketAddress local) {
        try {
            NetworkInterface device = local == null ? null : NetworkInterface.getByInetAddress(local.getAddress());
            return device == null ? UNKNOWN : of(bare(device.getName()));
        } catch (IOException unknown) {
            return UNKNOWN;
        }
    }

    /** About connections that leave by the device of this name. */
    static String of(String device) {
        try {
            String without = WITHOUT_CARD.get(InterfaceControl.driver(device));
            if (without != null) {
                return "it leaves by " + device + ", " + without + ", whose other end reads copies";
            }
        } catch (SystemCallException noDriver) {
            // it may have the feature all the same
        }
        try {
            return InterfaceControl.scatterGather(device) ? UNKNOWN
                    : "scatter-gather of " + device + " is off, so that each packet must lie in one piece (ethtool -K "
                    + device + " sg on)";
        } catch (SystemCallException unknown) {
            return UNKNOWN;
        }
    }

    /** Without the label of an address. */
    private static String bare(String name) {
        int colon = name.indexOf(':');
        return colon < 0 ? name : name.substring(0, colon);
    }
}
