package io.manafold.adapter.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.MacAddress;

/** The MAC addresses of ports that are not told otherwise: the same at the same PCI address for ever. */
final class PortMacs {
    /** Where adapters are that are not told otherwise; real ones have domains like this. */
    static final int DOMAIN = 0x7870;
    private static final long VENDOR = 0x00_0d_3aL << 24;

    private PortMacs() {
    }

    static MacAddress of(PciAddress address, int port) {
        int function = address.bus() << 8 | address.device() << 3 | address.function();
        int domain = (address.domain() - DOMAIN) * 0x9e37 & 0x1f;
        return new MacAddress(VENDOR | (long) domain << 19 | ((long) function << 3) + port);
    }
}
