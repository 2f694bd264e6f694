package io.manafold.lab.internal;

import io.manafold.api.device.PciAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Gives adapters the addresses their file leaves out, the same ones each time the file is read. A MAC address follows
 * from the place on the bus and the port, so that a change of one adapter does not change what others are called.
 */
final class Numbering {
    private static final int DOMAIN = 0x7870;
    private static final int DEVICES_ON_A_BUS = 32;

    private final List<Draft> adapters;
    private final Set<String> taken = new HashSet<>();
    private int place;
    private int spare = 0xffffff;

    Numbering(List<Draft> adapters) {
        this.adapters = adapters;
    }

    void fill() {
        for (Draft adapter : adapters) {
            taken.addAll(adapter.texts("macs"));
            if (adapter.has("address")) {
                taken.add(adapter.text("address"));
            }
        }
        adapters.forEach(this::address);
        adapters.forEach(this::macs);
    }

    private void address(Draft adapter) {
        while (!adapter.has("address")) {
            String address = new PciAddress(DOMAIN, place / DEVICES_ON_A_BUS, place % DEVICES_ON_A_BUS, 0).toString();
            place++;
            if (taken.add(address)) {
                adapter.give("address", address, List.of());
            }
        }
    }

    private void macs(Draft adapter) {
        PciAddress at = PciAddress.parse(adapter.text("address"));
        List<String> macs = new ArrayList<>(adapter.texts("macs"));
        while (macs.size() < adapter.value("ports", Integer.class)) {
            String mac = mac(at.bus() << 16 | at.device() << 8 | at.function() << 4 | macs.size() + 1);
            while (!taken.add(mac)) {
                mac = mac(spare--);
            }
            macs.add(mac);
        }
        adapter.give("macs", macs.toArray(String[]::new), List.of());
    }

    private static String mac(int station) {
        return "00:0d:3a:%02x:%02x:%02x".formatted(station >> 16, station >> 8 & 0xff, station & 0xff);
    }
}
