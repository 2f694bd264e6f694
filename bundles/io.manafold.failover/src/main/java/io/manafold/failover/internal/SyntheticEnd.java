package io.manafold.failover.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.SyntheticDevice;
import io.manafold.api.net.SyntheticPort;
import java.util.function.BooleanSupplier;

/** The synthetic device of a pair, as it is offered to a poll-mode driver. */
record SyntheticEnd(PairPlan plan, Pair pair, NetDevice device, BooleanSupplier associated) implements SyntheticDevice {
    @Override
    public String name() {
        return plan.name();
    }

    @Override
    public String instance() {
        return plan.instance();
    }

    @Override
    public MacAddress mac() {
        return plan.mac();
    }

    @Override
    public PciAddress address() {
        return plan.address();
    }

    @Override
    public int port() {
        return plan.port();
    }

    @Override
    public boolean isAssociated() {
        return associated.getAsBoolean();
    }

    @Override
    public SyntheticPort poll(String who) {
        return pair.poll(who);
    }
}
