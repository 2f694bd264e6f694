package io.manafold.failover.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.DevicePlan;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What the port's network device is told by its pair.
 *
 * @param associated whether the host has told the synthetic device of the serial number that the function has; a
 *        function with another is no member
 */
record VfPlan(PairPlan pair, BooleanSupplier associated) implements DevicePlan {
    @Override
    public PciAddress address() {
        return pair.address();
    }

    @Override
    public int port() {
        return pair.port();
    }

    @Override
    public String name() {
        return pair.vf();
    }

    @Override
    public Optional<Integer> mtu() {
        return Optional.of(pair.mtu());
    }

    @Override
    public boolean up() {
        return true;
    }

    @Override
    public String master() {
        return associated.getAsBoolean() ? pair.name() : "";
    }
}
