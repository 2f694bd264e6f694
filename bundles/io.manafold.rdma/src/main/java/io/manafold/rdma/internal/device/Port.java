package io.manafold.rdma.internal.device;

import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;

/** A port as the network device there knows it. */
interface Port {
    String name();

    MacAddress mac();

    /** Whether it is up and its link is. */
    boolean isActive();

    int mtu();

    /** Bits per second, 0 if unknown. */
    long speed();

    /** Its place in the networks of IP. */
    default Neighbours neighbours() {
        return Neighbours.NONE;
    }

    /** The port of a network device. */
    static Port of(NetDevice device, Neighbours neighbours) {
        return new Port() {
            @Override
            public String name() {
                return device.name();
            }

            @Override
            public MacAddress mac() {
                return device.mac();
            }

            @Override
            public boolean isActive() {
                return device.hasCarrier();
            }

            @Override
            public int mtu() {
                return device.mtu();
            }

            @Override
            public long speed() {
                return device.speed();
            }

            @Override
            public Neighbours neighbours() {
                return neighbours;
            }
        };
    }
}
