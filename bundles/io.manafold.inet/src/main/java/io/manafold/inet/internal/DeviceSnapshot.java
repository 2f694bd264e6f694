package io.manafold.inet.internal;

import io.manafold.api.net.Feature;
import io.manafold.api.net.NetDevice;

/**
 * What a host needs to know of its device, as it was a moment ago: the device's thread must not ask the device.
 *
 * @param checksum4 it fills in checksums of UDP over IPv4
 * @param checksum6 the same over IPv6
 */
record DeviceSnapshot(long mac, int mtu, boolean up, boolean checksum4, boolean checksum6) {
    static DeviceSnapshot of(NetDevice device) {
        boolean four = false;
        boolean six = false;
        for (Feature feature : device.features()) {
            if (feature.on()) {
                four |= feature.name().equals("tx-checksum-ipv4") || feature.name().equals("tx-checksum-ip-generic");
                six |= feature.name().equals("tx-checksum-ipv6") || feature.name().equals("tx-checksum-ip-generic");
            }
        }
        return new DeviceSnapshot(device.mac().value(), device.mtu(), device.isUp(), four, six);
    }
}
