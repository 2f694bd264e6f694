package io.manafold.failover.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.MacAddress;

/**
 * What a pair consists of.
 *
 * @param name of the device above
 * @param place of the port: {@code one/1}
 * @param address of the function that the port belongs to
 * @param port of that function, from 1
 */
record PairPlan(String name, String place, PciAddress address, int port, MacAddress mac, int mtu, boolean up) {
    /** What the synthetic device is on its bus: a UUID that hosts make of the MAC address. */
    String instance() {
        String six = mac.toString().replace(":", "");
        String all = six + six + six.substring(0, 8);
        return all.substring(0, 8) + "-" + all.substring(8, 12) + "-" + all.substring(12, 16) + "-"
                + all.substring(16, 20) + "-" + all.substring(20);
    }

    /** What Linux calls the virtual function's network device: by its place on the bus. */
    String vf() {
        return "enP%dp%ds%d".formatted(address.domain(), address.bus(), address.device())
                + (address.function() > 0 ? "f" + address.function() : "") + (port > 1 ? "d" + (port - 1) : "");
    }
}
